/** When a later sentence ends what an earlier one ordered or settled. Careful: where it is not plain, both stand, the later one after. */

import { unique } from '../../domain/lists.ts';
import { changesSomething, ends, forbids, overlap, sameTopic, statementOf, swapsOneThing } from '../../domain/memory/ends.ts';
import { senseOf } from '../../domain/memory/memory-sense.ts';
import { chineseOf, either, englishOf, rejectionsIn, takesThing } from '../../domain/memory/rejections.ts';
import type { Message } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { memoizeRecent } from '../../domain/value/memoize.ts';
import { toolCalls } from '../ledger/tool-calls.ts';
import { isQuestion } from '../sentence/asks.ts';
import { sentencesOf } from '../text/sentences.ts';

/** True when a later sentence of the user takes the order back, allows what it forbade, or puts another thing in its place. */
export const endsOrder = (later: string, order: string): boolean =>
  !isQuestion(later) && (!isPlan(order) || NAMES_PLAN.test(later)) && ends(statement(later), statement(order));

const statement = memoizeRecent(statementOf, { minChars: 1, maxChars: 500, keptChars: 100_000 });

/** Returns the decisions that still stand after what was said: the user gave none of these up, or the model did not take it back. */
function withoutGivenUpDecisions(decisions: readonly string[], sentences: readonly string[], by: 'user' | 'model'): string[] {
  const ends = decisions.length === 0 ? [] : sentences.slice(0, MAX_COMPARED).flatMap((text) => endingIn(text, by));
  return decisions.filter((decision) => !ends.some((ending) => ending(decision)));
}

/** A word of the user that names what is not wanted ends only what took it; one that changes something, what is about the same. */
export function withoutReplaced(decisions: readonly string[], changes: readonly string[], sentences: readonly string[]): string[] {
  const others = decisions.length === 0 ? [] : changes.filter((sentence) => rejectionsIn(sentence, 'user').length === 0);
  return withoutGivenUpDecisions(decisions, sentences, 'user').filter(
    (decision) => !others.some((sentence) => endsOrder(sentence, decision)),
  );
}

/** The first of the sentences with which the user gave a decision up: what holds in its place. */
export const givesUpOne = (decisions: readonly string[], sentences: readonly string[]): string | undefined =>
  decisions.length === 0
    ? undefined
    : sentences.slice(0, MAX_COMPARED).find((text) => endingIn(text, 'user').some((ends) => decisions.some(ends)));

/** Drops from a list of decisions, oldest first, what a later one of them gives up: lists of older versions may hold both. */
export const withoutTakenBack = (decisions: readonly string[]): string[] =>
  decisions.filter((_, at) => {
    const later = decisions.slice(at + 1, at + 1 + MAX_COMPARED);
    return withoutGivenUpDecisions(decisions.slice(at, at + 1), later, 'user').length > 0;
  });

function endingIn(later: string, by: 'user' | 'model'): readonly ((decision: string) => boolean)[] {
  if (later.length > MAX_CHARS || isQuestion(later)) return [];
  const rejections = rejectionsIn(later, by);
  const isPlain = (by === 'user' ? givesUp : tookBack)(later);
  if (!isPlain && rejections.length === 0) return [];
  const sense = senseOf(later);
  return [
    (decision) =>
      later !== decision &&
      (!isPlan(decision) || NAMES_PLAN.test(later)) &&
      (rejections.length === 0
        ? !givesUp(decision) && sameTopic(senseOf(decision), sense)
        : rejections.some((rejection) => takesThing(decision, rejection))),
  ];
}

/** A pasted page is not compared sentence by sentence with all that stands. */
const MAX_COMPARED = 60;

