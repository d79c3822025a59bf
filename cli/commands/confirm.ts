import type { Command } from '../command';
import { askForName } from '../terminal-confirmer';

/** `capability confirm TOKEN`: the out-of-band answer of a person. */
export const confirmCommand: Command = {
  usage: 'confirm TOKEN',
  summary: "Confirms one waiting run, in an interactive terminal, by typing the action's name.",
  options: {},
  positionals: [1, 1],
  async run({ positionals }, terminal, host) {
    const token = positionals[0] ?? '';
    if (!terminal.isInteractive) {
      terminal.tell('A confirmation needs a person at an interactive terminal. Run this command there.');
      return 1;
    }
    const pending = await host.engine.pendingConfirmation(token);
    if (!pending) {
      terminal.tell(
        'No run waits for this token: it is unknown, was used, or has expired. Ask for the run again to get a new one.',
      );
      return 1;
    }
    terminal.tell(`${pending.title}\n\n${pending.detail}\n`);
    if (!(await askForName(terminal, pending.actionId))) {
      terminal.tell('Not confirmed. Nothing will run.');
      return 1;
    }
    await host.engine.approveConfirmation(token);
    terminal.tell('Confirmed once. The same call with this token will now run.');
    return 0;
  },
};
