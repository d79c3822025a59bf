/** Words whose forms share no stem that the rules below could find. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['diagnosis', 'diagnos'],
  ['diagnoses', 'diagnos'],
  ['diagnostic', 'diagnos'],
  ['diagnostics', 'diagnos'],
  ['analysis', 'analyz'],
  ['analyse', 'analyz'],
  ['analyses', 'analyz'],
  ['indices', 'index'],
  ['indexes', 'index'],
  ['built', 'build'],
  ['ran', 'run'],
  ['sent', 'send'],
  ['found', 'find'],
  ['removal', 'remov'],
]);

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function withoutVerbEnding(word: string): string {
  const ending = /(?:ing|ed)$/.exec(word)?.[0];
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  if (stem.length < 3 || !/[aeiouy]/.test(stem)) return word;
  return /([bdgklmnprtvz])\1$/.test(stem) && !/ll$/.test(stem) ? stem.slice(0, -1) : stem;
}

function withoutNounEnding(word: string): string {
  const stem = /[ts]ion$/.test(word) && word.length >= 8 ? word.slice(0, -3) : word;
  const base = stem.length > 3 && stem.endsWith('e') ? stem.slice(0, -1) : stem;
  const root = base.length >= 7 && base.endsWith('at') ? base.slice(0, -2) : base;
  return root.length > 3 && root.endsWith('y') ? `${root.slice(0, -1)}i` : root;
}

/**
 * Light stemmer for lower-case English words: plurals, `-ing`, `-ed`, `-tion` and a final `e` fall together.
 * Words of three letters or fewer, and words with anything but a–z in them, come back unchanged.
 */
export function stemWord(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  const irregular = IRREGULAR.get(word);
  return irregular ?? withoutNounEnding(withoutVerbEnding(withoutPlural(word)));
}