const TOOK_BACK = [
  englishOf(String.raw`\b(?:i|we)(?:'ve| have)? (?:now )?{UNDID}`),
  englishOf(String.raw`{WAS} (?:reverted|rolled back|backed out|abandoned|scrapped)\b`),
  chineseOf('(?:已|已经|我)(?:撤销|回退|撤回|放弃|恢复)了?'),
];
const tookBack = either(...TOOK_BACK);
const givesUp = either(
  ...TOOK_BACK,
  englishOf(String.raw`{LET_US_NOT}|\bwe {WILL_NOT} {WANT}|^(?:{LEAD},? )*{END} (?!to\b)`),
  englishOf(String.raw`^(?:{LEAD},? )*no \S+(?: \S+){0,3} after all\b|\bnot \S+(?: \S+){0,4} after all\b`),
  englishOf(String.raw`\b(?:is|are) {NOT_WANTED}`),
  chineseOf('(?:{NO_LONGER}|撤销|改回)[^，。]{1,30}(?:了|吧|方案)|(?:还是)?(?:不用|别用)'),
);

/** True when the later decision is about the same thing: it changes the earlier one or says it anew. */
function replacesDecision(later: string, earlier: string): boolean {
  if (namesOtherSubject(earlier, later) || isPlan(earlier)) return false;
  const [a, b] = [senseOf(earlier), senseOf(later)];
  const shared = overlap(a, b);
  if (shared.share >= RESTATED_SHARE && shared.terms >= 2 && a.terms.length <= MAX_GROWTH * b.terms.length) return true;
  const rejections = rejectionsIn(later, 'user');
  if (rejections.length > 0) return rejections.some((rejection) => takesThing(earlier, rejection));
  return (changesSomething(later) && sameTopic(a, b)) || swapsOneThing(earlier, later);
}

export const addDecision = (decisions: readonly string[], decision: string): string[] => [
  ...decisions.filter(
    (earlier, at) => earlier !== decision && (at < decisions.length - MAX_COMPARED || !replacesDecision(decision, earlier)),
  ),
  decision,
];

/**
 * What the model chooses ends what it chose before. What the user settled is ended only by what a reply reports at the end of a turn, where
 * the user reads it, and by a choice only where it says the same.
 */
export function withChoices(
  before: { readonly decisions: readonly string[]; readonly chosen: readonly string[] },
  said: { readonly sentences: readonly string[]; readonly decisions: readonly string[]; readonly ended: boolean },
): string[] {
  const isOwn = (decision: string): boolean => before.chosen.includes(decision);
  const standing = withoutGivenUpDecisions(before.decisions, said.sentences, 'model');
  const own = said.decisions.reduce(
    addDecision,
    standing.filter((decision) => isOwn(decision)),
  );
  const isSaid = (decision: string): boolean => own.includes(decision) || own.some((choice) => saysNoMore(choice, decision));
  const kept = before.decisions.filter((decision) =>
    isOwn(decision) ? own.includes(decision) : (!said.ended || standing.includes(decision)) && !isSaid(decision),
  );
  return [...kept, ...own.filter((decision) => !kept.includes(decision))];
}

function saysNoMore(choice: string, decision: string): boolean {
  const [a, b] = [senseOf(choice).terms.length, senseOf(decision).terms.length];
  return Math.min(a, b) >= Math.max(a, b) * 0.6 && saysTheSame(choice, decision);
}

/** True when the text says one of the decisions, in its words or nearly so. */
export const restatesDecision = (text: string, decisions: readonly string[]): boolean =>
  decisions.length > 0 &&
  (decisions.some((decision) => text.includes(decision)) ||
    sentencesOf(text.slice(0, MAX_CHARS)).some((sentence) => decisions.some((decision) => saysTheSame(sentence, decision))));

function saysTheSame(a: string, b: string): boolean {
  const { share, terms } = overlap(senseOf(a), senseOf(b));
  return share >= RESTATED_SHARE && terms >= 2 && forbids(a) === forbids(b) && !isQuestion(a);
}

/** "parser 的时间格式改用…" and "mailer 的时间格式改用…": the names before the verb say what each is about. */
function namesOtherSubject(a: string, b: string): boolean {
  const [first, second] = [subjectNames(a), subjectNames(b)];
  return first.length > 0 && second.length > 0 && !first.some((name) => second.includes(name));
}

