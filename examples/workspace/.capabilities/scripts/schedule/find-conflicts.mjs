import { runAction } from '../shared/action.mjs';
import { findConflicts } from './conflicts.mjs';
import { readEvents } from './store.mjs';

await runAction(({ date = '', owner }) => {
  const events = readEvents().filter((event) => event.start.startsWith(date));
  const conflicts = findConflicts(events)
    .filter(({ first, second }) => owner === undefined || first.owner === owner || second.owner === owner)
    .map(({ first, second, shared }) => ({ first: summarise(first), second: summarise(second), shared }));
  return { count: conflicts.length, conflicts };
});

function summarise({ id, title, start, end }) {
  return { id, title, start, end };
}
