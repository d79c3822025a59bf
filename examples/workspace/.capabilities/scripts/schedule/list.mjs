import { runAction } from '../shared/action.mjs';
import { readEvents } from './store.mjs';

await runAction(({ from = '', to = '9999', owner, room, include_cancelled = false, text = '' }) => {
  const wanted = text.toLowerCase();
  const events = readEvents()
    .filter((event) => event.end > from && event.start.slice(0, to.length) <= to)
    .filter((event) => owner === undefined || event.owner === owner)
    .filter((event) => room === undefined || event.room === room)
    .filter((event) => include_cancelled || event.status !== 'cancelled')
    .filter((event) => `${event.title} ${event.notes}`.toLowerCase().includes(wanted));
  return { count: events.length, events };
});