const subjectNames = (text: string): readonly string[] =>
  /[一-龥]/.test(text)
    ? (text
        .slice(0, MAX_CHARS)
        .split(/改用|改成|改为|换成|采用|选用|定为|就用|用/, 1)[0]
        ?.toLowerCase()
        .match(/[a-z][\w.-]{1,60}/g) ?? [])
    : [];

/** True when a reply says, of the same thing, that another way is better than the one that was just taken. */
export const thinksBetter = (sentence: string, decision: string): boolean =>
  sentence !== decision && isBetter(sentence.slice(0, MAX_CHARS)) && overlap(senseOf(decision), senseOf(sentence)).terms >= 2;

const isBetter = either(
  englishOf('^{THINKS}[,:. —–-].{0,120}{BETTER}'),
  englishOf(String.raw`\b(?:better|best|simplest|cleanest|right) (?:solution|approach|option|way|fix|idea)\b`),
  englishOf(String.raw`\binstead,? (?:of option|i'?ll|we'?ll|let me|let's)\b`),
  chineseOf('^{THINKS}[，,].{0,60}{BETTER}|(?:更好|更简单|最好)的(?:办法|方案|做法)'),
);

export const sharesTopic = (a: string, b: string): boolean => sameTopic(senseOf(a), senseOf(b));

const MAX_CHARS = 400;
const RESTATED_SHARE = 0.8;
const MAX_GROWTH = 3;

/** Before a plan that the user accepted: it is of many things, and a word about one of them does not end it. */
export const PLAN_PREFIX = 'Plan that the user accepted: ';
const isPlan = (decision: string): boolean => decision.startsWith(PLAN_PREFIX);
const NAMES_PLAN = /\bplan\b|计划|方案/i;

/** What the model took of its own options without being asked, and the code names by which they are told apart. */
export type OwnChoice = { readonly decision: string; readonly own: readonly string[]; readonly others: readonly string[] };

export function ownChoice(decision: string, { option, reply }: { readonly option: string; readonly reply: string }): OwnChoice {
  const options = reply.split('\n').filter((line) => LISTED.test(line));
  const plainOption = option.slice(0, OPTION_START);
  const isOwn = (line: string): boolean => line.replace(/\*\*|__/g, '').includes(plainOption);
  const own = unique(options.filter(isOwn).flatMap(codeNames));
  return { decision, own, others: unique(options.filter((line) => !isOwn(line)).flatMap(codeNames)).filter((name) => !own.includes(name)) };
}

const OPTION_START = 30;
const LISTED = /^\s*(?:[-*•]|\(?(?:[a-h]|\d{1,2})[.)、:：])\s/i;

/** `theme.borderOf(level)` is known by its last name. */
const codeNames = (line: string): readonly string[] =>
  [...line.slice(0, 2_000).matchAll(/`[^`\n]{0,60}?(\w{6,60})(?:\([^`\n)]{0,60}\))?`/g)].map(([, name = '']) => name);

/** True when the model says that another way is better after all, or writes what only another of its options had. */
export function isGivenUp({ decision, own, others }: OwnChoice, message: Message, text: string): boolean {
  const sentences = sentencesOf(text).slice(0, MAX_COMPARED);
  if (sentences.some((sentence) => thinksBetter(sentence, decision))) return true;
  const written = toolCalls([message], () => undefined).flatMap(({ kind, input }) => (kind === 'write' ? [newTextOf(input)] : []));
  const isWritten = (name: string): boolean => written.some(({ added, before }) => added.includes(name) && !before.includes(name));
  return others.some(isWritten) && !own.some(isWritten);
}

function newTextOf(input: unknown): { readonly added: string; readonly before: string } {
  const fields = isObject(input) ? Object.entries(input).flatMap(([key, value]) => (isString(value) ? [[key, value] as const] : [])) : [];
  const textOf = (isBefore: boolean): string =>
    fields.flatMap(([key, value]) => (/old|search|find/i.test(key) === isBefore ? [value] : [])).join('\n');
  return { added: textOf(false), before: textOf(true) };
}
