import type { SearchMatch, SearchReply } from '../../capabilities/models';
import type { Command } from '../command';
import { finish, numberOption } from '../reply-output';

/** `capability search QUERY` */
export const searchCommand: Command = {
  usage:
    'search QUERY [--within PACK] [--types pack,action,recipe] [--side-effect-max R|W-local|W-shared|I] [--limit N]',
  summary: 'Finds capabilities for a goal. Runs nothing.',
  options: {
    within: { type: 'string' },
    types: { type: 'string' },
    'side-effect-max': { type: 'string' },
    limit: { type: 'string' },
  },
  positionals: [1, 1],
  async run({ positionals, values, json }, terminal, host) {
    const input = {
      query: positionals[0],
      ...(values['within'] === undefined ? {} : { within: values['within'] }),
      ...(typeof values['types'] === 'string' ? { types: values['types'].split(',') } : {}),
      ...(values['side-effect-max'] === undefined ? {} : { side_effect_max: values['side-effect-max'] }),
      ...numberOption('limit', values['limit']),
    };
    const reply = await host.call(host.tools.search, input);
    return finish(reply, { json, terminal, show: showSearch });
  },
};

function showSearch(reply: SearchReply): string {
  const head = `${reply.resolution}${reply.advice === undefined ? '' : `: ${reply.advice}`}`;
  return [head, ...reply.matches.map(showMatch)].join('\n');
}

function showMatch(match: SearchMatch): string {
  const facts = [
    match.side_effect,
    match.risk_level,
    match.availability === 'available' ? undefined : match.availability,
  ].filter(Boolean);
  return `${match.rank}. ${match.resource_id}  ${match.title}${facts.length > 0 ? `  [${facts.join(', ')}]` : ''}\n   ${match.summary}\n   ${match.why}`;
}
