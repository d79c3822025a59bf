import type { Connection, Position, TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { provideCodeActions } from './features/code-action-provider';
import { provideCompletion } from './features/completion-provider';
import { provideDefinition } from './features/definition-provider';
import { provideDocumentSymbols } from './features/document-symbol-provider';
import { provideHover } from './features/hover-provider';
import type { SourceFiles } from './features/source-files';
import { pathOfUri } from './file-uris';
import type { LiveDefinitions } from './live-definitions';

/** What the features look at. */
export interface FeatureSources {
  readonly documents: TextDocuments<TextDocument>;
  readonly live: LiveDefinitions;
  readonly files: SourceFiles;
  /** Runs one handler; a failure is logged and answered with nothing, so that one bad document never ends the session. */
  readonly guard: <T>(feature: string, handler: () => T) => T | undefined;
}

/** Connects each pure feature to its request. */
export function registerLanguageFeatures(connection: Connection, sources: FeatureSources): void {
  const { documents, live, files, guard } = sources;
  const at = (params: { readonly textDocument: { readonly uri: string }; readonly position: Position }) => {
    const document = documents.get(params.textDocument.uri);
    if (!document) return undefined;
    const kind = live.kindOf(pathOfUri(document.uri));
    return { text: document.getText(), offset: document.offsetAt(params.position), registry: live.registry, kind };
  };
  connection.onCompletion((params) => {
    const place = at(params);
    return place && guard('completion', () => provideCompletion(place));
  });
  connection.onHover((params) => {
    const place = at(params);
    return place && guard('hover', () => provideHover(place));
  });
  connection.onDefinition((params) => {
    const place = at(params);
    if (place?.kind === 'lexicon' || place?.kind === 'policy') return undefined;
    return place && guard('definition', () => provideDefinition({ ...place, files }));
  });
  connection.onDocumentSymbol(({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    return document && guard('symbols', () => provideDocumentSymbols(document.getText()));
  });
  connection.onCodeAction(({ textDocument, context }) => {
    const document = documents.get(textDocument.uri);
    return (
      document &&
      guard('code actions', () =>
        provideCodeActions({ uri: textDocument.uri, text: document.getText(), diagnostics: context.diagnostics }),
      )
    );
  });
}
