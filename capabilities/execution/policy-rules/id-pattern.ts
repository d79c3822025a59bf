/**
 * Whether an id fits a pattern of dotted segments: `*` stands for any part of one segment, a segment `**` for any number of segments.
 * Own code: patterns come from workspaces, and a library that makes regular expressions of them can be made to hang; here the time is at most
 * the product of both lengths. Pure.
 */
export function fitsIdPattern(id: string, pattern: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return id === pattern;
  // Most patterns are about something else, which their beginning tells. `a.**` fits `a` too.
  const beginning = pattern[star - 1] === '.' ? pattern.slice(0, star - 1) : pattern.slice(0, star);
  if (!id.startsWith(beginning)) return false;
  const parts = pattern.split('.');
  const segments = id.split('.');
  return fits(segments, parts, '**', fitsSegment);
}

/** One segment: `*` stands for any characters. */
function fitsSegment(segment: string, part: string): boolean {
  return part.includes('*') ? fits(segment, part, '*', isSame) : segment === part;
}

function isSame(one: string, other: string): boolean {
  return one === other;
}

/**
 * Wildcard matching that goes back to the last wildcard alone: what an earlier one could take, the last one can take as well, so that the time is at
 * most the product of both lengths.
 */
function fits(
  items: ArrayLike<string>,
  parts: ArrayLike<string>,
  wildcard: string,
  fitsOne: (item: string, part: string) => boolean,
): boolean {
  let part = 0;
  let lastWildcard = -1;
  let resume = 0;
  for (let item = 0; item < items.length;) {
    if (parts[part] === wildcard) {
      lastWildcard = part;
      resume = item;
      part += 1;
    } else if (part < parts.length && fitsOne(items[item] ?? '', parts[part] ?? '')) {
      item += 1;
      part += 1;
    } else if (lastWildcard >= 0) {
      part = lastWildcard + 1;
      resume += 1;
      item = resume;
    } else {
      return false;
    }
  }
  while (parts[part] === wildcard) part += 1;
  return part === parts.length;
}
