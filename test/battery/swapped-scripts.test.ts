import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'vitest';
import type { Handler } from '../../capabilities/models';
import { ExecutorBench } from '../unit/execution/executor-bench';
import { BatteryRecord, sized } from './battery-record';

const record = new BatteryRecord('swapped-scripts');

test.each<[string, string, Handler]>([
  ['script', 'task.sh', { type: 'script', file: 'task.sh' }],
  ['program', 'task', { type: 'command', argv: ['./task'] }],
])(
  'a %s that is exchanged all the time runs as it was approved, or not at all',
  async (kind, name, handler) => {
    const bench = new ExecutorBench();
    const file = path.join(bench.root, name);
    const put = (word: string): void => {
      writeFileSync(`${file}.new`, `#!/bin/sh\necho ${word}\n`, { mode: 0o755 });
      renameSync(`${file}.new`, file);
    };
    put('approved');
    bench.add({ handler });
    await bench.approve();
    bench.approval = 'declined';
    const swapper = { isOver: false };
    const swapping = (async () => {
      for (let round = 0; !swapper.isOver; round += 1) {
        put(round % 2 === 0 ? 'exchanged' : 'approved');
        // At another moment each time: between any two steps of a run.
        for (let turn = 0; turn < round % 7; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const threat = `T13 exchanged ${kind}`;
    let ran = 0;
    for (let round = 0; round < sized(500, 40); round += 1) {
      await record.attempt(threat, String(round), async () => {
        const reply = await bench.run();
        const text = JSON.stringify(reply);
        if (reply.status === 'ok' && text.includes('approved')) ran += 1;
        return text.includes('exchanged\\n') ? ['escaped', text.slice(0, 200)] : 'blocked';
      });
    }
    swapper.isOver = true;
    await swapping;
    record.expectAllBlocked(threat, sized(500, 40));
    console.log(`${threat}: ran as approved in ${ran} of ${sized(500, 40)} rounds`);
  },
  300_000,
);
