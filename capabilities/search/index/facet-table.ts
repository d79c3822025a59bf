import type { ResourceProfile } from '../resource-profile';

/** A structured property by its canonical value. */
export interface Facet {
  readonly kind: 'intent' | 'entity' | 'symptom';
  readonly value: string;
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** Which resources declare an intent, entity or symptom. */
export class FacetTable {
  readonly #keys = new Map<string, Set<string>>();

  /** Keys of the resources that have the property, in no particular order. */
  keysWith(facet: Facet): ReadonlySet<string> {
    return this.#keys.get(nameOf(facet)) ?? NO_KEYS;
  }

  /** Enters what a resource declares. */
  add(key: string, profile: ResourceProfile): void {
    for (const facet of facetsOf(profile)) {
      const name = nameOf(facet);
      const keys = this.#keys.get(name);
      if (keys) keys.add(key);
      else this.#keys.set(name, new Set([key]));
    }
  }

  /** Takes back what {@link add} entered. */
  remove(key: string, profile: ResourceProfile): void {
    for (const facet of facetsOf(profile)) {
      const name = nameOf(facet);
      const keys = this.#keys.get(name);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(name);
    }
  }
}

function nameOf({ kind, value }: Facet): string {
  return `${kind}:${value}`;
}

function facetsOf(profile: ResourceProfile): readonly Facet[] {
  const facets = (kind: Facet['kind'], values: Iterable<string>): readonly Facet[] =>
    Array.from(values, (value) => ({ kind, value }));
  return [
    ...facets('intent', profile.declaresIntents ? profile.intents : []),
    ...facets('entity', profile.entities.keys()),
    ...facets('symptom', profile.symptoms.keys()),
  ];
}
