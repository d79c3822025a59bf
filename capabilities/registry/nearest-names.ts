/** Suggestions for misspelt names. */

/** Names close to the one that was written, best first, at most `limit`. Deterministic. */
export function findNearestNames(written: string, names: Iterable<string>, limit: number): readonly string[] {
  const wanted = fold(written);
  const found: { name: string; distance: number }[] = [];
  for (const name of names) {
    const distance = measure(wanted, fold(name));
    if (distance !== undefined) found.push({ name, distance });
  }
  return found
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Case and the kind of separator are the commonest slips, so they cost nothing. */
function fold(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1.$2')
    .toLowerCase()
    .replace(/[\s/\\_.:-]+/g, '.');
}

/** 0 for the same name, growing with the difference; undefined when the two have little in common. */
function measure(wanted: string, name: string): number | undefined {
  if (wanted === '' || wanted.length > 200) return undefined;
  if (wanted === name) return 0;
  const allowed = Math.min(4, Math.floor(Math.max(wanted.length, name.length) / 3));
  const distance = editDistance(wanted, name, allowed);
  if (distance <= allowed) return distance;
  // A whole segment of a longer id, or a beginning of it: further than any slip of the fingers.
  if (wanted.length >= 3 && name.endsWith(`.${wanted}`)) return 5;
  if (wanted.length >= 3 && name.startsWith(wanted)) return 6;
  return name.length >= 3 && wanted.endsWith(`.${name}`) ? 7 : undefined;
}

/** Edit distance with neighbouring letters swapped as one step; more than `limit` is `limit + 1`. */
function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const replaced = at(previous, column - 1) + (isSame ? 0 : 1);
      const swapped = isSwap && row > 1 ? at(before, column - 2) + 1 : Infinity;
      const cost = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, replaced, swapped);
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    before = previous;
    previous = current;
  }
  return at(previous, other.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
