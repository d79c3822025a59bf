import { runAction } from '../shared/action.mjs';
import { requireFits } from './conflicts.mjs';
import { nextId, readEvents, writeEvents } from './store.mjs';

await runAction(({ title, start, end, owner, room = '', notes = '', status = 'confirmed', on_conflict = 'refuse' }) => {
  const events = readEvents();
  const event = { id: nextId(events), title, start, end, owner, room, status, notes };
  const conflicts = requireFits(event, events, on_conflict);
  writeEvents([...events, event]);
  return { event, conflicts_with: conflicts };
});
