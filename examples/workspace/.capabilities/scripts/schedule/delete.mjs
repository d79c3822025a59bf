import { runAction } from '../shared/action.mjs';
import { readEvents, requireEvent, writeEvents } from './store.mjs';

await runAction(({ id }) => {
  const events = readEvents();
  const deleted = requireEvent(events, id);
  writeEvents(events.filter((event) => event.id !== id));
  return { deleted, remaining: events.length - 1 };
});
