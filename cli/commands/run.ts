import type { Command } from '../command';
import type { RunReply } from '../../capabilities/models';
import { finish, numberOption } from '../reply-output';

/** `capability run ID` */
export const runCommand: Command = {
  usage: 'run ID [--args JSON] [--action-version N] [--dry-run] [--token TOKEN]',
  summary:
    'Runs one action. A run that needs a confirmation asks in an interactive terminal, else it answers with a token to confirm.',
  options: {
    args: { type: 'string' },
    'action-version': { type: 'string' },
    'dry-run': { type: 'boolean' },
    token: { type: 'string' },
  },
  positionals: [1, 1],
  async run({ positionals, values, json }, terminal, host) {
    const input = {
      action_id: positionals[0],
      ...numberOption('action_version', values['action-version']),
      ...(values['args'] === undefined ? {} : { arguments: values['args'] }),
      ...(values['dry-run'] === true ? { dry_run: true } : {}),
      ...(values['token'] === undefined ? {} : { confirmation_token: values['token'] }),
    };
    const reply = await host.call(host.tools.run, input);
    const code = finish(reply, { json, terminal, show: showRun });
    return 'code' in reply || reply.status === 'confirmation_required' ? 1 : code;
  },
};

function showRun(reply: RunReply): string {
  if (reply.status === 'confirmation_required') return `${reply.summary ?? ''}\n${reply.how_to_confirm ?? ''}`.trim();
  if (reply.status === 'planned') return JSON.stringify(reply.plan, null, 2);
  const output = typeof reply.output === 'string' ? reply.output.trimEnd() : JSON.stringify(reply.output, null, 2);
  return [...(reply.notices ?? []).map((notice) => `note: ${notice}`), output].join('\n');
}
