/** A weight that may be tuned: where it stands in the table of weights, and between which values it makes sense. */
export interface TunableWeight {
  /** Keys joined by dots: `lexical.fields.name.weight`. */
  readonly path: string;
  readonly least: number;
  readonly most: number;
}

/** Other values for some weights, by path. */
export type Overrides = Readonly<Record<string, number>>;

const LEXICAL_FIELDS = ['name', 'title', 'aliases', 'symptoms', 'when_to_use', 'summary', 'detail', 'gloss'] as const;

/** What can be learnt from rankings. Caps, time limits and what stands for a rule (a violation goes last) are left out. */
export const TUNABLE_WEIGHTS: readonly TunableWeight[] = [
  ...LEXICAL_FIELDS.map((field) => ({ path: `lexical.fields.${field}.weight`, least: 0.05, most: 8 })),
  { path: 'lexical.fields.name.lengthShare', least: 0.02, most: 1 },
  { path: 'lexical.fields.summary.lengthShare', least: 0.02, most: 1 },
  { path: 'lexical.fields.detail.lengthShare', least: 0.02, most: 1 },
  { path: 'lexical.expansion', least: 0.05, most: 1 },
  { path: 'lexical.characterGrams', least: 0.02, most: 0.6 },
  { path: 'text.semantic', least: 0.05, most: 1.5 },
  { path: 'metadata.intent', least: 0.1, most: 4 },
  { path: 'metadata.entity', least: 0.1, most: 4 },
  { path: 'metadata.symptom', least: 0.1, most: 6 },
  { path: 'fusion.sources.metadata', least: 0.1, most: 4 },
  { path: 'fusion.sources.lexical', least: 0.1, most: 4 },
  { path: 'fusion.sources.semantic', least: 0.1, most: 4 },
  { path: 'fusion.sources.hierarchy', least: 0.1, most: 2 },
  { path: 'rerank.fusion', least: 0.01, most: 1 },
  { path: 'rerank.text', least: 0.05, most: 1.5 },
  { path: 'rerank.coverage', least: 0.02, most: 1 },
  { path: 'rerank.name', least: 0.01, most: 0.6 },
  { path: 'rerank.nameExponent', least: 1, most: 5 },
  { path: 'rerank.intent', least: 0.02, most: 0.6 },
  { path: 'rerank.relatedIntent', least: 0, most: 0.3 },
  { path: 'rerank.guessedIntentShare', least: 0.02, most: 1 },
  { path: 'rerank.entity', least: 0.02, most: 0.5 },
  { path: 'rerank.symptom', least: 0.02, most: 0.6 },
  { path: 'rerank.whenToUse', least: 0.02, most: 0.5 },
  { path: 'rerank.recipe', least: -0.4, most: 0 },
  { path: 'rerank.pack', least: -0.5, most: 0 },
  { path: 'diversity.overCapShare', least: 0.5, most: 1 },
];

/** The number at a path; undefined when there is none. */
export function weightAt(weights: object, path: string): number | undefined {
  const value = path.split('.').reduce<unknown>((inside, key) => ownValue(inside, key), weights);
  return typeof value === 'number' ? value : undefined;
}

/** The same table with other values in some places. Throws on a path that names no number. */
export function withOverrides<T extends object>(weights: T, overrides: Overrides): T {
  let result = weights;
  for (const [path, value] of Object.entries(overrides)) {
    if (weightAt(weights, path) === undefined) throw new Error(`There is no weight ${path}.`);
    result = replaced(result, path.split('.'), value);
  }
  return result;
}

function ownValue(inside: unknown, key: string): unknown {
  const isObject = typeof inside === 'object' && inside !== null && Object.hasOwn(inside, key);
  return isObject ? (inside as Readonly<Record<string, unknown>>)[key] : undefined;
}

function replaced<T extends object>(inside: T, [key = '', ...rest]: readonly string[], value: number): T {
  const deeper = ownValue(inside, key);
  const isObject = typeof deeper === 'object' && deeper !== null;
  return { ...inside, [key]: rest.length > 0 && isObject ? replaced(deeper, rest, value) : value };
}
