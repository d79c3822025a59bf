/**
 * Bounds the work of one validation. A small schema can ask for an endless one: sub-schemas that refer to each other twice
 * double the work with every level. The validator can't be stopped, so the steps are counted before it starts.
 */
import { isObject, localReference, pointerStep } from './schema-walker';
import type { SubSchema } from './schema-walker';

/** Applications of a sub-schema to a value: far more than an honest call needs, and done in a moment. */
const MAX_STEPS = 300_000;

type SubSchemas = ReadonlyMap<string, SubSchema>;

interface Application {
  readonly pointer: string;
  readonly value: unknown;
}

/** Whether checking the value takes a bounded number of steps. Counts too much rather than too little. */
export function isWithinEffort(all: SubSchemas, value: unknown): boolean {
  const pending: Application[] = [{ pointer: '', value }];
  let steps = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const sub = all.get(next.pointer);
    if (!sub) continue;
    steps += 1 + comparisons(sub, next.value);
    if (steps + pending.length > MAX_STEPS) return false;
    const reference = localReference(sub.schema['$ref']);
    if (reference !== undefined) pending.push({ pointer: reference, value: next.value });
    for (const pointer of sub.inPlace) pending.push({ pointer, value: next.value });
    if (typeof next.value === 'object' && next.value !== null) pending.push(...applyInside(sub, next.value, all));
  }
  return true;
}

/** `uniqueItems` compares every item with every other. */
function comparisons({ schema }: SubSchema, value: unknown): number {
  return schema['uniqueItems'] === true && Array.isArray(value) ? (value.length * value.length) / 4 : 0;
}

function applyInside({ pointer, schema }: SubSchema, value: object, all: SubSchemas): readonly Application[] {
  const applications: Application[] = [];
  const apply = (keyword: string, item: unknown): void => {
    if (all.has(pointer + keyword)) applications.push({ pointer: pointer + keyword, value: item });
  };
  const isList = Array.isArray(value);
  const patterns = isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : [];
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    const step = pointerStep(key);
    if (isList) {
      for (const keyword of [
        `/items${step}`,
        `/prefixItems${step}`,
        '/items',
        '/additionalItems',
        '/contains',
        '/unevaluatedItems',
      ])
        apply(keyword, item);
    } else {
      for (const keyword of [`/properties${step}`, '/additionalProperties', '/unevaluatedProperties'])
        apply(keyword, item);
      for (const pattern of patterns) apply(`/patternProperties${pointerStep(pattern)}`, item);
      apply('/propertyNames', key);
    }
  }
  return applications;
}
