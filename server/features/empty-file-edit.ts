import type { TextEdit } from 'vscode-languageserver';
import type { PositionIndex } from './position';
import { lineBreakOf } from './outline/source-lines';
import { renderTemplateText, resourceTemplates } from './resource-templates';

/** A change to the text, with the words that offer it. */
export interface TitledEdit {
  readonly title: string;
  readonly edit: TextEdit;
}

/** Edits that write a first resource at the end of a file that holds only blanks, comments and markers. */
export function emptyFileEdits(text: string, positions: PositionIndex): readonly TitledEdit[] {
  const lineBreak = lineBreakOf(text);
  const isAtLineStart = text === '' || text === '\uFEFF' || /[\r\n]$/.test(text);
  const end = { start: text.length, end: text.length };
  return resourceTemplates.map((template) => ({
    title: `Insert a new ${template.type}`,
    edit: {
      range: positions.rangeOf(end),
      newText: (isAtLineStart ? '' : lineBreak) + renderTemplateText(template, lineBreak),
    },
  }));
}
