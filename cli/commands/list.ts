import type { ListReply } from '../../capabilities/models';
import type { Command } from '../command';
import { finish, numberOption } from '../reply-output';

/** `capability list [PACK]` */
export const listCommand: Command = {
  usage: 'list [PACK] [--depth 1-3] [--limit N] [--cursor C]',
  summary: 'Lists the packs, or what stands below one.',
  options: { depth: { type: 'string' }, limit: { type: 'string' }, cursor: { type: 'string' } },
  positionals: [0, 1],
  async run({ positionals, values, json }, terminal, host) {
    const input = {
      ...(positionals[0] === undefined ? {} : { within: positionals[0] }),
      ...numberOption('depth', values['depth']),
      ...numberOption('limit', values['limit']),
      ...(values['cursor'] === undefined ? {} : { cursor: values['cursor'] }),
    };
    const reply = await host.call(host.tools.list, input);
    return finish(reply, { json, terminal, show: showList });
  },
};

function showList(reply: ListReply): string {
  const lines = reply.children.map((child) => {
    const counts = child.child_counts
      ? `  (actions: ${child.child_counts.action}, recipes: ${child.child_counts.recipe})`
      : '';
    return `${child.resource_type.padEnd(6)}  ${child.resource_id}  ${child.title}${counts}`;
  });
  const more = reply.next_cursor === undefined ? [] : [`… more with --cursor ${reply.next_cursor}`];
  return [
    ...(reply.conventions === undefined ? [] : [reply.conventions.trimEnd(), '']),
    ...lines,
    ...more,
    ...(reply.advice === undefined ? [] : [reply.advice]),
  ].join('\n');
}
