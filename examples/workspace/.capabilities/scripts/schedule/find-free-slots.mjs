import { Refusal, runAction } from '../shared/action.mjs';
import { readEvents } from './store.mjs';

await runAction(({ date, duration_minutes, owners = [], room, day_start = '09:00', day_end = '18:00' }) => {
  if (day_start >= day_end) throw new Refusal('day_end must come after day_start.');
  const busy = readEvents()
    .filter(({ start, status }) => start.startsWith(date) && status !== 'cancelled')
    .filter((event) => owners.includes(event.owner) || event.room === room)
    .map(({ start, end }) => [toMinutes(start.slice(11)), toMinutes(end.slice(11))]);
  const gaps = findGaps(busy, toMinutes(day_start), toMinutes(day_end));
  const slots = gaps
    .filter(([start, end]) => end - start >= duration_minutes)
    .map(([start, end]) => ({
      start: `${date}T${toTime(start)}`,
      end: `${date}T${toTime(end)}`,
      minutes: end - start,
    }));
  return { count: slots.length, slots };
});

/** Free stretches between busy ones, which come sorted by their start. */
function findGaps(busy, dayStart, dayEnd) {
  const gaps = [];
  let free = dayStart;
  for (const [start, end] of [...busy, [dayEnd, dayEnd]]) {
    if (start > free) gaps.push([free, Math.min(start, dayEnd)]);
    free = Math.max(free, end);
  }
  return gaps;
}

function toMinutes(time) {
  const [hours, minutes] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function toTime(minutes) {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
