import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Scope, WorkspaceLexicon } from '../../../capabilities/models';
import { MAX_PHRASES, parseLexiconFile } from '../../../capabilities/registry/parse-lexicon-file';
import { isLexicon, isReserved, parseWorkspaceFile } from '../../../capabilities/registry/parse-workspace-file';
import { Registry } from '../../../capabilities/registry/registry';
import { IntentLexicon } from '../../../capabilities/search/lexicon/intent-lexicon';
import intents from '../../../capabilities/search/lexicon/intents.json';
import { PhraseRules } from '../../../capabilities/search/lexicon/phrase-rules';
import { DIGEST } from '../search/memory-registry';
import { actionText, rules as definitionRules } from './definition-fixtures';

const phrases = new PhraseRules(new IntentLexicon());
const rules = { ...definitionRules, phraseProblem: phrases.problemOf.bind(phrases) };
const scope: Scope = { name: 'w', kind: 'workspace', root: '/w', definitions: '/w/.capabilities' };

/** `code@text: message`, as far as a table shows it. */
function findings(text: string): string[] {
  return parseLexiconFile(text, rules).diagnostics.map(
    ({ code, severity, span, message }) => `${severity} ${code}@${text.slice(span.start, span.end)}: ${message}`,
  );
}

const lexiconOf = (text: string): WorkspaceLexicon | undefined => parseLexiconFile(text, rules).lexicon;

describe('what a lexicon says', () => {
  test('synonyms, intents, entities and symptoms', () => {
    const text =
      'synonyms:\n- [staging, 预发]\nintents:\n  deploy: [ship it]\nentities:\n  codex: [kodex]\nsymptoms:\n  stale: [still old]\n';
    expect(findings(text)).toEqual([]);
    expect(lexiconOf(text)).toEqual({
      synonyms: [['staging', '预发']],
      intents: { deploy: ['ship it'] },
      entities: { codex: ['kodex'] },
      symptoms: { stale: ['still old'] },
    });
  });

  test.each([[''], ['# later\n']])('nothing: %j', (text) => {
    expect(findings(text)).toEqual([]);
    expect(lexiconOf(text)).toBeUndefined();
  });

  test('the schema knows the intents that the search knows', () => {
    const schema = JSON.parse(readFileSync('schemas/lexicon.schema.json', 'utf8')) as {
      properties: { intents: { properties: object } };
    };
    expect(Object.keys(schema.properties.intents.properties)).toEqual(Object.keys(intents));
  });
});

describe('errors, after which none of it is used', () => {
  test.each([
    [
      'an unknown key',
      'synonym: []',
      'error unknown-key@synonym: `synonym` is not a known key. Did you mean `synonyms`?',
    ],
    [
      'an unknown intent',
      'intents: { deplay: [x y] }',
      'error unknown-key@deplay: `deplay` is not a known key. Did you mean `deploy`?',
    ],
    [
      'a group of one',
      'synonyms: [[staging]]',
      'error invalid-value@[staging]: `synonyms[0]` must have at least 2 items.',
    ],
    [
      'words that are no list',
      'entities: { codex: kodex }',
      'error invalid-value@kodex: `entities.codex` must be a list, not text.',
    ],
    ['a long phrase', `symptoms: { a: ["${'x'.repeat(101)}"] }`, /^error invalid-value@.*at most 100 characters\.$/],
    ['an alias', 'synonyms: &a [[x, y]]', /^error alias-not-supported/],
    [
      'a list',
      '- x',
      'error not-a-mapping@- x: A lexicon is a map with `synonyms`, `intents`, `entities` and `symptoms`.',
    ],
    [
      'two documents',
      'synonyms: [[aa, bb]]\n---\nsynonyms: [[cc, dd]]',
      /^error invalid-value@synonyms: \[\[cc, dd\]\]: A lexicon is one/,
    ],
    ['a prototype', 'entities: { __proto__: [xx] }', /^error forbidden-key/],
  ])('%s', (_case, text, expected) => {
    expect(
      findings(text).some((found) => (typeof expected === 'string' ? found === expected : expected.test(found))),
    ).toBe(true);
    expect(lexiconOf(text)).toBeUndefined();
  });

  test('more phrases than a lexicon may hold', () => {
    const group = (index: number): string => `- [${[0, 1, 2, 3].map((place) => `word${index}x${place}`).join(', ')}]`;
    const text = (groups: number): string =>
      `synonyms:\n${Array.from({ length: groups }, (_, at) => group(at)).join('\n')}`;
    expect(lexiconOf(text(MAX_PHRASES / 4))).toBeDefined();
    expect(findings(text(MAX_PHRASES / 4 + 1)).join()).toContain('at most 2000 phrases; this one has 2004');
    expect(lexiconOf(text(MAX_PHRASES / 4 + 1))).toBeUndefined();
  });
});

