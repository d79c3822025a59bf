import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SentencePieces } from '../../../../capabilities/search/semantic/sentence-pieces';
import { loadModel } from './encoder-fixture';

const { model } = loadModel();
const pieces = new SentencePieces(model.pieces, model.scores);
const written = (text: string): string =>
  pieces
    .encode(text)
    .map((id) => model.pieces[id])
    .join(' ');

describe('cutting a text into pieces', () => {
  it.each([
    ['install the latest version', '▁install ▁the ▁latest ▁version'],
    ['restart the docker service', '▁rest art ▁the ▁do cker ▁service'],
    ['Which process is listening on port 8080?', '▁Which ▁process ▁is ▁listening ▁on ▁port ▁80 80 ?'],
    ['  show \t disk\n usage ', '▁show ▁dis k ▁us age'],
    ['ﬁle', '▁file'],
    ['', ''],
    [' \n ', ''],
  ])('cuts %j as the published tokeniser does', (text, expected) => {
    expect(written(text)).toBe(expected);
  });

  it('writes a run of unknown characters as one unknown piece', () => {
    expect(pieces.encode('你好世界')).toHaveLength(2);
    expect(pieces.encode('你好世界')[1]).toBe(0);
  });

  it('loses no known character, whatever the text is', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz .,?')), maxLength: 80 });
    fc.assert(
      fc.property(text, (value) => {
        const joined = pieces
          .encode(value)
          .map((id) => model.pieces[id])
          .join('');
        const expected = value
          .split(' ')
          .filter(Boolean)
          .map((word) => `▁${word}`)
          .join('');
        expect(joined).toBe(expected);
      }),
    );
  });

  it('takes any text, lone surrogates too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(pieces.encode(value).every((id) => id >= 0 && id < model.pieces.length)).toBe(true);
      }),
    );
  });
});
