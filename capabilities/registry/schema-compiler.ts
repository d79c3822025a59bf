/**
 * Compiles the JSON Schemas of definitions. They come from packs, so they are bounded, may refer to nothing outside
 * themselves, and their patterns run in linear time.
 */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import type {
  CompiledSchema,
  InputProblem,
  Result,
  SchemaCompiler as SchemaCompilerContract,
  SchemaProblem,
} from '../models';
import { compilePattern } from './linear-pattern';
import { checkSubSchemas, dialectOf, schemaError } from './schema-checks';
import type { SchemaDialect } from './schema-checks';
import { applySchemaDefaults } from './schema-defaults';
import { isWithinEffort } from './schema-effort';
import {
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_NODES,
  collectSubSchemas,
  isObject,
  isWithinLimits,
  pointerStep,
} from './schema-walker';
import type { SchemaObject } from './schema-walker';
import { asSentence, interpretErrors } from './validation-findings';
import type { ValidationFinding } from './validation-findings';

/** Levels and values of data that are checked. */
const MAX_DATA_DEPTH = 64;
const MAX_DATA_NODES = 100_000;
/** Problems that one validation reports, and raw errors they are made of. */
const MAX_PROBLEMS = 20;
const MAX_ERRORS = 1000;

/** Compiles and caches by the schema object; a schema that is no longer used is forgotten. */
export class SchemaCompiler implements SchemaCompilerContract {
  readonly #compiled = new WeakMap<object, Result<CompiledSchema, readonly SchemaProblem[]>>();
  readonly #engines = new Map<SchemaDialect, SchemaEngine>();

  compile(schema: object): Result<CompiledSchema, readonly SchemaProblem[]> {
    const known = this.#compiled.get(schema);
    if (known) return known;
    const errors = this.check(schema).filter(({ severity }) => severity === 'error');
    const result = errors.length > 0 ? { ok: false as const, problem: errors } : this.#build(schema as SchemaObject);
    this.#compiled.set(schema, result);
    return result;
  }

  /** Everything wrong with a schema, warnings included, without compiling it: cheap enough for every definition. */
  check(schema: object): readonly SchemaProblem[] {
    if (!isObject(schema)) return [schemaError('', 'A schema must be a map.')];
    if (!isWithinLimits(schema, MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES)) {
      const message = `The schema is too large: at most ${MAX_SCHEMA_DEPTH} levels and ${MAX_SCHEMA_NODES} values.`;
      return [schemaError('', message)];
    }
    const dialect = dialectOf(schema);
    if (!dialect) {
      const message = 'Only draft-07 (the default) and `https://json-schema.org/draft/2020-12/schema` are supported.';
      return [schemaError('/$schema', message)];
    }
    const structure = this.#checkAgainstMetaSchema(schema, dialect);
    // The other checks rely on keywords having the right kind of value.
    return structure.length > 0 ? structure : checkSubSchemas(schema, dialect);
  }

  #checkAgainstMetaSchema(schema: SchemaObject, dialect: SchemaDialect): readonly SchemaProblem[] {
    const engine = this.#engine(dialect);
    if (engine.validateSchema(withoutIdentity(schema)) === true) return [];
    const findings = interpretErrors(engine.errors ?? [], schema, () => []);
    return findings.map((finding) =>
      schemaError(toPointer(finding.path), asSentence(`${quotePlace(finding)} ${finding.message}`)),
    );
  }

  #build(schema: SchemaObject): Result<CompiledSchema, readonly SchemaProblem[]> {
    const engine = this.#engine(dialectOf(schema) ?? 'draft-07');
    const own = withoutIdentity(schema);
    try {
      const validator = engine.compile(own);
      const all = collectSubSchemas(schema);
      const isBounded = (value: unknown): boolean =>
        isWithinLimits(value, MAX_DATA_DEPTH, MAX_DATA_NODES) && isWithinEffort(all, value);
      return {
        ok: true,
        value: {
          validate: (value) => (isBounded(value) ? runValidator(validator, value) : describeExcess(value)),
          // What is too much to be checked is refused; its defaults do not matter.
          applyDefaults: (value) => (isBounded(value) ? applySchemaDefaults(schema, value) : value),
        },
      };
    } catch (error) {
      // Whatever the checks let through that the compiler still refuses.
      const message = `The schema can't be compiled: ${error instanceof Error ? error.message : String(error)}.`;
      return { ok: false, problem: [schemaError('', message)] };
    } finally {
      // The engine's own cache would keep every schema that was ever seen.
      engine.removeSchema(own);
    }
  }

  #engine(dialect: SchemaDialect): SchemaEngine {
    const known = this.#engines.get(dialect);
    if (known) return known;
    const engine = dialect === 'draft-07' ? new Ajv(ENGINE_OPTIONS) : new Ajv2020(ENGINE_OPTIONS);
    this.#engines.set(dialect, engine);
    return engine;
  }
}

/** What the two dialects' engines have in common. */
type SchemaEngine = Ajv | Ajv2020;

const linearPatterns = Object.assign(
  (pattern: string) => {
    const compiled = compilePattern(pattern);
    // The schemas that get here were checked; the meta-schemas hold nothing unusual.
    if (!compiled.ok) throw new Error(compiled.problem);
    return compiled.value;
  },
  // Ajv writes this text into standalone code only, which is never made here.
  { code: 'compilePattern' },
);

const ENGINE_OPTIONS: Options = {
  allErrors: true,
  verbose: true,
  strict: false,
  ownProperties: true,
  validateFormats: false,
  logger: false,
  code: { regExp: linearPatterns },
};

/** A copy without `$id`: it has no meaning here, and two schemas may carry the same. */
function withoutIdentity(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$id'));
}

function describeExcess(value: unknown): readonly InputProblem[] {
  const message = isWithinLimits(value, MAX_DATA_DEPTH, MAX_DATA_NODES)
    ? 'takes too many steps to be checked against this schema: less data is needed, or a simpler schema'
    : `is too large: at most ${MAX_DATA_DEPTH} levels and ${MAX_DATA_NODES} values are accepted`;
  return [{ pointer: '', message }];
}

function runValidator(validator: ValidateFunction, value: unknown): readonly InputProblem[] {
  try {
    if (validator(value)) return [];
  } catch (error) {
    // A schema that refers to itself can need more stack than there is.
    if (error instanceof RangeError) return [{ pointer: '', message: 'is too deep to be checked against this schema' }];
    throw error;
  }
  const findings = interpretErrors((validator.errors ?? []).slice(0, MAX_ERRORS), value, declaredProperties);
  return findings.slice(0, MAX_PROBLEMS).map(toProblem);
}

function declaredProperties(error: ErrorObject): readonly string[] {
  const properties: unknown = error.parentSchema?.['properties'];
  return isObject(properties) ? Object.keys(properties) : [];
}

function toProblem({ path, key, kind, message }: ValidationFinding): InputProblem {
  const place = key !== undefined && kind !== 'missing-key' ? [...path, key] : path;
  return { pointer: toPointer(place), message };
}

function toPointer(path: readonly (string | number)[]): string {
  return path.map(pointerStep).join('');
}

function quotePlace({ path }: ValidationFinding): string {
  const last = path.at(-1);
  return last === undefined ? 'The schema' : `\`${last}\``;
}
