import { describe, expect, it } from 'vitest';
import type { SessionTrail } from '../../../capabilities/models';
import { buildSearch, EMPTY_TRAIL, idsOf } from './build-search';
import { MemoryPolicy } from './memory-registry';
import type { Sketch } from './memory-registry';

const WORKFLOW: readonly Sketch[] = [
  { pack_id: 'web', title: 'Web server', summary: 'The web server.', entities: ['server'] },
  {
    action_id: 'web.probe',
    title: 'Ask the server for its health',
    summary: 'Says what answers.',
    intents: ['status'],
    entities: ['server'],
  },
  {
    action_id: 'web.reload',
    title: 'Reload the server',
    summary: 'Takes a new configuration.',
    intents: ['restart'],
    entities: ['server'],
    side_effect: 'W-local',
    reversible: true,
    verify: ['web.probe'],
    undo: 'web.revert',
  },
  {
    action_id: 'web.revert',
    title: 'Use the former configuration',
    summary: 'Brings the former configuration back.',
    intents: ['rollback'],
    entities: ['server'],
    side_effect: 'W-local',
    reversible: true,
  },
  {
    action_id: 'web.inspect',
    title: 'Examine the server',
    summary: 'Finds what is wrong.',
    intents: ['diagnose'],
    entities: ['server'],
    next_actions: ['web.reload'],
  },
  {
    action_id: 'mail.check_queue',
    title: 'Check whether the mail queue works',
    summary: 'Verifies the mail queue after a repair.',
    intents: ['verify'],
    entities: ['mail', 'queue'],
  },
  {
    action_id: 'mail.undo_send',
    title: 'Undo sending',
    summary: 'Takes a mail back.',
    intents: ['rollback'],
    entities: ['mail'],
    side_effect: 'W-shared',
  },
];

const bench = buildSearch(WORKFLOW);
const keyOf = (id: string): string => bench.registry.all().find((resource) => resource.id === id)?.key ?? '';
const RELOADED: SessionTrail = { ...EMPTY_TRAIL, lastRunKey: keyOf('web.reload'), verifying: [keyOf('web.probe')] };
const EXAMINED: SessionTrail = {
  ...EMPTY_TRAIL,
  lastRunKey: keyOf('web.inspect'),
  recommended: [keyOf('web.reload')],
};

describe('a short goal carries on what was run last', () => {
  it.each<[string, SessionTrail, string]>([
    ['did that work?', RELOADED, 'web.probe'],
    ['is it back?', RELOADED, 'web.probe'],
    ['check that it works now', RELOADED, 'web.probe'],
    ['好了吗', RELOADED, 'web.probe'],
    ['确认一下生效没有', RELOADED, 'web.probe'],
    ['undo that', RELOADED, 'web.revert'],
    ['那就撤回吧', RELOADED, 'web.revert'],
    ['ok, do it', EXAMINED, 'web.reload'],
    ['好的，执行吧', EXAMINED, 'web.reload'],
  ])('%s', async (goal, trail, next) => {
    expect(idsOf(await bench.search(goal, { trail }))[0]).toBe(next);
  });

  it.each<[string, SessionTrail]>([
    ['check whether the mail queue works again', RELOADED],
    ['did that work?', EMPTY_TRAIL],
  ])('but not one that is about something else, or without a run: %s', async (goal, trail) => {
    expect(idsOf(await bench.search(goal, { trail }))[0]).not.toBe('web.probe');
  });

  it('never shows what may not be discovered', async () => {
    const hidden = WORKFLOW.map((sketch) =>
      'action_id' in sketch && sketch.action_id === 'web.probe' ? { ...sketch, acl: { discover: ['role:x'] } } : sketch,
    );
    const guarded = buildSearch(hidden, { policy: new MemoryPolicy() });
    const ids = idsOf(await guarded.search('did that work?', { trail: RELOADED }));
    expect(ids).not.toContain('web.probe');
  });
});
