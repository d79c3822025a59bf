const PIECE =
  /[A-Za-z]+|\p{N}+|\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\p{L}\p{N}\s]+|\p{L}|./gsu;

function piecesOf(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) {
    if (/^[A-Za-z]/.test(piece)) tokens += piece.length <= 6 ? 1 : piece.length / 6;
    else if (/^\p{N}/u.test(piece)) tokens += Math.ceil(piece.length / 3);
    else if (/^\s/u.test(piece)) tokens += piece === ' ' ? 0 : 1;
    else if (/^[._/-]$/.test(piece)) tokens += 0.5;
    else if (/^[^\p{L}]/u.test(piece)) tokens += Math.ceil(piece.length / 4);
    else tokens += 0.85;
  }
  return tokens;
}

/**
 * Upper estimate of the o200k tokens of JSON text, without the tokenizer's tables: a word of up to six letters, three digits and a run of up to
 * four punctuation marks count one each, a Chinese character a little less, a joint inside a name half.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(piecesOf(text));
}
