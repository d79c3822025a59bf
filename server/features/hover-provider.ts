import type { Hover } from 'vscode-languageserver';
import type { RegistryView, Resource, Span } from '../../capabilities/models';
import { documentContextAt } from './document-context';
import type { FileKind } from './document-context';
import { describeResource, markdown } from './markdown-text';
import type { OutlinePath } from './outline/outline-model';
import { placeAt, scalarText } from './outline/outline-queries';
import { PositionIndex } from './position';
import { referenceAt } from './reference-at';
import type { SchemaView } from './schema/schema-walker';
import { viewsAt } from './schema/value-views';

/** What a feature that looks at one place works from. */
export interface PlaceInput {
  readonly text: string;
  /** UTF-16 offset. */
  readonly offset: number;
  readonly registry: RegistryView;
  /** What the file holds; definitions when left out. */
  readonly kind?: FileKind;
}

/** Documentation of the key, the allowed value or the referenced resource at a place. */
export function provideHover(input: PlaceInput): Hover | undefined {
  const found =
    (input.kind === 'definitions' || input.kind === undefined ? resourceHover(input) : undefined) ?? schemaHover(input);
  if (found === undefined) return undefined;
  return { contents: markdown(found.text), range: new PositionIndex(input.text).rangeOf(found.span) };
}

interface HoverText {
  readonly text: string;
  readonly span: Span;
}

function resourceHover({ text, offset, registry }: PlaceInput): HoverText | undefined {
  const reference = referenceAt(text, offset, registry);
  if (reference === undefined) return undefined;
  const { lookup, span } = reference;
  const keys = lookup.kind === 'found' ? [lookup.resource.key] : lookup.kind === 'ambiguous' ? lookup.keys : [];
  const resources = keys
    .map((key) => registry.get(key))
    .filter((resource): resource is Resource => resource !== undefined);
  return resources.length === 0 ? undefined : { text: resources.map(describeResource).join('\n\n---\n\n'), span };
}

function schemaHover({ text, offset, registry, kind = 'definitions' }: PlaceInput): HoverText | undefined {
  const context = documentContextAt(text, offset, { kind });
  const place = context === undefined ? undefined : placeAt(context.outline, offset);
  if (context === undefined || place === undefined) return undefined;
  if (place.kind === 'key') {
    const path: OutlinePath = [...place.path, place.entry.key];
    const description = viewsAt(context, registry, path).find((view) => view.description !== undefined)?.description;
    if (description === undefined) return undefined;
    const isRequired = viewsAt(context, registry, place.path).some((view) => view.required.includes(place.entry.key));
    return { text: isRequired ? `${description}\n\n*Required.*` : description, span: place.entry.keySpan };
  }
  if (place.kind !== 'value' || place.value.kind !== 'scalar') return undefined;
  const description = describeValue(viewsAt(context, registry, place.path), scalarText(text, place.value));
  return description === undefined ? undefined : { text: description, span: place.value.span };
}

function describeValue(views: readonly SchemaView[], value: string): string | undefined {
  return views.find(({ values }) => values.includes(value))?.valueDescription;
}
