/** Visits the schemas inside a JSON Schema, without recursion and within limits. */
import { IN_PLACE_KEYWORDS, LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS } from './schema-keywords';

/** A schema's keywords. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema inside a schema. */
export interface SubSchema {
  readonly pointer: string;
  readonly schema: SchemaObject;
  /** Pointers of the schemas that apply to the same value, `$ref` not included. */
  readonly inPlace: readonly string[];
}

/** Levels and values a schema may have in all. */
export const MAX_SCHEMA_DEPTH = 64;
export const MAX_SCHEMA_NODES = 10_000;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Measures JSON without recursion; stops at the limits, so that it ends for any value, even one that holds itself. */
export function isWithinLimits(value: unknown, maxDepth: number, maxNodes: number): boolean {
  const pending: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let nodes = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    nodes += 1;
    if (next.depth > maxDepth || nodes > maxNodes) return false;
    if (typeof next.value !== 'object' || next.value === null) continue;
    const items: readonly unknown[] = Object.values(next.value);
    if (nodes + pending.length + items.length > maxNodes) return false;
    for (const item of items) pending.push({ value: item, depth: next.depth + 1 });
  }
  return true;
}

/** One step of a JSON Pointer. */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Every schema object reachable by keywords that hold schemas, by pointer, parents first. The schema must be within the limits. */
export function collectSubSchemas(root: SchemaObject): ReadonlyMap<string, SubSchema> {
  const found = new Map<string, SubSchema>();
  const pending: { pointer: string; schema: SchemaObject }[] = [{ pointer: '', schema: root }];
  for (let next = pending.shift(); next; next = pending.shift()) {
    const inPlace: string[] = [];
    for (const child of childrenOf(next.schema)) {
      const pointer = next.pointer + child.pointer;
      if (IN_PLACE_KEYWORDS.has(child.keyword)) inPlace.push(pointer);
      pending.push({ pointer, schema: child.schema });
    }
    found.set(next.pointer, { ...next, inPlace });
  }
  return found;
}

interface Child {
  readonly keyword: string;
  readonly pointer: string;
  readonly schema: SchemaObject;
}

function childrenOf(schema: SchemaObject): readonly Child[] {
  const children: Child[] = [];
  const add = (keyword: string, pointer: string, value: unknown): void => {
    if (isObject(value)) children.push({ keyword, pointer, schema: value });
  };
  for (const [keyword, value] of Object.entries(schema)) {
    const step = pointerStep(keyword);
    if (Array.isArray(value)) {
      for (const [index, item] of LIST_KEYWORDS.has(keyword) ? value.entries() : [])
        add(keyword, step + pointerStep(index), item);
    } else if (MAP_KEYWORDS.has(keyword)) {
      if (isObject(value)) for (const [key, item] of Object.entries(value)) add(keyword, step + pointerStep(key), item);
    } else if (SCHEMA_KEYWORDS.has(keyword)) {
      add(keyword, step, value);
    }
  }
  return children;
}

/** Pointer a local `$ref` leads to (`#/definitions/x` → `/definitions/x`), or undefined for any other reference. */
export function localReference(reference: unknown): string | undefined {
  if (typeof reference !== 'string') return undefined;
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}
