/**
 * Does a later sentence end an earlier one? It gives the same thing another value, says the contrary, lifts what was ordered, or puts one
 * thing in the place of another. Careful: in doubt both stand.
 */

import { equalLists, plainText, type Sense, senseOf } from './memory-sense.ts';
import { chineseOf, either, englishOf, kinds } from './rejections.ts';

export type Statement = {
  readonly plain: string;
  readonly sense: Sense;
  /** Undefined when the statement does not give one thing one value. */
  readonly slot: Slot | undefined;
};

export function statementOf(text: string): Statement {
  const plain = plainText(text);
  return { plain, sense: senseOf(plain), slot: plain.length <= MAX_SLOT_CHARS ? slotIn(plain) : undefined };
}

/** Longer statements say more than one thing. */
const MAX_SLOT_CHARS = 300;
const MAX_CHARS = 400;

export function ends(later: Statement, earlier: Statement): boolean {
  if (later.plain === earlier.plain) return false;
  if (contradicts(later.sense, earlier.sense) || hasOtherValue(later.slot, earlier.slot) || replaces(later.plain, earlier.slot))
    return true;
  if (later.plain.length > MAX_CHARS) return false;
  if (lifts(later, earlier) || swapsOneThing(earlier.plain, later.plain) || swapsKin(earlier.plain, later.plain)) return true;
  // "Jest 我们不用了，换成 Vitest" and "no tabs, I changed my mind": one clause lets go by itself, or another says that a mind has changed.
  const parts = later.plain.split(/[,，;；]|\bany ?more$/).filter((part) => part.trim() !== '' && !changesMind(part));
  const changes = changesMind(later.plain) || /\bany ?more$/.test(later.plain);
  return parts.some((part) => part !== later.plain && lifts(statementOf(part), earlier, changes));
}

/** "I prefer tabs", then "use spaces from now on": one of a kind in the place of another, and nothing else that only one of them speaks of. */
function swapsKin(earlier: string, later: string): boolean {
  if (!swaps(later) || forbids(later) || forbids(earlier)) return false;
  return kinds().some((kin) => {
    const [a, b] = [kin.exec(earlier)?.[0], kin.exec(later)?.[0]];
    if (a === undefined || b === undefined || a === b) return false;
    const [before, after] = [topicWords(earlier.replace(a, ' ')), topicWords(later.replace(b, ' '))];
    return isWithin(before, after) || isWithin(after, before);
  });
}

const topicWords = (text: string): readonly string[] => wordsOfValue(text.replace(FILLERS_ZH, ' ')).filter((word) => !FILLERS.has(word));
const isWithin = (some: readonly string[], others: readonly string[]): boolean => some.every((word) => others.includes(word));

/** True for the same words with and without a "not", or in another order around a word such as "over" or "than". */
function contradicts(one: Sense, two: Sense): boolean {
  if (one.terms.length !== two.terms.length) return false;
  const sortedTerms = (sense: Sense) => [...sense.terms].sort();
  if (!equalLists(sortedTerms(one), sortedTerms(two))) return false;
  if (one.negated !== two.negated) return true;
  return !equalLists(one.terms, two.terms) && one.terms.some((term) => COMPARISON_WORDS.has(term));
}

const COMPARISON_WORDS = new Set(['over', 'than', 'instead', 'before', 'rather']);

function hasOtherValue(a: Slot | undefined, b: Slot | undefined): boolean {
  if (a === undefined || b === undefined || a.subject.length === 0 || a.value === b.value || !equalLists(a.subject, b.subject))
    return false;
  return a.family === b.family && a.family !== 'be' ? true : isOneValued(a, b);
}

/** A thing can be many things at once, but it has one port, one name and one path. */
const isOneValued = (a: Slot, b: Slot): boolean => a.subject.some((term) => ATTRIBUTES.has(term)) || (isExact(a.value) && isExact(b.value));
const isExact = (value: string): boolean => /^\S*(?:[\d/@]|\w\.\w)\S*$/.test(value);
const ATTRIBUTES = new Set(
  `port path version name url host address database deadline branch timezone zone folder directory email endpoint password size limit default
language 端口 路径 版本 名字 名称 地址 数据 据库 截止 时间 日期 分支 时区 目录 主机 语言 邮箱 上限`.split(/\s+/),
);

const REPLACED = [
  englishOf(String.raw`{REPLACES}\s+([^\s,;。，]+(?: [^\s,;]+)?)`),
  chineseOf(String.raw`{REPLACES}\s*([^\s，。,；]{1,20})`),
  chineseOf(String.raw`把\s*([^\s，。,；]{1,20}?)\s*{TURNED_TO}`),
  chineseOf(String.raw`从\s*([^\s，。,；]{1,20}?)\s*{LEFT_FOR}`),
];

