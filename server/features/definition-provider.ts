import type { Location } from 'vscode-languageserver';
import type { PlaceInput } from './hover-provider';
import { referenceAt } from './reference-at';
import type { SourceFiles } from './source-files';
import { rangeInFile } from './source-files';

/**
 * Where the resource that a place refers to is defined: the place of its id. Several locations when the id stands in several
 * scopes; none for what is unknown or only implied by its children.
 */
export function provideDefinition(input: PlaceInput & { readonly files: SourceFiles }): Location[] {
  const { text, offset, registry, files } = input;
  const lookup = referenceAt(text, offset, registry)?.lookup;
  const keys = lookup?.kind === 'found' ? [lookup.resource.key] : lookup?.kind === 'ambiguous' ? lookup.keys : [];
  return keys.flatMap((key) => {
    const source = registry.get(key)?.source;
    if (source === undefined) return [];
    return [{ uri: files.uriOf(source.path), range: rangeInFile(files, source.path, source.idSpan) }];
  });
}
