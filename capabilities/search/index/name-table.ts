import type { Resource } from '../../models';
import { unitSurfaces } from '../language/text-units';
import { NumberList } from './number-list';
import { TextHash } from './text-hash';

const KINDS = ['id', 'tail', 'phrase'] as const;

/** One way to call a resource. */
export interface ResourceName {
  readonly resource: Resource;
  /** `id`: the whole id. `tail`: its last one or two segments. `phrase`: title or alias. */
  readonly kind: (typeof KINDS)[number];
}

/** Units of a text, half open, that are the name of resources. */
export interface NameMatch {
  readonly start: number;
  readonly end: number;
  /** In the order of the resources' keys. */
  readonly names: readonly ResourceName[];
}

/** Three numbers for each name: its kind and units (`units << 2 | kind`), and the two halves of its hash. */
export type NameHashes = ArrayLike<number>;

/** The hashes of everything that a resource is called by: ids, the ends of ids, titles and aliases. */
export function hashNames({ id, scope, definition }: Resource): readonly number[] {
  const hash = new TextHash();
  const hashes: number[] = [];
  const add = (kind: number, ...parts: readonly (readonly string[])[]): void => {
    hash.start();
    let length = 0;
    for (const units of parts) {
      for (const unit of units) hash.add(unit);
      length += units.length;
    }
    if (length > 0) hashes.push((length << 2) | kind, hash.first, hash.second);
  };
  // A dot and a colon always part units, so the units of the parts are those of the whole.
  const segments = id.split('.').map(unitSurfaces);
  add(0, ...segments);
  add(0, unitSurfaces(scope.name), ...segments);
  if (segments.length > 1) add(1, ...segments.slice(-1));
  if (segments.length > 2) add(1, ...segments.slice(-2));
  for (const phrase of [definition.title, ...(definition.aliases ?? [])]) add(2, unitSurfaces(phrase));
  return hashes;
}

/** What resources are called by, as a hash table: names come by the ten thousand, and most are never asked for. */
export class NameTable {
  readonly #resources: (Resource | undefined)[] = [];
  readonly #slots = new Map<string, number>();
  readonly #firsts = new NumberList();
  readonly #seconds = new NumberList();
  /** Slot of the resource and kind of the name: `slot << 2 | kind`. */
  readonly #owners = new NumberList();
  /** The next entry of the same bucket plus one; 0 ends the chain. */
  readonly #next = new NumberList();
  readonly #free: number[] = [];
  #buckets = new Uint32Array(1024);
  #longest = 0;
  #names = 0;

  /** Enters a resource that is not in the table. */
  add(resource: Resource): void {
    const hashes = hashNames(resource);
    this.addHashed(resource, hashes, { from: 0, to: hashes.length });
  }

  /** The same with hashes at hand, in a stretch of a longer list. */
  addHashed(
    resource: Resource,
    hashes: NameHashes,
    { from, to }: { readonly from: number; readonly to: number },
  ): void {
    const slot = this.#resources.push(resource) - 1;
    this.#slots.set(resource.key, slot);
    for (let at = from; at < to; at += 3) {
      const kind = hashes[at] ?? 0;
      this.#longest = Math.max(this.#longest, kind >>> 2);
      this.#enter(hashes[at + 1] ?? 0, hashes[at + 2] ?? 0, (slot << 2) | (kind & 3));
    }
  }

  /** Puts a resource of the same names in the place of the one with its key. */
  exchange(resource: Resource): void {
    const slot = this.#slots.get(resource.key);
    if (slot !== undefined) this.#resources[slot] = resource;
  }

  /** Takes a resource out. */
  remove(resource: Resource): void {
    const slot = this.#slots.get(resource.key);
    if (slot === undefined) return;
    const hashes = hashNames(resource);
    for (let at = 0; at < hashes.length; at += 3) {
      this.#leave(hashes[at + 1] ?? 0, (slot << 2) | ((hashes[at] ?? 0) & 3));
    }
    this.#resources[slot] = undefined;
    this.#slots.delete(resource.key);
  }

