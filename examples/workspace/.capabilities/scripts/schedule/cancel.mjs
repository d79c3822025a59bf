import { runAction } from '../shared/action.mjs';
import { readEvents, requireEvent, writeEvents } from './store.mjs';

await runAction(({ id, reason }) => {
  const events = readEvents();
  const before = requireEvent(events, id);
  const notes = reason === undefined ? before.notes : `${before.notes} Cancelled: ${reason}`.trim();
  const event = { ...before, status: 'cancelled', notes };
  writeEvents(events.map((candidate) => (candidate.id === id ? event : candidate)));
  return { event, previous_status: before.status };
});
