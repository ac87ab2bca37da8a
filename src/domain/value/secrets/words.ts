import { lazily } from '../word-list.ts';

/** The pairs of letters that words are made of, by their first letter: 310 of 676, with 96 of 100 pairs of the words in code. */
const PAIRS = `
abcdefgiklmnprstuvwxy baceilorsuy cacdefhiklmoprstu dabdefilnoprsuy eabcdefgilmnopqrstvwxy fadefilorstuy gaeghilnorstu haeilorstu iabcdefglmnoprstvxz
je keis lacdefilmopstuvy mabeimopstu nabcdefgiklnopstuv oabcdfgiklmnoprstuvwx pacehiklnoprstuy qu rabcdefgiklmnoprstuvy
sacefhiklmnoprstuwy tabcdefhilmoprstuy uabcdefgilmnprst vaeio waehinors xceiptxy yeinpst ze
`;

/** The letter and the next, as two numbers of five bits. */
const pairs = lazily(() => {
  const known = new Uint8Array(1 << 10);
  for (const row of PAIRS.trim().split(/\s/)) for (const next of row.slice(1)) known[pairAt(row + next, 0, row.length)] = 1;
  return known;
});

const pairAt = (text: string, first: number, second: number): number =>
  ((text.charCodeAt(first) & 31) << 5) | (text.charCodeAt(second) & 31);

/** A long word may have one other pair. */
function isWord(text: string, from: number, to: number): boolean {
  const known = pairs();
  let others = to - from < LONG_WORD ? 0 : -1;
  let hasVowel = isVowel(text.charCodeAt(from));
  for (let at = from + 1; at < to; at++) {
    if (known[pairAt(text, at - 1, at)] === 0) others++;
    hasVowel ||= isVowel(text.charCodeAt(at));
  }
  return others <= 0 && hasVowel;
}

const VOWELS = new Set([...'aeiouyAEIOUY'].map((letter) => letter.charCodeAt(0)));
const isVowel = (code: number): boolean => VOWELS.has(code);

const LONG_WORD = 7;
const LEAST_LETTERS = 3;
const MOST_CHARS = 200;

/** How much of a name such as `refresh1x` or `plan-number-2026-edition` is words; of 16 characters drawn by chance one in 200 has so much. */
const WORDS_SHARE = 0.72;

/** True for words and a few digits, as names and paths are, and for what has neither letters nor digits; false for what was generated. */
export function isMadeOfWords(value: string): boolean {
  const end = Math.min(value.length, MOST_CHARS);
  let words = 0;
  let letters = 0;
  let digits = 0;
  for (let at = 0; at < end; ) {
    const stretch = lettersEnd(value, at, end);
    letters += stretch - at;
    if (stretch - at >= LEAST_LETTERS && isWord(value, at, stretch)) words += stretch - at;
    if (stretch === at && isDigit(value.charCodeAt(at))) digits++;
    at = Math.max(stretch, at + 1);
  }
  return words >= WORDS_SHARE * (letters + digits);
}

const isCapital = (code: number): boolean => code >= 0x41 && code <= 0x5a;
const isSmall = (code: number): boolean => code >= 0x61 && code <= 0x7a;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Where letters end as words have them: in one case, or with a capital at the beginning. */
function lettersEnd(text: string, from: number, to: number): number {
  let at = from;
  const isLarge = isCapital(text.charCodeAt(at));
  if (isLarge && !isSmall(text.charCodeAt(at + 1))) while (at < to && isCapital(text.charCodeAt(at))) at++;
  else for (at += isLarge ? 1 : 0; at < to && isSmall(text.charCodeAt(at)); ) at++;
  return at;
}
