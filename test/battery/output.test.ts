import { statSync } from 'node:fs';
import { test } from 'vitest';
import type { RunReply } from '../../capabilities/models';
import { ExecutorBench } from '../unit/execution/executor-bench';
import { BatteryRecord, sized, type Outcome } from './battery-record';

const record = new BatteryRecord('output');
const MEBIBYTE = 1024 * 1024;
const MOST_MEMORY = 50 * MEBIBYTE;

test('a flood of output costs little memory; its beginning, its end and a file are there', async () => {
  const size = sized(500, 40) * MEBIBYTE;
  for (const [name, program] of [
    ['standard output', `yes | head -c ${size}`],
    ['error output', `yes | head -c ${size} >&2`],
    ['one line', `head -c ${size} /dev/zero | tr '\\0' x`],
  ] as const) {
    const bench = new ExecutorBench();
    bench.add({ handler: { type: 'command', argv: ['sh', '-c', program] }, timeout: '2m' });
    await bench.approve();
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 20);
    await record.attempt('T25 output', name, async (): Promise<Outcome | readonly [Outcome, string]> => {
      const reply = (await bench.run()) as RunReply;
      if (reply.status !== 'ok') return ['crashed', JSON.stringify(reply).slice(0, 300)];
      if (JSON.stringify(reply).length > 9_000) return ['escaped', 'the reply is too long'];
      const isTold =
        name === 'error output' || (reply.truncated === true && statSync(reply.output_file ?? '').size > 10 * MEBIBYTE);
      if (!isTold) return ['escaped', 'nothing says that it is shortened'];
      return most > MOST_MEMORY ? ['escaped', `${Math.round(most / MEBIBYTE)} MiB`] : 'blocked';
    });
    clearInterval(watch);
  }
  record.expectAllBlocked('T25 output', 3);
}, 300_000);

test('bytes that are no text and sequences of terminals reach nobody as such', async () => {
  const texts: Readonly<Record<string, string>> = {
    'invalid UTF-8, byte by byte': 'process.stdout.write(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xe2, 0x82]))',
    'characters cut between writes':
      "const b = Buffer.from('漢字😀'.repeat(50)); let i = 0; const next = () => i < b.length && process.stdout.write(b.subarray(i, ++i), next); next()",
    'clear screen': "process.stdout.write('a\\x1b[2Jb')",
    'a link': "process.stdout.write('\\x1b]8;;http://evil.test\\x07text\\x1b]8;;\\x07')",
    'the clipboard': "process.stdout.write('\\x1b]52;c;ZXZpbA==\\x07')",
    'a title': "process.stdout.write('\\x1b]0;evil\\x1b\\\\\\\\')",
    'an open sequence': "process.stdout.write('x\\x1b[')",
    overwriting: "process.stdout.write('safe\\rrm -rf /')",
    bell: "process.stdout.write('\\x07')",
    'one-byte controls': 'process.stdout.write(Buffer.from([0xc2, 0x9b, 0x32, 0x4a, 0xc2, 0x9d]))',
    'right to left': "process.stdout.write('\\u202egnp.exe')",
    NUL: "process.stdout.write('a\\0b')",
  };
  const bench = new ExecutorBench();
  for (const [name, program] of Object.entries(texts)) {
    bench.addProgram(program);
    await bench.approve();
    await record.attempt('T10 terminals', name, async (): Promise<Outcome | readonly [Outcome, string]> => {
      const reply = (await bench.run()) as RunReply;
      if (reply.status !== 'ok' || typeof reply.output !== 'string')
        return ['crashed', JSON.stringify(reply).slice(0, 200)];
      // Tabs and line ends are text.
      return /[^\P{Cc}\t\n\r]/u.test(reply.output) ? ['escaped', JSON.stringify(reply.output)] : 'blocked';
    });
  }
  record.expectAllBlocked('T10 terminals', 12);
}, 60_000);
