import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import { DescribeRequest, ListRequest, RunRequest, SearchRequest } from '../../protocol/requests';
import { startLanguageSession, type LanguageSession } from './language-session';

/** A small valid action. */
const action = (id: string, extra = ''): string => `action_id: ${id}
version: 1
title: Say ${id}
summary: Prints the id.
arguments_schema: { type: object }
handler: { type: command, argv: [echo, ${id}] }
side_effect: R
risk_level: low
${extra}`;

/** 2 kB that abort a process which composes them twice. */
const deepDocument = '['.repeat(1000) + ']'.repeat(1000);
const kibibyte = 1024;
const inFull = (text: string): string => text.repeat(Math.floor((256 * kibibyte) / text.length));
const fiveDocuments = [1, 2, 3, 4, 5]
  .map((count) => action(`five.a${count}`, count === 3 ? 'tittle: x\n' : ''))
  .join('---\n');

/** Content of each file, its one finding, and where that stands, from 0. */
const textCases: readonly (readonly [name: string, content: string | Buffer, code: string, line: number, at: number])[] = [
  ['deep-one.yaml', deepDocument, 'nesting-too-deep', 0, 64],
  ['deep-two.yaml', deepDocument, 'nesting-too-deep', 0, 64],
  ['deep-flow-maps.yaml', '{a: '.repeat(5000), 'nesting-too-deep', 0, 256],
  ['deep-block-maps.yaml', Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'nesting-too-deep', 64, 65],
  ['full-of-brackets.yaml', inFull('['), 'nesting-too-deep', 0, 64],
  ['full-of-dashes.yaml', inFull('- '), 'nesting-too-deep', 0, 128],
  ['full-of-questions.yaml', inFull('? '), 'nesting-too-deep', 0, 128],
  ['full-of-commas.yaml', `[${inFull(',').slice(2)}]`, 'file-too-large', 0, 0],
  ['full-of-keys.yaml', `{${Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join(',')}}`, 'too-many-keys', 0, 0],
  ['full-of-lines.yaml', inFull('---\n'), 'file-too-large', 0, 0],
  ['full-of-aliases.yaml', inFull('*a '), 'file-too-large', 0, 0],
  ['full-of-quotes.yaml', inFull('"'), 'file-too-large', 0, 0],
  ['full-of-one-text.yaml', `pack_id: full\nversion: 1\ntitle: Full\nsummary: ${inFull('x').slice(100)}`, 'invalid-value', 3, 9],
  ['full-of-nul.yaml', inFull('\0'), 'forbidden-character', 0, 0],
  ['full-of-carriage-returns.yaml', inFull('\r'), 'line-ending', 0, 0],
  ['full-of-conflicts.yaml', 'a: 1\n<<<<<<< ours\n=======\n>>>>>>> theirs\n'.repeat(2000), 'merge-conflict', 1, 0],
  ['full-of-spaces.yaml', inFull(' '), 'empty-file', 0, 0],
  ['too-large.yaml', `${inFull('#')}#`, 'file-too-large', 0, 0],
  ['duplicate-key.yaml', action('hostile.a', 'risk_level: low\n'), 'duplicate-key', 8, 0],
  ['anchors.yaml', 'a: &a [w, w]\nb: &b [*a, *a]\nc: *b\n', 'alias-not-supported', 0, 3],
  ['merge-key.yaml', action('hostile.b', '<<: { enabled: true }\n'), 'merge-key-not-supported', 8, 0],
  ['prototype.yaml', action('hostile.c', '__proto__: { risk_level: low }\n'), 'forbidden-key', 8, 0],
  ['bom.yaml', `\ufeff${action('hostile.d', 'tittle: x\n')}`, 'unknown-key', 8, 0],
  ['crlf.yaml', action('hostile.e', 'tittle: x\n').replaceAll('\n', '\r\n'), 'unknown-key', 8, 0],
  ['empty.yaml', '', 'empty-file', 0, 0],
  ['comment-only.yaml', '# nothing yet\n', 'empty-file', 0, 0],
  ['lone-marker.yaml', '---\n', 'empty-file', 0, 0],
  ['one-bad-among-five.yaml', fiveDocuments, 'unknown-key', 26, 0],
  ['invalid-utf8.yaml', Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe, 0x0a]), 'file-not-utf8', 0, 0],
  ['utf16.yaml', Buffer.from(`\ufeff${action('hostile.f')}`, 'utf16le'), 'file-not-utf8', 0, 0],
  ['slow-pattern.yaml', action('hostile.g').replace('{ type: object }', "{ type: object, properties: { a: { type: string, pattern: '(?=a)b' } } }"), 'unsupported-pattern', 4, 76],
  ['remote-schema.yaml', action('hostile.h').replace('{ type: object }', "{ type: object, properties: { a: { $ref: 'http://169.254.169.254/' } } }"), 'invalid-schema', 4, 59],
]; // prettier-ignore

