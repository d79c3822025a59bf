import type { ActionResource, CompiledSchema, Result, SchemaCompiler } from '../models';
import { findUncleanArguments } from './argument-hygiene';
import { unwrapArguments } from './argument-unwrapping';
import { correctedExample } from './corrected-example';
import { isObject } from './option-guard';
import { brokenDefinition, invalidArguments, type ArgumentsHelp } from './problems';

/** Normalises and checks arguments. Never changes what it is given. */
export class ArgumentValidator {
  readonly #compiler: SchemaCompiler;

  constructor(compiler: SchemaCompiler) {
    this.#compiler = compiler;
  }

  /** Unwraps, applies defaults, validates. Fails with `invalid_arguments`, or `execution_failed` for a schema that is broken. */
  validate(resource: ActionResource, raw: unknown): Result<Readonly<Record<string, unknown>>> {
    const compiled = this.#compile(resource);
    if (!compiled.ok) return compiled;
    const value = unwrapArguments(raw, resource.definition.arguments_schema);
    const unclean = findUncleanArguments(value);
    if (unclean.length > 0) return { ok: false, problem: invalidArguments(resource.id, unclean) };
    const complete = compiled.value.applyDefaults(value);
    const problems = compiled.value.validate(complete);
    if (problems.length > 0) return { ok: false, problem: invalidArguments(resource.id, problems) };
    if (isObject(complete)) return { ok: true, value: complete };
    const notAnObject = [{ pointer: '', message: 'must be an object' }];
    return { ok: false, problem: invalidArguments(resource.id, notAnObject) };
  }

  /** Schema and corrected example, for a caller who may read the contract. */
  help(resource: ActionResource, raw: unknown): ArgumentsHelp {
    const { definition } = resource;
    const compiled = this.#compile(resource);
    const sent = unwrapArguments(raw, definition.arguments_schema);
    const isUsable = compiled.ok && findUncleanArguments(sent).length === 0;
    const example = isUsable ? correctedExample(definition, compiled.value, sent) : undefined;
    return {
      arguments_schema: definition.arguments_schema,
      ...(example === undefined ? {} : { corrected_example: example }),
    };
  }

  /** Checks a run's output. Fails with the first difference, in words. */
  checkOutput(schema: object, output: unknown): string | undefined {
    const compiled = this.#compiler.compile(schema);
    if (!compiled.ok) return 'its output_schema is not valid';
    const first = compiled.value.validate(output)[0];
    return first === undefined ? undefined : `${first.pointer === '' ? 'the output' : first.pointer} ${first.message}`;
  }

  #compile(resource: ActionResource): Result<CompiledSchema> {
    const compiled = this.#compiler.compile(resource.definition.arguments_schema);
    if (compiled.ok) return compiled;
    const reason = `its arguments_schema is not valid: ${compiled.problem[0]?.message ?? 'unknown'}`;
    return { ok: false, problem: brokenDefinition(resource.id, reason) };
  }
}
