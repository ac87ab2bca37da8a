import { lazily } from '../word-list.ts';

/** A stretch of letters as words have them: in one case, or with a capital at its beginning. */
const LETTERS = /[A-Z]?[a-z]+|[A-Z]+/g;

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
function isWord(part: string): boolean {
  const known = pairs();
  let others = part.length < LONG_WORD ? 0 : -1;
  for (let at = 1; at < part.length; at++) if (known[pairAt(part, at - 1, at)] === 0) others++;
  return others <= 0 && /[aeiouy]/i.test(part);
}

const LONG_WORD = 7;
const LEAST_LETTERS = 3;
const MOST_CHARS = 200;

/** How much of a name such as `refresh1x` or `plan-number-2026-edition` is words; of 16 characters drawn by chance one in 200 has so much. */
const WORDS_SHARE = 0.72;

/**
 * True for what is made of words and a few digits, as names, paths and keys of translations are, and false for what was generated. What has
 * neither letters nor digits is called words too: it cannot be a key.
 */
export function isMadeOfWords(value: string): boolean {
  const text = value.length > MOST_CHARS ? value.slice(0, MOST_CHARS) : value;
  let words = 0;
  let letters = 0;
  for (const [part] of text.matchAll(LETTERS)) {
    letters += part.length;
    if (part.length >= LEAST_LETTERS && isWord(part)) words += part.length;
  }
  const digits = text.match(/\d/g)?.length ?? 0;
  return words >= WORDS_SHARE * (letters + digits);
}
