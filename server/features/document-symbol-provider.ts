import type { DocumentSymbol } from 'vscode-languageserver';
import { SymbolKind } from 'vscode-languageserver';
import type { ResourceType } from '../../capabilities/models';
import type { DocumentContext } from './document-context';
import { documentContexts } from './document-context';
import { endOf, textAt } from './outline/outline-queries';
import { PositionIndex } from './position';
import { idKeyOf } from './schema/definition-schemas';

const kinds: Readonly<Record<ResourceType, SymbolKind>> = {
  pack: SymbolKind.Package,
  action: SymbolKind.Function,
  recipe: SymbolKind.String,
};

/** One symbol for each resource of a file: its id, with its title beside it. */
export function provideDocumentSymbols(text: string): DocumentSymbol[] {
  const positions = new PositionIndex(text);
  return documentContexts(text).flatMap((context) => symbolOf(context, positions) ?? []);
}

function symbolOf({ text, outline, types }: DocumentContext, positions: PositionIndex): DocumentSymbol | undefined {
  const { root } = outline;
  const [type] = types;
  if (root.kind !== 'map' || type === undefined || type === 'lexicon' || type === 'policy') return undefined;
  const idEntry = root.entries.find(({ key }) => key === idKeyOf(type));
  const id = textAt(text, root, [idKeyOf(type)]);
  const first = root.entries[0];
  if (idEntry?.value.kind !== 'scalar' || id === undefined || id === '' || first === undefined) return undefined;
  return {
    name: id,
    kind: kinds[type],
    range: positions.rangeOf({ start: first.keySpan.start, end: endOf(root) }),
    selectionRange: positions.rangeOf(idEntry.value.span),
    detail: textAt(text, root, ['title']) ?? '',
  };
}
