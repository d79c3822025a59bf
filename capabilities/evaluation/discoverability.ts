import type { Resource } from '../models';

/** Metadata by which a resource wants to be found. */
export type DiscoveryField = 'aliases' | 'symptoms' | 'when_to_use';

/** One line of it. */
export interface DiscoveryLine {
  readonly field: DiscoveryField;
  /** Place in the field's list. */
  readonly index: number;
  readonly text: string;
}

/** A line that does not do its work, and who is in its way, best placed first. */
export interface DiscoverabilityFinding {
  readonly code: 'hard-to-find' | 'shared-alias';
  readonly line: DiscoveryLine;
  readonly rivals: readonly Resource[];
}

/** Runs one search and gives what it found, best first. */
export type DiscoverySearch = (query: string) => Promise<readonly Resource[]>;

const FIELDS: readonly DiscoveryField[] = ['aliases', 'symptoms', 'when_to_use'];
/** Results that an agent can be expected to look at. */
const RESULTS_SEEN = 3;

/** The lines by which an enabled action or recipe wants to be found; a pack is found through what it holds. */
export function discoveryLines({ type, enabled, definition }: Resource): readonly DiscoveryLine[] {
  if (type === 'pack' || !enabled) return [];
  return FIELDS.flatMap((field) => (definition[field] ?? []).map((text, index) => ({ field, index, text })));
}

/** Every alias that several actions or recipes claim, by its text as {@link aliasKey} writes it. */
export function sharedAliases(resources: readonly Resource[]): ReadonlyMap<string, readonly Resource[]> {
  const owners = new Map<string, Resource[]>();
  for (const resource of resources) {
    const aliases = discoveryLines(resource).filter(({ field }) => field === 'aliases');
    for (const key of new Set(aliases.map(({ text }) => aliasKey(text)))) {
      owners.set(key, [...(owners.get(key) ?? []), resource]);
    }
  }
  return new Map([...owners].filter(([, claiming]) => claiming.length > 1));
}

/** What makes two aliases the same to somebody who types them. */
export function aliasKey(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/gu, ' ');
}

/**
 * Asks the search for every line of a resource (§11, "discoverability"): a line that does not bring it into the first three results, and an
 * alias that others claim as well, is a finding. `shared` comes from {@link sharedAliases}.
 */
export async function checkDiscoverability(
  resource: Resource,
  shared: ReadonlyMap<string, readonly Resource[]>,
  search: DiscoverySearch,
): Promise<readonly DiscoverabilityFinding[]> {
  const findings: DiscoverabilityFinding[] = [];
  for (const line of discoveryLines(resource)) {
    const claiming = line.field === 'aliases' ? shared.get(aliasKey(line.text)) : undefined;
    const others = (claiming ?? []).filter(({ key }) => key !== resource.key);
    if (others.length > 0) {
      findings.push({ code: 'shared-alias', line, rivals: others });
      continue;
    }
    const results = (await search(line.text)).slice(0, RESULTS_SEEN);
    if (!results.some(({ key }) => key === resource.key))
      findings.push({ code: 'hard-to-find', line, rivals: results });
  }
  return findings;
}