describe('phrases that are named and left out', () => {
  test.each([
    ['stop words', 'synonyms: [[the, staging, 预发]]', 'the', 'says nothing by itself'],
    ['one character', 'entities: { codex: [代, kodex] }', '代', 'one character'],
    ['punctuation', 'synonyms: [["!!", staging, 预发]]', '"!!"', 'says nothing by itself'],
    ['what asks for another intent', 'intents: { delete: [show] }', 'show', 'asks for `show` already'],
    ['what asks for the intent already', 'intents: { deploy: [Deploy] }', 'Deploy', 'asks for `deploy` already'],
    [
      'what stands in another group',
      'synonyms: [[staging, 预发], [stage env, Staging]]',
      'Staging',
      'stands in this lexicon already',
    ],
    ['an entity that stands in a group', 'synonyms: [[codex, cli]]\nentities: { codex: [kodex] }', 'codex', 'already'],
  ])('%s', (_case, text, phrase, reason) => {
    const [found = '', ...more] = findings(text);
    expect(found).toContain(`warning ignored-phrase@${phrase}: `);
    expect(found).toContain(reason);
    expect(more).toEqual([]);
    expect(lexiconOf(text)).toBeDefined();
  });
});

test('any text is read without a throw, and what is used fits the schema', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'synonyms:',
      'intents:',
      'entities:',
      'symptoms:',
      '  deploy:',
      '- [',
      ']',
      ', ',
      '\n',
      '  - ',
      '{',
      '}',
      '&a ',
      '*a',
      '!!x ',
      '"',
      '---\n',
      '预发',
      '\u202e',
    ),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { lexicon, definitions, diagnostics } = parseLexiconFile(pieces.join(''), rules);
      expect(definitions).toEqual([]);
      if (lexicon === undefined) return;
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      for (const group of lexicon.synonyms ?? [])
        expect(group.every((phrase) => typeof phrase === 'string')).toBe(true);
    }),
    { numRuns: 500 },
  );
});

describe('in the registry', () => {
  const text = 'synonyms: [[staging, 预发]]';
  const parse = (path: string, source: string) => parseWorkspaceFile({ path, scope, text: source }, rules);
  const lexicon = '/w/.capabilities/lexicon.yaml';

  test.each([
    ['/w/.capabilities/lexicon.yaml', true, false],
    ['/w/.capabilities/lexicon.yml', true, false],
    ['/w/.capabilities/sub/lexicon.yaml', false, false],
    ['/w/.capabilities/policy.yaml', false, false],
    ['/w/.capabilities/evaluation/a.yaml', false, true],
  ])('%s', (path, isWords, isOthers) => {
    expect([isLexicon(scope, path), isReserved(scope, path)]).toEqual([isWords, isOthers]);
  });

  test('a new list comes only with other words, and each with a new revision', () => {
    const registry = new Registry(DIGEST);
    registry.setScopes([scope]);
    expect(registry.lexicons).toEqual([]);
    registry.update(lexicon, scope, parse(lexicon, text));
    const { lexicons, revision } = registry;
    expect(lexicons).toEqual([{ synonyms: [['staging', '预发']] }]);
    registry.update('/w/.capabilities/a.yaml', scope, parse('/w/.capabilities/a.yaml', actionText('a.x')));
    registry.update(lexicon, scope, parse(lexicon, `# again\n${text}`));
    expect(registry.lexicons).toBe(lexicons);
    registry.update(lexicon, scope, parse(lexicon, 'synonyms: [[one two, 三四]]'));
    expect(registry.lexicons).not.toBe(lexicons);
    expect(registry.revision).toBeGreaterThan(revision);
    registry.update(lexicon, scope, parse(lexicon, 'synonyms: broken'));
    expect(registry.lexicons).toEqual([]);
    expect(registry.diagnostics(lexicon).map(({ code }) => code)).toEqual(['invalid-value']);
    registry.remove(lexicon);
    expect(registry.lexicons).toEqual([]);
  });
});
