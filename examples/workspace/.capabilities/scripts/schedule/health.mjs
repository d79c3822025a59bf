import { existsSync } from 'node:fs';
import { runAction } from '../shared/action.mjs';
import { findConflicts } from './conflicts.mjs';
import { readEvents, scheduleFile } from './store.mjs';

await runAction(() => {
  const events = readEvents();
  const problems = events.filter(({ start, end }) => start >= end).map(({ id }) => `${id} ends before it starts`);
  return {
    source: existsSync(scheduleFile) ? 'saved data' : 'seed',
    events: events.length,
    cancelled: events.filter(({ status }) => status === 'cancelled').length,
    conflicts: findConflicts(events).length,
    problems,
    healthy: problems.length === 0,
  };
});
