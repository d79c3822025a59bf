import { describe, expect, it } from 'vitest';
import { buildSearch, idsOf } from './build-search';
import type { Sketch } from './memory-registry';

const LOGS: readonly Sketch[] = [
  { pack_id: 'logs', title: 'Logs', summary: 'Log files.', entities: ['log'] },
  {
    action_id: 'logs.list',
    title: 'List log files',
    summary: 'Every log file with its size.',
    intents: ['list'],
    entities: ['log'],
  },
  {
    action_id: 'logs.purge',
    title: 'Purge log files',
    summary: 'Deletes every old log file.',
    intents: ['delete', 'clean'],
    entities: ['log'],
    aliases: ['old log files', 'log files to delete', 'purge logs'],
    side_effect: 'I',
    risk_level: 'high',
  },
  {
    action_id: 'logs.rotate',
    title: 'Rotate the log',
    summary: 'Starts a new log file.',
    intents: ['update'],
    entities: ['log'],
    side_effect: 'W-local',
    reversible: true,
  },
  {
    recipe_id: 'logs.rotation_guide',
    title: 'Rotating the log',
    summary: 'How to rotate a log file safely.',
    intents: ['update', 'learn'],
    entities: ['log'],
    body: '1. Stop the writer.',
  },
  {
    action_id: 'logs.restart_shipper',
    title: 'Restart the shipper',
    summary: 'Restarts the program that ships lines.',
    intents: ['restart'],
    entities: ['shipper'],
    side_effect: 'W-local',
  },
];
const bench = buildSearch(LOGS);
const first = async (goal: string): Promise<string | undefined> => idsOf(await bench.search(goal))[0];

describe('what comes first', () => {
  it.each([
    ['which old log files could I delete?', 'logs.list'],
    ['before deleting old log files, list them', 'logs.list'],
    ['删除旧日志之前先列出来', 'logs.list'],
    ['have a look at the old log files, delete nothing', 'logs.list'],
    ['get rid of old log files', 'logs.purge'],
    ['can you delete the old log files?', 'logs.purge'],
    ['rotate the log', 'logs.rotate'],
    ['rotate the log by hand, one step after the other', 'logs.rotation_guide'],
    ['手动轮转 log 的步骤', 'logs.rotation_guide'],
  ])('%s', async (goal, expected) => {
    expect(await first(goal)).toBe(expected);
  });

  it('a deed without an object is not the most dangerous one', async () => {
    const copy: Sketch = {
      action_id: 'logs.compress',
      title: 'Compress log files',
      summary: 'Packs old log files.',
      intents: ['clean'],
      side_effect: 'W-local',
      reversible: true,
    };
    const both = buildSearch([...LOGS, copy]);
    for (const goal of ['clean up', '收拾一下']) {
      expect(idsOf(await both.search(goal))[0]).not.toBe('logs.purge');
    }
  });

  it('what shares only the verb with a goal that nothing meets does not lead the nearest', async () => {
    const reply = await bench.search('restart the coffee machine');
    expect(reply.resolution).toBe('no_confident_match');
    expect(idsOf(reply)).not.toContain('logs.restart_shipper');
  });
});
