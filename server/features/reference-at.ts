import type { Lookup, RegistryView, Span } from '../../capabilities/models';
import { documentContextAt } from './document-context';
import { placeAt, scalarText } from './outline/outline-queries';
import { viewsAt } from './schema/value-views';

/** An id of a resource that another resource names. */
export interface ReferenceAt {
  readonly span: Span;
  readonly lookup: Lookup;
}

/** The reference at an offset; undefined when there is none. */
export function referenceAt(text: string, offset: number, registry: RegistryView): ReferenceAt | undefined {
  const context = documentContextAt(text, offset);
  const place = context === undefined ? undefined : placeAt(context.outline, offset);
  if (context === undefined || place?.kind !== 'value' || place.value.kind !== 'scalar') return undefined;
  const isReference = viewsAt(context, registry, place.path).some(({ titles }) => titles.includes('ResourceReference'));
  if (!isReference) return undefined;
  return { span: place.value.span, lookup: registry.lookup(scalarText(text, place.value)) };
}
