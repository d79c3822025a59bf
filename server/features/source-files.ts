import type { Range } from 'vscode-languageserver';
import type { Span } from '../../capabilities/models';
import { PositionIndex } from './position';

/** What features need to know of other definition files. The server implements it. */
export interface SourceFiles {
  /** URI of a file, in the form the editor uses for it. */
  uriOf(path: string): string;
  /** Text of a file as the registry has read it; undefined when it can't be had. */
  textOf(path: string): string | undefined;
}

/** Range of a span in another file; its start when the file's text can't be had. */
export function rangeInFile(files: SourceFiles, path: string, span: Span): Range {
  return new PositionIndex(files.textOf(path) ?? '').rangeOf(span);
}
