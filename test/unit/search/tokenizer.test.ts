import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stemWord } from '../../../capabilities/search/language/english-stemmer';
import { tokenize } from '../../../capabilities/search/language/tokenizer';

describe('tokenize', () => {
  it.each([
    ['getCodeSnippet', ['getcodesnippet', 'cod', 'snippet']],
    ['maintenance.codex.path_repair', ['maintenance.codex.path_repair', 'maintenanc', 'codex', 'path', 'repair']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['table key data id name server', ['tabl', 'key', 'data', 'id', 'nam', 'server']],
    ['ＣＯＤＥＸ', ['codex']],
    ['python3', ['python3', 'python']],
  ])('splits %s into stems and keeps the whole', (text, expected) => {
    expect(tokenize(text)).toEqual(expected);
  });

  it('gives words and character pairs of Chinese text', () => {
    const tokens = tokenize('检查虚拟环境');
    expect(tokens).toContain('检查');
    expect(tokens).toContain('环境');
    expect(tokens).toContain('查虚');
  });

  it('separates Chinese from Latin letters without a space between', () => {
    expect(tokenize('Codex更新后')).toEqual(expect.arrayContaining(['codex', '更新']));
  });

  it('drops stop words unless nothing else is there', () => {
    expect(tokenize('the cache of the server')).toEqual(['cach', 'server']);
    expect(tokenize('the')).toEqual(['the']);
  });

  it.each(['ไทยภาษา', 'ありがとう', '안녕하세요', 'Привет', 'שלום', 'مرحبا', '½', 'ͺ', 'ᄀ'])(
    'finds a token in %s',
    (text) => {
      expect(tokenize(text).length).toBeGreaterThan(0);
    },
  );

  it('never throws, is deterministic and gives a token for any letter or digit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const tokens = tokenize(text);
        expect(tokenize(text)).toEqual(tokens);
        expect(tokens.every((token) => token.length > 0)).toBe(true);
        if (/[\p{L}\p{N}]/u.test(text)) expect(tokens.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('stemWord', () => {
  it.each([
    ['update', 'updating', 'updates', 'updated'],
    ['delete', 'deleting', 'deletes', 'deletion'],
    ['create', 'creating', 'created', 'creation'],
    ['install', 'installing', 'installed', 'installation'],
    ['diagnose', 'diagnosing', 'diagnosis', 'diagnostics'],
    ['repository', 'repositories', 'repository', 'repository'],
    ['translate', 'translation', 'translating', 'translates'],
    ['stop', 'stopping', 'stopped', 'stops'],
  ])('brings the forms of %s together', (first, ...others) => {
    for (const other of others) expect(stemWord(other)).toBe(stemWord(first));
  });

  it.each(['status', 'process', 'key', 'bus', 'station'])('leaves %s apart from its neighbours', (word) => {
    expect(stemWord(word).length).toBeGreaterThanOrEqual(Math.min(word.length, word.length - 1));
    expect(stemWord('station')).not.toBe(stemWord('stat'));
  });
});
