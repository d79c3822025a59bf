import domains from './foreign-domains.json';
import type { PlainDataset } from './plain-dataset';
import { familyOf, groupOf } from './set-groups';

/** Goals of one set put to the tools of another that is about other things: nothing there serves them. */
export interface ForeignPair {
  readonly queries: PlainDataset;
  readonly tools: PlainDataset;
}

const DOMAINS: Readonly<Record<string, string>> = domains;

/** What a set is about. One that is not known is about its own things. */
function domainOf(name: string): string {
  const family = familyOf(name);
  return Object.hasOwn(DOMAINS, family) ? (DOMAINS[family] ?? family) : family;
}

/**
 * For each set the foreign one, of the same languages and about other things, whose texts share the fewest words with its own. Collections
 * of everyday services serve each other's goals, so they count as one domain. Sets without such a partner are left out.
 */
export function foreignPairs(sets: readonly PlainDataset[]): readonly ForeignPair[] {
  const words = new Map(sets.map((set) => [set, wordsOf(set)]));
  const shared = (one: PlainDataset, other: PlainDataset): number => {
    const own = words.get(one);
    const others = words.get(other);
    if (!own || !others) return 0;
    const common = [...own].filter((word) => others.has(word)).length;
    return common / Math.max(1, Math.min(own.size, others.size));
  };
  return sets.flatMap((queries) => {
    const foreign = sets.filter((tools) => isForeign(queries.name, tools.name));
    const ranked = foreign.map((tools) => ({ tools, share: shared(queries, tools) }));
    const [least] = ranked.sort(
      (one, other) => one.share - other.share || (one.tools.name < other.tools.name ? -1 : 1),
    );
    return least === undefined ? [] : [{ queries, tools: least.tools }];
  });
}

/** Whether goals of one set are foreign to the tools of another. */
export function isForeign(name: string, other: string): boolean {
  return groupOf(name) === groupOf(other) && domainOf(name) !== domainOf(other);
}

function wordsOf({ tools }: PlainDataset): ReadonlySet<string> {
  const texts = tools.map(({ name, description }) => `${name} ${description}`.toLowerCase());
  return new Set(texts.flatMap((text) => text.split(/[^\p{L}]+/u)).filter((word) => word !== ''));
}
