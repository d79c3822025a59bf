import type { Command } from '../command';
import { askForName } from '../terminal-confirmer';

const reasons = {
  approved: 'This run is confirmed already. Send the same call with the token.',
  expired: 'This token has expired. Ask for the run again to get a new one.',
  unknown: 'No run waits for this token: it is unknown or was used. Ask for the run again to get a new one.',
} as const;

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
    const found = await host.engine.inspectConfirmation(token);
    if (found.state !== 'pending') {
      terminal.tell(reasons[found.state]);
      return 1;
    }
    const { title, detail, actionId } = found.confirmation;
    terminal.tell(`${title}\n\n${detail}\n`);
    if (!(await askForName(terminal, actionId))) {
      terminal.tell('Not confirmed. Nothing will run.');
      return 1;
    }
    const approved = await host.engine.approveConfirmation(token, host.context);
    const isApproved = approved.state === 'approved';
    terminal.tell(isApproved ? 'Confirmed once. The same call with this token will now run.' : reasons.unknown);
    return isApproved ? 0 : 1;
  },
};
