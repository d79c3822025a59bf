import { valueAt, scalarText } from '../outline/outline-queries';
import type { OutlineMap, OutlinePath, OutlineValue } from '../outline/outline-model';
import { asSchema, listOf, ownValue, recordOf, textOf, textsOf } from './json-schema';
import type { JsonSchema, LocatedSchema } from './json-schema';

/** One way a value may look: a schema with its references, `allOf` and one branch of each `oneOf`/`anyOf` merged. */
export interface SchemaView {
  /** Titles of the merged schemas, outermost first. `ResourceReference` and the like say what a text means. */
  readonly titles: readonly string[];
  /** The outermost description. */
  readonly description: string | undefined;
  readonly types: readonly string[];
  readonly properties: ReadonlyMap<string, LocatedSchema>;
  readonly required: readonly string[];
  readonly items: LocatedSchema | undefined;
  readonly additional: LocatedSchema | undefined;
  /** Allowed values (`enum`, `const`). */
  readonly values: readonly unknown[];
  /** Description of the very schema that lists the values. */
  readonly valueDescription: string | undefined;
  /** Values worth offering though others are allowed (`examples`). */
  readonly examples: readonly unknown[];
  readonly minimum: number | undefined;
}

/** Outline and text that alternatives are chosen by. */
export interface WrittenValue {
  readonly text: string;
  readonly value: OutlineValue;
}

/** Schemas read for one value, at most: a schema that refers to itself many times must not stop the editor. */
const MOST_SCHEMAS = 256;
const MOST_VIEWS = 64;
const MOST_CHILDREN = 16;

/** Walks schemas along the paths of a document. */
export class SchemaWalker {
  readonly #documents: ReadonlyMap<string, JsonSchema>;

  /** `documents`: schemas by `$id`, for references that name a file. */
  constructor(documents: ReadonlyMap<string, JsonSchema>) {
    this.#documents = documents;
  }

  /** The views of the value at a path; of alternatives, those that fit what is written beside it. */
  viewsAt(start: LocatedSchema, path: OutlinePath, written: WrittenValue): readonly SchemaView[] {
    let views = this.expand(start);
    for (const [depth, step] of path.entries()) {
      const value = valueAt(written.value, path.slice(0, depth));
      const fitting = value?.kind === 'map' ? fitTo(views, value, { text: written.text, exceptKey: step }) : views;
      views = fitting
        .flatMap((view) => childrenOf(view, step))
        .slice(0, MOST_CHILDREN)
        .flatMap((child) => this.expand(child));
    }
    return views;
  }

  /** Every way a schema's value may look. */
  expand(located: LocatedSchema, budget = { left: MOST_SCHEMAS }): readonly SchemaView[] {
    if (budget.left-- <= 0) return [viewOf(located)];
    const { schema, root } = located;
    let views: readonly SchemaView[] = [viewOf(located)];
    const reference = textOf(schema, '$ref');
    const target = reference === undefined ? undefined : this.#resolve(reference, root);
    const parts = listOf(schema, 'allOf').map((part) => ({ schema: asSchema(part), root }));
    for (const part of target === undefined ? parts : [target, ...parts]) {
      views = combineAll(views, this.expand(part, budget));
    }
    for (const keyword of ['oneOf', 'anyOf']) {
      const branches = listOf(schema, keyword).map((branch) => ({ schema: asSchema(branch), root }));
      if (branches.length === 0) continue;
      views = combineAll(
        views,
        branches.flatMap((branch) => this.expand(branch, budget)),
      );
    }
    return views;
  }

  #resolve(reference: string, root: JsonSchema): LocatedSchema | undefined {
    const [file = '', pointer = ''] = reference.split('#');
    const document = file === '' ? root : this.#documents.get(file);
    if (document === undefined) return undefined;
    let schema: JsonSchema = document;
    for (const segment of pointer.split('/').slice(1)) {
      schema = asSchema(ownValue(schema, segment.replaceAll('~1', '/').replaceAll('~0', '~')));
    }
    return { schema, root: document };
  }
}

/** Of alternatives, those whose fixed values agree with the scalars of a mapping; all, when none does. */
export function fitTo(
  views: readonly SchemaView[],
  map: OutlineMap,
  written: { readonly text: string; readonly exceptKey?: string | number },
): readonly SchemaView[] {
  if (views.length < 2) return views;
  const fitting = views.filter((view) =>
    map.entries.every((entry) => {
      if (entry.key === written.exceptKey || entry.value.kind !== 'scalar') return true;
      const fixed = fixedValues(view.properties.get(entry.key));
      return fixed.length === 0 || fixed.includes(scalarText(written.text, entry.value));
    }),
  );
  return fitting.length > 0 ? fitting : views;
}

function fixedValues(property: LocatedSchema | undefined): readonly unknown[] {
  return property === undefined ? [] : [...listOf(property.schema, 'const'), ...listOf(property.schema, 'enum')];
}

function childrenOf(view: SchemaView, step: string | number): LocatedSchema[] {
  const child = typeof step === 'number' ? view.items : (view.properties.get(step) ?? view.additional);
  return child === undefined ? [] : [child];
}

function viewOf({ schema, root }: LocatedSchema): SchemaView {
  const properties = Object.entries(recordOf(schema, 'properties') ?? {});
  const items = recordOf(schema, 'items');
  const additional = recordOf(schema, 'additionalProperties');
  const minimum = ownValue(schema, 'minimum');
  const values = [...listOf(schema, 'const'), ...listOf(schema, 'enum')];
  return {
    titles: textsOf(schema, 'title'),
    description: textOf(schema, 'description'),
    types: textsOf(schema, 'type'),
    properties: new Map(properties.map(([name, property]) => [name, { schema: asSchema(property), root }])),
    required: textsOf(schema, 'required'),
    items: items === undefined ? undefined : { schema: items, root },
    additional: additional === undefined ? undefined : { schema: additional, root },
    values,
    valueDescription: values.length > 0 ? textOf(schema, 'description') : undefined,
    examples: listOf(schema, 'examples'),
    minimum: typeof minimum === 'number' ? minimum : undefined,
  };
}

function combineAll(outer: readonly SchemaView[], inner: readonly SchemaView[]): readonly SchemaView[] {
  return outer.flatMap((first) => inner.map((second) => combine(first, second))).slice(0, MOST_VIEWS);
}

function combine(outer: SchemaView, inner: SchemaView): SchemaView {
  const listing = outer.values.length > 0 ? outer : inner;
  return {
    titles: [...outer.titles, ...inner.titles],
    description: outer.description ?? inner.description,
    types: outer.types.length > 0 ? outer.types : inner.types,
    properties: new Map([...inner.properties, ...outer.properties]),
    required: [...outer.required, ...inner.required],
    items: outer.items ?? inner.items,
    additional: outer.additional ?? inner.additional,
    values: listing.values,
    valueDescription: listing.valueDescription,
    examples: [...outer.examples, ...inner.examples],
    minimum: outer.minimum ?? inner.minimum,
  };
}
