import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parseDefinitionFile } from '../../capabilities/registry/parse-definition-file';
import { rules } from '../unit/registry/definition-fixtures';
import expectations from './yaml/expected.json';

const folder = path.join(import.meta.dirname, 'yaml');
const suffix = '.yaml.txt';

/** What a person sees of a file: `severity code line:column-line:column message` (from 1), and which ids can be used. */
function observe(text: string): { readonly usable: readonly string[]; readonly diagnostics: readonly string[] } {
  const lines = TextDocument.create('file:///case.yaml', 'yaml', 1, text);
  const place = (offset: number): string => {
    const { line, character } = lines.positionAt(offset);
    return `${line + 1}:${character + 1}`;
  };
  const file = parseDefinitionFile(text, rules);
  return {
    usable: file.definitions.filter(({ typed }) => typed !== undefined).map(({ id }) => id),
    diagnostics: file.diagnostics.map(
      ({ severity, code, span, message }) => `${severity} ${code} ${place(span.start)}-${place(span.end)} ${message}`,
    ),
  };
}

describe('a definition file from the field', () => {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length));

  test('has an expectation, and every expectation a file', () => {
    expect(Object.keys(expectations).sort()).toEqual([...names].sort());
  });

  test.each(Object.entries(expectations))('%s is diagnosed at the right place', (name, expected) => {
    const text = readFileSync(path.join(folder, `${name}${suffix}`), 'utf8');
    expect(observe(text)).toEqual(expected);
  });
});