function replaces(newer: string, choice: Slot | undefined): boolean {
  if (choice === undefined || choice.family === 'place' || choice.value.startsWith('not ') || newer.length > MAX_SLOT_CHARS) return false;
  const replaced = REPLACED.flatMap((pattern) => pattern().exec(newer)?.[1] ?? [])[0];
  if (replaced === undefined) return false;
  const [first = ''] = wordsOfValue(replaced);
  return first !== '' && choice.value === wordsOfValue(replaced.split(' ')[0]).join(' ');
}

const both = (en: string, zh = en) => either(englishOf(en), chineseOf(zh));
export const changesSomething = both('{CHANGES}');
const swaps = both('{SWAPS}');
const isForNow = both('{FOR_NOW}');
const needNot = both(String.raw`{NEED_NOT}|\bno longer (?=(?:\w+ly )?{LIFTED})`, '{NEED_NOT}');
const revokes = both(`^(?:ok(?:ay)?,? |please )*{REVOKE}.{0,40}{RULES}`, '{REVOKE}[^，。]{0,20}{RULES}|{RULES}[^，。]{0,6}{REVOKE}');
const hasBan = both(String.raw`{FORBIDS}(?! longer)|\bleave .{1,40} alone\b|\bno longer (?!(?:\w+ly )?{LIFTED})`, '{FORBIDS}');

const DROPS = [englishOf(`^(?:we|i)(?:'ve| have)? {REMOVED} (?<thing>.{2,40})$`), chineseOf('^(?<thing>.{2,20}?){DROPPED}$')];
const changesMind = both('{MIND_CHANGED}');

/** "Never push without asking" forbids; what stands behind "without" does not count. */
export const forbids = (text: string): boolean => hasBan(text.replace(/\b(?:without|before|unless)\b.*$/i, ''));

/** "No longer needed" lifts an order; "no longer crashes" tells that it is kept. */
function lifts(later: Statement, earlier: Statement, changes = false): boolean {
  const isContrary = forbids(earlier.plain) !== forbids(later.plain) || needNot(later.plain);
  if (isContrary && (changes || changesSomething(later.plain)) && sameTopic(earlier.sense, later.sense)) return true;
  if (isContrary && isForNow(earlier.plain) && !forbids(later.plain) && overlap(earlier.sense, later.sense).terms > 0) return true;
  const dropped = DROPS.flatMap((pattern) => pattern().exec(later.plain)?.groups?.thing ?? [])[0];
  if (dropped !== undefined && !forbids(earlier.plain) && sameTopic(earlier.sense, senseOf(dropped))) return true;
  return revokes(later.plain) && sameTopic(earlier.sense, later.sense);
}

/** So short is what lifts an order of the moment: "now commit it". */
const SHORT_CHARS = 60;

/** False for a sentence that can end nothing, whatever was ordered: most are such, and need not be compared with each order. */
export function mayEnd(sentence: string): boolean {
  if (sentence.length > MAX_CHARS) return false;
  return sentence.length <= SHORT_CHARS || changesSomething(sentence) || swaps(sentence) || revokes(sentence);
}

export function overlap(a: Sense, b: Sense): { readonly terms: number; readonly share: number } {
  const theirs = new Set(b.terms);
  const terms = a.terms.filter((term) => theirs.has(term)).length;
  return { terms, share: terms / Math.max(1, Math.min(a.terms.length, b.terms.length)) };
}

/** Most of the words of the shorter one, or an exact name and a good part of the rest. */
export function sameTopic(a: Sense, b: Sense): boolean {
  const { terms, share } = overlap(a, b);
  if (terms === 0) return false;
  const hasExact = a.exact.some((name) => b.exact.includes(name));
  return share >= (hasExact ? 0.3 : 0.5) && (terms >= 2 || hasExact || Math.min(a.terms.length, b.terms.length) === 1);
}

/** "Always use tabs", then "from now on use spaces": the same words but for one, with a word that says that something changes. */
export function swapsOneThing(earlier: string, later: string): boolean {
  if (forbids(earlier) || forbids(later) || !swaps(later)) return false;
  const [a, b] = [plainWords(earlier), plainWords(later)];
  const different = Math.max(a.filter((word) => !b.includes(word)).length, b.filter((word) => !a.includes(word)).length);
  const common = a.filter((word) => b.includes(word)).length;
  return a.length <= 12 && common >= 1 && different === 1 && Math.abs(a.length - b.length) <= 1;
}

const FILLERS = new Set(
  `from now on instead please always again after all the a an we will let s ll to switch switched back i ok okay then in future for every must
should and rather have d better prefer back mind changed`.split(/\s+/),
);
const FILLERS_ZH = /从现在起|从现在开始|现在起|以后|今后|改成|改用|改为|换成|还是|一律|统一|都|请|必须|用|了|吧|我们|把/g;

