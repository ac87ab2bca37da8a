/**
 * Returns one form for the inflected forms of an English word in small letters, so that "caching" finds "cached". Any other text is
 * returned as it is. The result need not be a word; it is the same for the index and for the query.
 */
export function stemOf(word: string): string {
  const { length } = word;
  if (length < 3 || length > MAX_STEMMED) return word;
  if (length <= MAX_IRREGULAR && mayBeIrregular[cellOf(word)] === 1) {
    const irregular = IRREGULAR.get(word);
    if (irregular !== undefined) return irregular;
  }
  return length > 3 && hasEnding(word) && /^[a-z]+$/.test(word) ? withoutEnding(withoutInflection(word)) : word;
}

const MAX_STEMMED = 32;

/** True for an ending that a rule below may take away. By character codes: this is asked of every word of every text. */
function hasEnding(word: string): boolean {
  const end = word.length - 1;
  const [last, before] = [word.charCodeAt(end), word.charCodeAt(end - 1)];
  if (last === 0x65) return true;
  if (last === 0x73) return before !== 0x73 && before !== 0x75;
  if (last === 0x64) return before === 0x65;
  if (last === 0x67) return before === 0x6e && word.charCodeAt(end - 2) === 0x69;
  if (last === 0x79) return before === 0x6c;
  if (last === 0x6e) return before === 0x6f && word.charCodeAt(end - 2) === 0x69;
  return last === 0x74 && before === 0x61;
}

function withoutInflection(word: string): string {
  if (word.length > 4 && (word.endsWith('ies') || word.endsWith('ied'))) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/[^su]s$/.test(word)) return withoutInflection(word.slice(0, -1));
  const base = word.endsWith('ing') ? word.slice(0, -3) : word.endsWith('ed') ? word.slice(0, -2) : word;
  if (base === word || base.length < 3 || !/[aeiouy]/.test(base)) return word;
  return /([bdfgmnprt])\1$/.test(base) ? base.slice(0, -1) : base;
}

/** "configuration" and "configure", "migration" and "migrate", "recently" and "recent". */
function withoutEnding(word: string): string {
  if (word.length >= 10 && word.endsWith('ation')) return word.slice(0, -5);
  if (word.length >= 7 && /[ts]ion$/.test(word)) return word.slice(0, -3);
  if (word.length >= 7 && word.endsWith('ly')) return word.slice(0, -2);
  const base = word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
  return base.length >= 7 && base.endsWith('at') ? base.slice(0, -2) : base;
}

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  [
    'become became',
    'begin began begun',
    'break broke broken',
    'bring brought',
    'build built',
    'buy bought',
    'catch caught',
    'choose chose chosen',
    'come came',
    'draw drew drawn',
    'drive drove driven',
    'eat ate eaten',
    'fall fell fallen',
    'feel felt',
    'find found',
    'forget forgot forgotten',
    'get got gotten',
    'give gave given',
    'go goes went gone',
    'grow grew grown',
    'hold held',
    'keep kept',
    'know knew known',
    'leave left',
    'lose lost',
    'make made',
    'mean meant',
    'meet met',
    'pay paid',
    'run ran running',
    'say said',
    'see saw seen',
    'sell sold',
    'send sent',
    'speak spoke spoken',
    'spend spent',
    'swim swam',
    'take took taken',
    'teach taught',
    'tell told',
    'think thought',
    'throw threw thrown',
    'use uses used using',
    'wear wore worn',
    'win won',
    'write wrote written',
    'child children',
    'person people',
  ].flatMap((forms) => {
    const [first = '', ...others] = forms.split(' ');
    const stem = first.length > 3 && first.endsWith('e') ? first.slice(0, -1) : first;
    return [first, ...others].map((form): [string, string] => [form, stem]);
  }),
);

const MAX_IRREGULAR = Math.max(...[...IRREGULAR.keys()].map(({ length }) => length));

/** By first letter and length, so that few words have to be looked up. */
const cellOf = (word: string): number => (word.charCodeAt(0) & 31) * 16 + word.length;
const mayBeIrregular = new Uint8Array(32 * 16);
for (const word of IRREGULAR.keys()) mayBeIrregular[cellOf(word)] = 1;
