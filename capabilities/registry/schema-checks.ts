/** What a JSON Schema of a definition may not hold, found without compiling it. */
import type { SchemaProblem } from '../models';
import { compilePattern } from './linear-pattern';
import { findNearestNames } from './nearest-names';
import { KNOWN_KEYWORDS, NEW_KEYWORDS, REFUSED_KEYWORDS } from './schema-keywords';
import { collectSubSchemas, isObject, localReference, pointerStep } from './schema-walker';
import type { SchemaObject, SubSchema } from './schema-walker';

/** Versions of JSON Schema that are read. */
export type SchemaDialect = 'draft-07' | '2020-12';

/** The dialect `$schema` names; draft-07 when it is left out; undefined for any other. */
export function dialectOf(schema: SchemaObject): SchemaDialect | undefined {
  const named = schema['$schema'];
  if (named === undefined) return 'draft-07';
  if (typeof named !== 'string') return undefined;
  if (/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test(named)) return 'draft-07';
  return /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(named) ? '2020-12' : undefined;
}

/** Checks every schema inside a schema that is within the limits. */
export function checkSubSchemas(root: SchemaObject, dialect: SchemaDialect): readonly SchemaProblem[] {
  const all = collectSubSchemas(root);
  const problems: SchemaProblem[] = [];
  for (const sub of all.values()) {
    problems.push(
      ...checkKeywords(sub, dialect),
      ...checkPatterns(sub),
      ...checkReference(sub, all),
      ...checkItems(sub),
    );
  }
  const loop = findLoop(all);
  if (loop !== undefined) {
    const message =
      'This `$ref` leads back to itself without taking a step into the value, so that checking never ends.';
    problems.push(schemaError(loop, message));
  }
  return problems;
}

/** A problem that keeps a schema from being used. */
export function schemaError(pointer: string, message: string): SchemaProblem {
  return { code: 'invalid-schema', severity: 'error', pointer, about: 'value', message };
}

function schemaWarning(pointer: string, message: string): SchemaProblem {
  return { code: 'invalid-schema', severity: 'warning', pointer, about: 'value', message };
}

function checkKeywords(sub: SubSchema, dialect: SchemaDialect): readonly SchemaProblem[] {
  return findKeywordProblems(sub, dialect).map((problem) => ({ ...problem, about: 'keyword' }));
}

function findKeywordProblems({ pointer, schema }: SubSchema, dialect: SchemaDialect): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const keyword of Object.keys(schema)) {
    const place = pointer + pointerStep(keyword);
    if (REFUSED_KEYWORDS.has(keyword) || (keyword === '$id' && pointer !== '')) {
      problems.push(
        schemaError(
          place,
          `\`${keyword}\` is not supported. Refer to a part of this schema with \`$ref: "#/definitions/…"\`.`,
        ),
      );
    } else if (NEW_KEYWORDS.has(keyword) && dialect === 'draft-07') {
      const advice = 'Add `$schema: https://json-schema.org/draft/2020-12/schema` to the top of the schema.';
      problems.push(schemaWarning(place, `\`${keyword}\` is ignored: draft-07 does not have it. ${advice}`));
    } else if (!KNOWN_KEYWORDS.has(keyword) && !keyword.startsWith('x-')) {
      const suggestion = findNearestNames(keyword, KNOWN_KEYWORDS, 1)[0];
      const advice = suggestion === undefined ? 'It is ignored.' : `Did you mean \`${suggestion}\`?`;
      problems.push(schemaWarning(place, `\`${keyword}\` is not a keyword of JSON Schema. ${advice}`));
    }
  }
  return problems;
}

function checkPatterns({ pointer, schema }: SubSchema): readonly SchemaProblem[] {
  const patterns: { pattern: string; place: string }[] = [];
  const { pattern, patternProperties } = schema as { pattern?: unknown; patternProperties?: unknown };
  if (typeof pattern === 'string') patterns.push({ pattern, place: `${pointer}/pattern` });
  if (isObject(patternProperties)) {
    for (const key of Object.keys(patternProperties)) {
      patterns.push({ pattern: key, place: `${pointer}/patternProperties${pointerStep(key)}` });
    }
  }
  return patterns.flatMap((entry) => {
    const compiled = compilePattern(entry.pattern);
    if (compiled.ok) return [];
    return [
      {
        code: 'unsupported-pattern' as const,
        severity: 'error' as const,
        about: 'value' as const,
        pointer: entry.place,
        message: compiled.problem,
      },
    ];
  });
}

function checkReference({ pointer, schema }: SubSchema, all: ReadonlyMap<string, SubSchema>): readonly SchemaProblem[] {
  const reference = schema['$ref'];
  if (reference === undefined) return [];
  const place = `${pointer}/$ref`;
  const target = localReference(reference);
  if (target === undefined) {
    const message =
      'A `$ref` may only lead to a part of this schema (`#/definitions/…` or `#/$defs/…`). Nothing is fetched or read from elsewhere.';
    return [schemaError(place, message)];
  }
  return all.has(target) ? [] : [schemaError(place, `\`#${target}\` does not lead to a schema in here.`)];
}

/** Tools that pass schemas on refuse a list that does not say what it holds. */
function checkItems({ pointer, schema }: SubSchema): readonly SchemaProblem[] {
  const type = schema['type'];
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  if (!isList || schema['items'] !== undefined || schema['prefixItems'] !== undefined) return [];
  const message =
    'This list does not say what it holds. Add `items`, for example `items: {type: string}`: some models refuse a tool without it.';
  return [schemaWarning(`${pointer}/type`, message)];
}

/** Pointer of a schema that applies to the same value again, through `$ref`, `allOf` and the like. */
function findLoop(all: ReadonlyMap<string, SubSchema>): string | undefined {
  const state = new Map<string, 'open' | 'done'>();
  for (const start of all.keys()) {
    const stack = [start];
    for (let pointer = stack.at(-1); pointer !== undefined; pointer = stack.at(-1)) {
      if (state.has(pointer)) {
        state.set(pointer, 'done');
        stack.pop();
        continue;
      }
      state.set(pointer, 'open');
      for (const next of nextInPlace(all.get(pointer))) {
        if (state.get(next) === 'open') return pointer;
        if (!state.has(next)) stack.push(next);
      }
    }
  }
  return undefined;
}

function nextInPlace(sub: SubSchema | undefined): readonly string[] {
  if (!sub) return [];
  const target = localReference(sub.schema['$ref']);
  return target === undefined ? sub.inPlace : [...sub.inPlace, target];
}
