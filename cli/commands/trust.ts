import path from 'node:path';
import { visibleText } from '../../capabilities/execution/visible-text';
import type { Command } from '../command';
import { askForName } from '../terminal-confirmer';

/** `capability trust`: what VS Code's workspace trust is for the editor. */
export const trustCommand: Command = {
  usage: 'trust',
  summary: 'Lets the command line run actions of this workspace. Needs an interactive terminal.',
  options: {},
  positionals: [0, 0],
  async run(_options, terminal, host) {
    if (!terminal.isInteractive) {
      terminal.tell('Trusting a workspace needs a person at an interactive terminal. Run this command there.');
      return 1;
    }
    terminal.tell(
      `Actions of ${visibleText(host.root)} run programs and scripts of that folder with your rights. Trust it only if you know who wrote them.`,
    );
    if (!(await askForName(terminal, path.basename(host.root)))) {
      terminal.tell('Not trusted. Its capabilities can be searched and read, nothing runs.');
      return 1;
    }
    await host.trust();
    terminal.tell('Trusted.');
    return 0;
  },
};
