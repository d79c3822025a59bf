import type { Command } from '../command';
import { finish, numberOption } from '../reply-output';

/** `capability describe ID` */
export const describeCommand: Command = {
  usage: 'describe ID [--version N]',
  summary: 'Shows the full contract of one capability.',
  options: { version: { type: 'string' } },
  positionals: [1, 1],
  async run({ positionals, values, json }, terminal, host) {
    const reply = await host.call(host.tools.describe, {
      resource_id: positionals[0],
      ...numberOption('version', values['version']),
    });
    return finish(reply, { json, terminal, show: (contract) => JSON.stringify(contract, null, 2) });
  },
};
