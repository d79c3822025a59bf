import { describe, expect, test } from 'vitest';
import { parseDefinitionFile } from '../../../capabilities/registry/parse-definition-file';
import { provideCodeActions } from '../../../server/features/code-action-provider';
import { provideDiagnostics } from '../../../server/features/diagnostics-provider';
import { PositionIndex } from '../../../server/features/position';
import { rules } from '../../unit/registry/definition-fixtures';

const files = { uriOf: (path: string) => path, textOf: () => undefined };

/** Takes the first fix that is offered, again and again, and returns the text it ends with. */
function mend(source: string): string {
  let text = source;
  for (let step = 0; step < 30; step++) {
    const { diagnostics } = parseDefinitionFile(text, rules);
    const shown = provideDiagnostics({ text, diagnostics, files });
    const [change] = provideCodeActions({ uri: 'a', text, diagnostics: shown })[0]?.edit?.changes?.['a'] ?? [];
    if (change === undefined) return text;
    const { start, end } = new PositionIndex(text).spanOf(change.range);
    text = text.slice(0, start) + change.newText + text.slice(end);
  }
  throw new Error(`Never mended: ${text}`);
}

describe('quick fixes of what the reader of definitions reports', () => {
  test.each([
    ['an empty file', ''],
    ['a file with only a comment', '# c'],
    ['a lone marker', '---'],
    ['a lone marker with CRLF', '---\r\n'],
    ['a byte order mark', '\uFEFF'],
    ['an action with nothing but its id', 'action_id: a.b'],
    ['an action with CRLF', 'action_id: a.b\r\nversion: 1\r\n'],
    ['a pack with nothing but its id', '# c\npack_id: a # d\n'],
    ['a recipe with nothing but its id and text', 'recipe_id: a.b\nbody: c\n'],
    ['a misspelt key', 'pack_id: a\nversion: 1\ntitel: b\nsummary: c\n'],
    ['a handler without a type', 'action_id: a.b\nhandler:\n  argv: [ls]\n'],
    ['a handler with nothing but its type', 'action_id: a.b\nhandler:\n  type: command\n'],
    ['a script without its file', 'action_id: a.b\nhandler: { type: script }\n'],
    ['a second document', 'pack_id: a\nversion: 1\ntitle: b\nsummary: c\n---\nrecipe_id: d\nsteps:\n  - e\n'],
  ])('mend %s', (_, source) => {
    const mended = mend(source);
    expect(parseDefinitionFile(mended, rules).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(parseDefinitionFile(mended, rules).definitions.every(({ typed }) => typed !== undefined)).toBe(true);
  });
});