  /** Leftmost longest names of visible resources, none overlapping another. */
  longestMatches(units: readonly string[], isVisible: (resource: Resource) => boolean): readonly NameMatch[] {
    const found: NameMatch[] = [];
    let position = 0;
    while (position < units.length) {
      const match = this.#longestAt(units, position, isVisible);
      if (match) found.push(match);
      position = match?.end ?? position + 1;
    }
    return found;
  }

  #longestAt(
    units: readonly string[],
    start: number,
    isVisible: (resource: Resource) => boolean,
  ): NameMatch | undefined {
    const hash = new TextHash();
    let best: NameMatch | undefined;
    const last = Math.min(units.length, start + this.#longest);
    for (let end = start + 1; end <= last; end += 1) {
      hash.add(units[end - 1] ?? '');
      const names = this.#namesOf(hash).filter(({ resource }) => isVisible(resource));
      if (names.length > 0) best = { start, end, names };
    }
    return (
      best && { ...best, names: [...best.names].sort((one, other) => compare(one.resource.key, other.resource.key)) }
    );
  }

  #namesOf({ first, second }: TextHash): readonly ResourceName[] {
    let names: ResourceName[] | undefined;
    let entry = this.#buckets[first & (this.#buckets.length - 1)] ?? 0;
    for (; entry !== 0; entry = this.#next.numbers[entry - 1] ?? 0) {
      if (this.#firsts.numbers[entry - 1] !== first || this.#seconds.numbers[entry - 1] !== second) continue;
      const owner = this.#owners.numbers[entry - 1] ?? 0;
      const [resource, kind] = [this.#resources[owner >>> 2], KINDS[owner & 3]];
      if (resource && kind) (names ??= []).push({ resource, kind });
    }
    return names ?? NO_NAMES;
  }

  #enter(first: number, second: number, owner: number): void {
    if (this.#names >= this.#buckets.length) this.#growBuckets();
    const bucket = first & (this.#buckets.length - 1);
    const entry = this.#free.pop() ?? this.#newEntry();
    this.#firsts.numbers[entry] = first;
    this.#seconds.numbers[entry] = second;
    this.#owners.numbers[entry] = owner;
    this.#next.numbers[entry] = this.#buckets[bucket] ?? 0;
    this.#buckets[bucket] = entry + 1;
    this.#names += 1;
  }

  #newEntry(): number {
    for (const list of [this.#firsts, this.#seconds, this.#owners, this.#next]) list.push(0);
    return this.#next.length - 1;
  }

  #leave(first: number, owner: number): void {
    const bucket = first & (this.#buckets.length - 1);
    let before: number | undefined;
    for (let entry = this.#buckets[bucket] ?? 0; entry !== 0; entry = this.#next.numbers[entry - 1] ?? 0) {
      if (this.#firsts.numbers[entry - 1] === first && this.#owners.numbers[entry - 1] === owner) {
        const after = this.#next.numbers[entry - 1] ?? 0;
        if (before === undefined) this.#buckets[bucket] = after;
        else this.#next.numbers[before - 1] = after;
        this.#free.push(entry - 1);
        this.#names -= 1;
        return;
      }
      before = entry;
    }
  }

  #growBuckets(): void {
    const free = new Set(this.#free);
    this.#buckets = new Uint32Array(this.#buckets.length * 4);
    for (let entry = 0; entry < this.#next.length; entry += 1) {
      if (free.has(entry)) continue;
      const bucket = (this.#firsts.numbers[entry] ?? 0) & (this.#buckets.length - 1);
      this.#next.numbers[entry] = this.#buckets[bucket] ?? 0;
      this.#buckets[bucket] = entry + 1;
    }
  }
}

const NO_NAMES: readonly ResourceName[] = [];

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
