import { validateSearchInput } from '../../capabilities/generated/validators';
import type { ErrorReply, SearchInput, SearchMatch, SearchReply, SearchTrace } from '../../capabilities/models';
import { parseToolInput } from '../../capabilities/tools/parse-tool-input';
import type { CliHost } from '../cli-host';
import type { Command } from '../command';
import { explanationOf, showExplanation } from '../explain-output';
import { finish, numberOption } from '../reply-output';

/** `capability search QUERY` */
export const searchCommand: Command = {
  usage:
    'search QUERY [--within PACK] [--types pack,action,recipe] [--side-effect-max R|W-local|W-shared|I] [--limit N] [--explain]',
  summary: 'Finds capabilities for a goal. Runs nothing.',
  options: {
    within: { type: 'string' },
    types: { type: 'string' },
    'side-effect-max': { type: 'string' },
    limit: { type: 'string' },
    explain: { type: 'boolean' },
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
    await host.prepareMeaning();
    if (values['explain'] === true) {
      const trace = await explain(input, host);
      const show = (found: SearchTrace): string => showExplanation(found);
      if (json && 'ranking' in trace) terminal.write(JSON.stringify(explanationOf(trace)));
      else return finish(trace, { json, terminal, show });
      return 0;
    }
    const reply = await host.call(host.tools.search, input);
    return finish(reply, { json, terminal, show: showSearch });
  },
};

/** Like the tool, without a trace in the session. */
function explain(input: object, { engine, context }: CliHost): Promise<SearchTrace | ErrorReply> {
  const parsed = parseToolInput<SearchInput>(input, validateSearchInput);
  if (!parsed.ok) return Promise.resolve(parsed.reply);
  return engine.explain(parsed.input, context, { signal: new AbortController().signal });
}

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
