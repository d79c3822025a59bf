import type { Diagnostic as LspDiagnostic } from 'vscode-languageserver';
import { DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type { Diagnostic, DiagnosticCode } from '../../capabilities/models';
import { PositionIndex } from './position';
import type { SourceFiles } from './source-files';
import { rangeInFile } from './source-files';

/** Findings of one file. */
export interface DiagnosticsInput {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: SourceFiles;
}

/** The `source` of every diagnostic. */
export const diagnosticSource = 'capabilities';

const severities: Readonly<Record<Diagnostic['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** What has no effect where it stands is shown faded. */
const unnecessary: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>(['duplicate-key']);

/** The findings as the editor shows them, in the order of the text. `data` carries the repair, for the code actions. */
export function provideDiagnostics({ text, diagnostics, files }: DiagnosticsInput): LspDiagnostic[] {
  const positions = new PositionIndex(text);
  const related = (finding: Diagnostic) =>
    (finding.related ?? []).map(({ path, span, message }) => ({
      location: { uri: files.uriOf(path), range: rangeInFile(files, path, span) },
      message,
    }));
  return [...diagnostics].sort(compareDiagnostics).map((finding) => ({
    range: positions.rangeOf(finding.span),
    severity: severities[finding.severity],
    code: finding.code,
    source: diagnosticSource,
    message: finding.message,
    ...(finding.related === undefined ? {} : { relatedInformation: related(finding) }),
    ...(unnecessary.has(finding.code) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    ...(finding.fix === undefined ? {} : { data: finding.fix }),
  }));
}

function compareDiagnostics(first: Diagnostic, second: Diagnostic): number {
  return (
    first.span.start - second.span.start ||
    first.span.end - second.span.end ||
    compareText(first.code, second.code) ||
    compareText(first.message, second.message)
  );
}

function compareText(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}
