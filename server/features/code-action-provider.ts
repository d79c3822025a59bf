import type { CodeAction, Diagnostic as LspDiagnostic } from 'vscode-languageserver';
import { CodeActionKind } from 'vscode-languageserver';
import type { DiagnosticFix } from '../../capabilities/models';
import { diagnosticSource } from './diagnostics-provider';
import type { TitledEdit } from './empty-file-edit';
import { emptyFileEdits } from './empty-file-edit';
import { insertKeyEdit } from './insert-key-edit';
import { lineBreakOf } from './outline/source-lines';
import { PositionIndex } from './position';

/** What code actions work from. */
export interface CodeActionInput {
  readonly uri: string;
  readonly text: string;
  /** The diagnostics at the place that is asked about, as `provideDiagnostics` made them. */
  readonly diagnostics: readonly LspDiagnostic[];
}

/** Quick fixes: a template for an empty file, a missing key with a value to fill in, the right name of a misspelt key. */
export function provideCodeActions({ uri, text, diagnostics }: CodeActionInput): CodeAction[] {
  const positions = new PositionIndex(text);
  return diagnostics
    .filter(({ source }) => source === diagnosticSource)
    .flatMap((diagnostic) => {
      const edits = editsFor(text, positions, diagnostic);
      return edits.map(({ title, edit }) => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        isPreferred: edits.length === 1,
        edit: { changes: { [uri]: [edit] } },
      }));
    });
}

function editsFor(text: string, positions: PositionIndex, diagnostic: LspDiagnostic): readonly TitledEdit[] {
  if (diagnostic.code === 'empty-file') return emptyFileEdits(text, positions);
  const fix = readFix(diagnostic.data);
  if (fix === undefined) return [];
  if (fix.kind === 'rename-key') {
    return [{ title: `Change to '${fix.key}'`, edit: { range: diagnostic.range, newText: fix.key } }];
  }
  const edit = insertKeyEdit(text, {
    fix,
    offset: positions.offsetAt(diagnostic.range.start),
    lineBreak: lineBreakOf(text),
  });
  if (edit === undefined) return [];
  const range = positions.rangeOf({ start: edit.offset, end: edit.offset });
  return [{ title: `Add '${fix.key}'`, edit: { range, newText: edit.newText } }];
}

/** `data` has been to the editor and back, so it is read, not believed. */
function readFix(data: unknown): DiagnosticFix | undefined {
  if (typeof data !== 'object' || data === null || !('kind' in data) || !('key' in data)) return undefined;
  const { kind, key } = data;
  if (typeof key !== 'string') return undefined;
  if (kind === 'rename-key') return { kind, key };
  const path = 'path' in data && Array.isArray(data.path) ? (data.path as readonly unknown[]) : undefined;
  const steps = path?.filter((step) => typeof step === 'string' || typeof step === 'number');
  return kind === 'insert-key' && steps !== undefined ? { kind, key, path: steps } : undefined;
}
