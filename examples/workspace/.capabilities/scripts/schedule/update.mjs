import { Refusal, runAction } from '../shared/action.mjs';
import { requireFits } from './conflicts.mjs';
import { readEvents, requireEvent, writeEvents } from './store.mjs';

await runAction(({ id, on_conflict = 'refuse', ...changes }) => {
  if (Object.keys(changes).length === 0) throw new Refusal('Name at least one field to change besides id.');
  const events = readEvents();
  const before = requireEvent(events, id);
  const event = { ...before, ...changes };
  const conflicts = requireFits(event, events, on_conflict);
  writeEvents(events.map((candidate) => (candidate.id === id ? event : candidate)));
  return { before, event, conflicts_with: conflicts };
});
