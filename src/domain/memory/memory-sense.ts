/** What a statement says, to be compared: its words that carry meaning, Chinese in pairs of characters. Also of hashed words. */
export type Sense = {
  readonly terms: readonly string[];
  /** Terms that stand for exactly one thing: numbers, paths, identifiers. */
  readonly exact: readonly string[];
  readonly negated: boolean;
};

export function senseOf(text: string): Sense {
  const words = plainText(text);
  const terms = [...new Set(termsIn(words))];
  return {
    terms: terms.length === 0 ? [words] : terms,
    exact: terms.filter((term) => EXACT.test(term)).sort(),
    negated: (words.match(NEGATION)?.length ?? 0) % 2 === 1,
  };
}

/** Returns the text in lower case, in one character width, with single blanks and without punctuation at its end. */
export function plainText(text: string): string {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  // A pattern with $ would look at the rest of the text from each mark in it.
  let end = plain.length;
  while (END_MARKS.has(plain[end - 1] ?? '')) end -= 1;
  return plain.slice(0, end);
}

const END_MARKS = new Set('.。!！;；,，');

/** Marks before and within a path are counted, so that a long run of them is not read again from each. */
const WORDS =
  /[\p{Script=Han}]+|[\p{L}\p{N}_](?:[\p{L}\p{N}_./:@#+~-]*[\p{L}\p{N}_+#])?|[/~.][./~-]{0,64}[\p{L}\p{N}_]+(?:[./~-]{1,64}[\p{L}\p{N}_]+)*/gu;

const HAN = /^\p{Script=Han}/u;

const EXACT = /[\d/\\_@:]|[a-z]\.[a-z]/;

const NEGATIONS = `not,never,no longer,don'?t,do not,doesn'?t,isn'?t,aren'?t,cannot,can'?t,won'?t,without,avoid,hates,hate,dislikes,dislike,stop`;
const NEGATIONS_ZH = '不再,不要,不用,不是,不能,不得,不许,不喜欢,不使用,讨厌,禁止,从不,避免,没有';
const NEGATION = new RegExp(`\\b(?:${NEGATIONS.split(',').join('|')})\\b|${NEGATIONS_ZH.split(',').join('|')}|别(?=用|再|把|在)`, 'g');

/** Verbs of choosing and liking are included: they only say what kind an entry is, and its file says that already. */
const STOP_WORDS = new Set(
  `a an the i we you it they he she is are was were be been being to of and or for in on at with that this these those my our your its as so
please just really very also would will shall should can could do does did have has had let lets s ll d ve m re t us me
decide decided deciding choose chose chosen choosing choice decision agreed agree go going went pick picked select selected settle settled
use used uses using prefer prefers preferred preference like likes love want wants usually generally typically always
not never no longer don dont doesn isn aren cannot won without avoid hate hates dislike dislikes stop
now actually from then here there per user remember note keep kept`.split(/\s+/),
);

const HAN_STOP_WORDS = new RegExp(
  `我们 咱们 你们 用户 不喜欢 喜欢 偏好 偏爱 习惯 更愿意 决定 选择 选定 选用 确定 采用 使用 改用 就用 不再 不要 不用 不是 不能 不得 不许 讨厌 禁止 从不 避免 没有 以后 今后 现在 目前 一律 总是 通常
一般 请 都 我 你 的 了 吧 呢 啊 是 为 就 也 更 很 要 别 用 在`
    .split(/\s/)
    .join('|'),
  'g',
);

function termsIn(words: string): readonly string[] {
  return (separateScripts(words).match(WORDS) ?? []).flatMap((word) => (HAN.test(word) ? hanTerms(word) : latinTerms(word)));
}

/** Puts a blank between Chinese and Latin words, which are often written without one. */
const separateScripts = (words: string): string =>
  words.replace(/(?<=\p{Script=Han})(?=[^\p{Script=Han}\s])|(?<=[^\p{Script=Han}\s])(?=\p{Script=Han})/gu, ' ');

const latinTerms = (word: string): readonly string[] => (STOP_WORDS.has(word) ? [] : [singular(word)]);

const singular = (word: string): string => (/^[a-z]{4,}s$/.test(word) && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word);

/** Splits at words that carry no meaning. Each part becomes overlapping pairs; a single character stands for itself. */
const hanTerms = (run: string): readonly string[] =>
  run
    .split(HAN_STOP_WORDS)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const chars = [...part];
      return chars.length === 1 ? [part] : chars.slice(1).map((char, at) => `${chars[at]}${char}`);
    });

/** How much of the longer statement the shorter one must cover: a word or two more say the same, a further clause does not. */
const MIN_COVERAGE = 0.75;

/** True when both say the same: both or neither negated, the same exact terms, and one has all the words of the other and hardly more. */
export function sameSense(a: Sense, b: Sense): boolean {
  if (a.negated !== b.negated || !equalLists(a.exact, b.exact)) return false;
  const [small, large] = a.terms.length <= b.terms.length ? [a.terms, b.terms] : [b.terms, a.terms];
  if (small.length < large.length && (small.length < 3 || small.length / large.length < MIN_COVERAGE)) return false;
  return isSubsequence(small, large);
}

function isSubsequence(small: readonly string[], large: readonly string[]): boolean {
  let at = 0;
  for (const term of large) if (term === small[at]) at += 1;
  return at === small.length;
}

export const equalLists = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((term, at) => term === b[at]);

/** Encodes a sense in one word without blanks that does not reveal its terms. Comparable with others made by this function. */
export function hashSense({ terms, exact, negated }: Sense): string {
  const hashTerms = (list: readonly string[]) => list.slice(0, MAX_TERMS).map((term) => hashOf(term).slice(0, 6));
  return `${negated ? '-' : '+'}${hashTerms(terms).join('.')}|${hashTerms(exact).join('.')}`;
}

const MAX_TERMS = 80;

export function parseHashedSense(text: string): Sense | undefined {
  const [, sign, terms, exact] = /^([+-])([0-9a-f.]*)\|([0-9a-f.]*)$/.exec(text) ?? [];
  if (sign === undefined || terms === undefined || exact === undefined) return undefined;
  const splitTerms = (part: string) => (part === '' ? [] : part.split('.'));
  return { negated: sign === '-', terms: splitTerms(terms), exact: splitTerms(exact) };
}

/** Returns 13 hexadecimal digits for a text. Not for secrecy: equal texts have equal hashes, different ones hardly ever do. */
export function hashOf(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (2 ** 32 * (b & 0xfffff) + (a >>> 0)).toString(16).padStart(13, '0');
}
