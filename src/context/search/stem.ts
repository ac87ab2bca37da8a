/** One form for the inflected forms of an English word in small letters, for index and query alike; any other text as it is. */
export function stemOf(word: string): string {
  const { length } = word;
  if (length < 3 || length > MAX_STEMMED) return word;
  if (length <= MAX_IRREGULAR && mayBeIrregular[cellOf(word)] === 1) {
    const irregular = IRREGULAR.get(word);
    if (irregular !== undefined) return irregular;
  }
  return length > 3 && hasEnding(word) && isSmallLetters(word) ? withoutEnding(withoutInflection(word)) : word;
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

/** By character codes as well: expressions take twice as long. */
function isSmallLetters(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (!isIn(LETTERS, word.charCodeAt(at))) return false;
  return true;
}

const lettersOf = (letters: string): number => [...letters].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) & 31)), 0);
const isIn = (letters: number, unit: number): boolean => unit >> 5 === 3 && ((letters >> (unit & 31)) & 1) === 1;

const LETTERS = lettersOf('abcdefghijklmnopqrstuvwxyz');
const VOWELS = lettersOf('aeiouy');
const DOUBLED = lettersOf('bdfgmnprt');

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isIn(VOWELS, word.charCodeAt(at))) return true;
  return false;
}

function withoutInflection(word: string): string {
  const end = word.length - 1;
  const last = word.charCodeAt(end);
  if (end > 3 && (last === 0x73 || last === 0x64) && (word.endsWith('ies') || word.endsWith('ied'))) return `${word.slice(0, -3)}y`;
  if (last === 0x73 && word.endsWith('sses')) return word.slice(0, -2);
  if (last === 0x73 && word.charCodeAt(end - 1) !== 0x73 && word.charCodeAt(end - 1) !== 0x75) return withoutInflection(word.slice(0, -1));
  const base = last === 0x67 && word.endsWith('ing') ? word.slice(0, -3) : last === 0x64 && word.endsWith('ed') ? word.slice(0, -2) : word;
  if (base === word || base.length < 3 || !hasVowel(base)) return word;
  const final = base.charCodeAt(base.length - 1);
  return final === base.charCodeAt(base.length - 2) && isIn(DOUBLED, final) ? base.slice(0, -1) : base;
}

/** "configuration" and "configure", "migration" and "migrate", "recently" and "recent". */
function withoutEnding(word: string): string {
  const { length } = word;
  const last = word.charCodeAt(length - 1);
  if (last === 0x6e && length >= 10 && word.endsWith('ation')) return word.slice(0, -5);
  if (last === 0x6e && length >= 7 && (word.endsWith('sion') || word.endsWith('tion'))) return word.slice(0, -3);
  if (last === 0x79 && length >= 7 && word.endsWith('ly')) return word.slice(0, -2);
  const base = last === 0x65 && length > 3 ? word.slice(0, -1) : word;
  return base.length >= 7 && base.endsWith('at') ? base.slice(0, -2) : base;
}

/** The forms of each word, the first of which gives the stem. */
const FORMS = `become became, begin began begun, break broke broken, bring brought, build built, buy bought, catch caught, choose chose chosen,
  come came, draw drew drawn, drive drove driven, eat ate eaten, fall fell fallen, feel felt, find found, forget forgot forgotten,
  get got gotten, give gave given, go goes went gone, grow grew grown, hold held, keep kept, know knew known, leave left, lose lost,
  make made, mean meant, meet met, pay paid, run ran running, say said, see saw seen, sell sold, send sent, speak spoke spoken,
  spend spent, swim swam, take took taken, teach taught, tell told, think thought, throw threw thrown, use uses used using,
  wear wore worn, win won, write wrote written, child children, person people`;
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.split(/,\s+/).flatMap((forms) => {
    const words = forms.split(' ');
    const [first = ''] = words;
    const stem = first.length > 3 && first.endsWith('e') ? first.slice(0, -1) : first;
    return words.map((form) => [form, stem] as const);
  }),
);

const MAX_IRREGULAR = Math.max(...[...IRREGULAR.keys()].map(({ length }) => length));

/** By first letter and length, so that few words have to be looked up. */
const cellOf = (word: string): number => (word.charCodeAt(0) & 31) * 16 + word.length;
const mayBeIrregular = new Uint8Array(32 * 16);
for (const word of IRREGULAR.keys()) mayBeIrregular[cellOf(word)] = 1;