/** The words but for those of changing and ordering; Chinese in pairs of characters. */
function plainWords(text: string): readonly string[] {
  const words =
    text
      .toLowerCase()
      .replace(FILLERS_ZH, ' ')
      .match(/[a-z0-9_./-]*[a-z0-9_]|[\u4e00-\u9fff]{1,2}/g) ?? [];
  return words.filter((word) => !FILLERS.has(word));
}

/** Which value a statement gives to which thing: "the port is 8443", "the docs live in /srv/docs", "we use Vitest for tests". */
export type Slot = {
  readonly family: 'be' | 'place' | 'use';
  readonly subject: readonly string[];
  readonly value: string;
};

export const slotIn = (plain: string): Slot | undefined => answerSlot(plain) ?? slotOf(plain) ?? choiceSlot(plain);

const OPENING = englishOf(String.raw`^(?:{OPENING}[,，:：]?\s*)+|^(?:we|i|the user)(?:'ve| have| had)? ?{SETTLED} (?:that|to) `);
const OPENING_ZH = chineseOf(String.raw`^(?:{OPENING}[,，:：]?\s*)+|^(?:我们|咱们|我)(?:决定)?\s*`);

type SlotForm = readonly [family: Slot['family'], form: () => RegExp];

const ENGLISH_FORMS: readonly SlotForm[] = [
  ['place', englishOf('^(?<subject>.{1,80}?) (?:now )?{LIES} (?<value>.{1,120})$')],
  ['be', englishOf('^(?<subject>.{1,80}?) (?:now )?{EQUALS} (?<value>.{1,120})$')],
  [
    'use',
    englishOf('^(?:(?<subject>.{0,80}?) )?(?:now )?(?:{USUALLY} )*{USES} (?<value>.{1,80}?)(?: (?:for|as|in|when|on) (?<scope>.{1,80}))?$'),
  ],
];
const CHINESE_FORMS: readonly SlotForm[] = [
  ['place', chineseOf(String.raw`^(?<subject>.{0,40}?)(?:现在)?{LIES}\s*(?<value>.{1,80})$`)],
  ['use', chineseOf(String.raw`^(?<subject>.{1,40}?)(?:{USUALLY})*(?:不再)?{USES}\s*(?<value>.{1,60})$`)],
  ['be', chineseOf(String.raw`^(?<subject>.{1,40}?)(?:现在)?{EQUALS}\s*(?<value>.{1,80})$`)],
];

/** Subjects of so many sentences that two sentences about one of them need not be about the same thing. */
const GENERIC_SUBJECTS = new Set('project repo repository app code system team 项目 仓库 代码 系统 团队'.split(' '));

const withoutOpening = (text: string): string => {
  const once = (some: string): string => some.replace(OPENING(), '').replace(OPENING_ZH(), '');
  return once(once(text));
};

function slotOf(text: string): Slot | undefined {
  const clause = withoutOpening(text);
  for (const [family, form] of /\p{Script=Han}/u.test(clause) ? CHINESE_FORMS : ENGLISH_FORMS) {
    const groups = form().exec(clause)?.groups;
    if (groups === undefined) continue;
    const own = family === 'place' && /^(?:i|我(?!们))/.test(text) && /^i?$/.test(groups.subject ?? '') ? ['i'] : [];
    const subject = [...own, ...[groups.subject, groups.scope].flatMap(wordsOfValue)].sort();
    const specificTerms = family === 'use' && subject.every((term) => GENERIC_SUBJECTS.has(term)) ? [] : subject;
    const { negated } = senseOf(clause);
    return { family, subject: specificTerms, value: `${negated ? 'not ' : ''}${wordsOfValue(groups.value).join(' ')}` };
  }
  return undefined;
}

export function wordsOfValue(part: string | undefined): readonly string[] {
  if (part === undefined || part.trim() === '') return [];
  const { terms } = senseOf(part);
  return terms.length === 1 && terms[0] === plainText(part) && senseOf(`${part} zzz`).terms.length === 1 ? [] : terms;
}

const choiceSlot = (text: string): Slot | undefined => {
  const value = /^(?:使用|采用|选用|改用|用|选择)\s*(?<value>.{1,60})$/.exec(withoutOpening(text))?.groups?.value;
  return value === undefined ? undefined : { family: 'use', subject: [], value: wordsOfValue(value).join(' ') };
};

/** A choice among options that were offered: another answer to the same question replaces it. */
const answerSlot = (text: string): Slot | undefined => {
  const { value, subject } = /^(?:chosen|选定): ?(?<value>.{1,200}?) ?\((?:asked|问): ?(?<subject>.{1,120})\)$/.exec(text)?.groups ?? {};
  return value === undefined || subject === undefined ? undefined : { family: 'use', subject: [...wordsOfValue(subject)].sort(), value };
};
