import { Refusal } from '../shared/action.mjs';

/** Times are local and written `YYYY-MM-DDTHH:MM`, so that they compare as text. */
export function overlaps(a, b) {
  return a.start < b.end && b.start < a.end;
}

/** Every pair of events that need the same person or room at the same time. */
export function findConflicts(events) {
  const active = events.filter(({ status }) => status !== 'cancelled');
  return active.flatMap((event, index) =>
    active.slice(index + 1).flatMap((other) => {
      const shared = sharedResources(event, other);
      return overlaps(event, other) && shared.length > 0 ? [{ first: event, second: other, shared }] : [];
    }),
  );
}

/** Refuses an event that ends before it starts, or clashes with others while clashes aren't allowed. */
export function requireFits(event, events, onConflict) {
  if (event.start >= event.end) throw new Refusal('The event must end after it starts.');
  const others = events.filter(({ id }) => id !== event.id);
  const clashes = findConflicts([event, ...others]).filter(({ first }) => first === event);
  if (clashes.length > 0 && onConflict === 'refuse') {
    const names = clashes.map(({ second, shared }) => `${second.id} "${second.title}" (${shared.join(', ')})`);
    throw new Refusal(
      `Nothing was saved. It clashes with ${names.join('; ')}. Choose another time, or pass "on_conflict": "allow".`,
    );
  }
  return clashes.map(({ second }) => second.id);
}

function sharedResources(a, b) {
  return ['owner', 'room'].filter((key) => a[key] !== '' && a[key] === b[key]).map((key) => `${key} ${a[key]}`);
}
