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

/** Endings that take `-es` in the plural. */
const SIBILANTS = ['ss', 'sh', 'ch', 'x', 'zz'];

// Every word of every definition and goal comes through here: plain comparisons, where patterns would cost several times as much.

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith('es') && SIBILANTS.some((ending) => word.endsWith(ending, word.length - 2)))
    return word.slice(0, -2);
  const before = word.charAt(word.length - 2);
  return before === 's' || before === 'u' || before === 'i' ? word : word.slice(0, -1);
}

function withoutVerbEnding(word: string): string {
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0;
  if (ending === 0) return word;
  const stem = word.slice(0, -ending);
  if (stem.length < 3 || !/[aeiouy]/.test(stem)) return word;
  const last = stem.charAt(stem.length - 1);
  const isDoubled = last === stem.charAt(stem.length - 2) && 'bdgkmnprtvz'.includes(last);
  return isDoubled ? stem.slice(0, -1) : stem;
}

function withoutNounEnding(word: string): string {
  const isNoun = word.length >= 8 && (word.endsWith('tion') || word.endsWith('sion'));
  const stem = isNoun ? word.slice(0, -3) : word;
  const base = stem.length > 3 && stem.endsWith('e') ? stem.slice(0, -1) : stem;
  const root = base.length >= 7 && base.endsWith('at') ? base.slice(0, -2) : base;
  return root.length > 3 && root.endsWith('y') ? `${root.slice(0, -1)}i` : root;
}

/** Whether a word is made of a–z only. */
function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

/**
 * Light stemmer for lower-case English words: plurals, `-ing`, `-ed`, `-tion` and a final `e` fall together.
 * Words of three letters or fewer, and words with anything but a–z in them, come back unchanged.
 */
export function stemWord(word: string): string {
  if (word.length <= 3 || !isPlain(word)) return word;
  const irregular = IRREGULAR.get(word);
  return irregular ?? withoutNounEnding(withoutVerbEnding(withoutPlural(word)));
}
