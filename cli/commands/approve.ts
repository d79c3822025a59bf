import { visibleElement } from '../../capabilities/execution/visible-text';
import type { Command } from '../command';
import { askForName } from '../terminal-confirmer';

/** `capability approve PACK`: what the editor asks before the first run of a pack. */
export const approveCommand: Command = {
  usage: 'approve PACK [--revoke]',
  summary:
    'Lets the actions of a pack run, as the pack is now, in an interactive terminal, by typing its name. `--revoke` takes that back.',
  options: { revoke: { type: 'boolean' } },
  positionals: [1, 1],
  async run({ positionals, values }, terminal, host) {
    const asked = positionals[0] ?? '';
    const state = await host.engine.approvalOf(asked);
    if (state === undefined) {
      terminal.tell(`There is no pack ${visibleElement(asked)} here. \`capability list\` shows what there is.`);
      return 1;
    }
    if (state.kind === 'not_needed') {
      terminal.tell('This pack is in a folder of your own and needs no approval.');
      return 0;
    }
    const { content } = state;
    if (values['revoke'] === true) {
      await host.engine.revokeApproval(content, host.context);
      terminal.tell(`The pack ${content.packId} is not approved any more.`);
      return 0;
    }
    if (state.kind === 'approved') {
      terminal.tell(`The pack ${content.packId} is approved as it is.`);
      return 0;
    }
    const { title, detail } = host.engine.approvalText(state, host.context);
    terminal.tell(`${title}\n\n${detail}\n`);
    if (!terminal.isInteractive) {
      terminal.tell('Approving needs a person at an interactive terminal. Run this command there.');
      return 1;
    }
    if (!(await askForName(terminal, content.packId))) {
      terminal.tell('Not approved. Nothing of it will run.');
      return 1;
    }
    await host.engine.approvePack(content, host.context);
    terminal.tell('Approved.');
    return 0;
  },
};