const otherCases: readonly (readonly [name: string, code: string])[] = [
  ['folder.yaml', 'file-unreadable'],
  ['dangling.yaml', 'file-unreadable'],
  ['loop-one.yaml', 'file-unreadable'],
  ['loop-two.yaml', 'file-unreadable'],
  ['pipe.yaml', 'file-unreadable'],
];

function fillWithHostility(definitions: string): void {
  const place = (name: string): string => path.join(definitions, name);
  for (const [name, content] of textCases) writeFileSync(place(name), content);
  mkdirSync(place('folder.yaml'));
  symlinkSync('nowhere', place('dangling.yaml'));
  symlinkSync('loop-two.yaml', place('loop-one.yaml'));
  symlinkSync('loop-one.yaml', place('loop-two.yaml'));
  symlinkSync('.', place('itself'));
  execFileSync('mkfifo', [place('pipe.yaml')]);
}

describe('a workspace full of hostile files', () => {
  let session: LanguageSession;
  const call = (input: unknown) => ({ callId: 'call', input, requestedBy: 'agent' as const });
  const findings = (name: string): Promise<readonly Diagnostic[]> =>
    session.whenDiagnostics(name, (found) => found.length > 0);

  beforeAll(async () => {
    session = await startLanguageSession({ files: { 'good.yaml': action('demo.good') }, prepare: fillWithHostility });
  });
  afterAll(() => session.end());

  test.each(
    textCases.map(([name, , code, line, character]) => ({
      name,
      finding: { code, range: { start: { line, character } } },
    })),
  )('$name has one finding, at its place', async ({ name, finding }) => {
    const found = await findings(name);
    expect(found).toMatchObject([finding]);
    expect(found[0]?.message).toMatch(/[.?]$/);
  });

  test.each(otherCases)('%s has one finding at its start', async (name, code) => {
    expect(await findings(name)).toMatchObject([{ code, range: { start: { line: 0, character: 0 } } }]);
  });

  test('the deep document may be opened, changed and closed in an editor, too', async () => {
    for (const text of [deepDocument, `${deepDocument}\n`, deepDocument]) {
      await session.open('deep-one.yaml', text);
      await session.whenDiagnostics('deep-one.yaml', (found) => found[0]?.code === 'nesting-too-deep');
      await session.close('deep-one.yaml');
    }
  });

  test('what is sound can be found, listed, described and run', async () => {
    const { client } = session;
    expect(await client.sendRequest(SearchRequest, call({ query: 'demo.good' }))).toMatchObject({
      matches: [{ resource_id: 'demo.good' }],
    });
    const listed = await client.sendRequest(ListRequest, call({ within: 'five' }));
    expect(listed).toMatchObject({ children: ['a1', 'a2', 'a4', 'a5'].map((id) => ({ resource_id: `five.${id}` })) });
    expect(await client.sendRequest(ListRequest, call({}))).toMatchObject({ total_count: 2 });
    expect(await client.sendRequest(DescribeRequest, call({ resource_id: 'five.a4' }))).toMatchObject({ version: 1 });
    expect(await client.sendRequest(RunRequest, call({ action_id: 'demo.good' }))).toMatchObject({
      status: 'ok',
      output: 'demo.good\n',
    });
    expect(await client.sendRequest(RunRequest, call({ action_id: 'five.a3' }))).toMatchObject({
      code: 'unknown_resource',
    });
  });

  test('the sound files have no findings', () => {
    expect(session.diagnostics('good.yaml')).toEqual([]);
  });
});
