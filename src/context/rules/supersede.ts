/** When a later sentence ends what an earlier one ordered or settled. Careful: where it is not plain, both stand, the later one after. */
import { type Sense, senseOf } from '../../domain/memory/memory-sense.ts';
import { isQuestion } from '../sentence/asks.ts';
import { rejectionsIn, takesThing } from '../text/rejected.ts';
import { sentencesOf } from '../text/sentences.ts';

/** True when a later sentence of the user takes the order back, allows what it forbade, or puts another thing in its place. */
export function endsOrder(later: string, order: string): boolean {
  if (later === order || later.length > MAX_CHARS || isQuestion(later) || (isPlan(order) && !NAMES_PLAN.test(later))) return false;
  const [a, b] = [senseOf(order), senseOf(later)];
  const isContrary = forbids(order) !== forbids(later) || NEED_NOT.test(later);
  if (isContrary && CHANGES.test(later) && sameTopic(a, b)) return true;
  if (isContrary && FOR_NOW.test(order) && !forbids(later) && overlap(a, b).terms > 0) return true;
  return REVOKES.test(later) && sameTopic(a, b) ? true : swapsOneThing(order, later);
}

/** Returns the decisions that still stand after what was said: the user gave none of these up, or the model did not take it back. */
export function withoutGivenUpDecisions(decisions: readonly string[], sentences: readonly string[], by: 'user' | 'model'): string[] {
  const ends = decisions.length === 0 ? [] : sentences.slice(0, MAX_COMPARED).flatMap((text) => endingIn(text, by));
  return decisions.filter((decision) => !ends.some((ending) => ending.ends(decision)));
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
    : sentences.slice(0, MAX_COMPARED).find((text) => endingIn(text, 'user').some(({ ends }) => decisions.some(ends)));

/** Drops from a list of decisions, oldest first, what a later one of them gives up: lists of older versions may hold both. */
export const withoutTakenBack = (decisions: readonly string[]): string[] =>
  decisions.filter((_, at) => {
    const later = decisions.slice(at + 1, at + 1 + MAX_COMPARED);
    return withoutGivenUpDecisions(decisions.slice(at, at + 1), later, 'user').length > 0;
  });

type Ending = { readonly ends: (decision: string) => boolean };

function endingIn(later: string, by: 'user' | 'model'): readonly Ending[] {
  if (later.length > MAX_CHARS || isQuestion(later)) return [];
  const rejections = rejectionsIn(later, by);
  const isPlain = (by === 'user' ? GIVES_UP : TOOK_BACK).test(later);
  if (!isPlain && rejections.length === 0) return [];
  const sense = senseOf(later);
  const ends = (decision: string): boolean =>
    later !== decision &&
    (!isPlan(decision) || NAMES_PLAN.test(later)) &&
    (rejections.length === 0
      ? !GIVES_UP.test(decision) && sameTopic(senseOf(decision), sense)
      : rejections.some((rejection) => takesThing(decision, rejection)));
  return [{ ends }];
}

/** A pasted page is not compared sentence by sentence with all that stands. */
const MAX_COMPARED = 60;

const TOOK_BACK =
  /\b(?:I|we)(?:'ve| have)? (?:now )?(?:reverted|undid|undone|rolled back|backed out|abandoned|given up|gave up|scrapped|gone back|went back|switched back)\b|\b(?:was|were|is|are|has been|have been) (?:reverted|rolled back|backed out|abandoned|scrapped)\b|(?:已|已经|我)(?:撤销|回退|撤回|放弃|恢复)了?/i;
const GIVES_UP = new RegExp(
  [
    TOOK_BACK.source,
    String.raw`\blet'?s (?:not|drop|scrap|undo|revert|abandon|ditch)\b|\bwe (?:won't|will not|shouldn't|should not|don't|do not|no longer) (?:use|do|go|keep|need|want|build)\b`,
    String.raw`^(?:ok(?:ay)?,? |no,? |nah,? |actually,? |please )*(?:scrap|drop|forget(?: about)?|ditch|abandon|revert|undo|roll back|lose|never ?mind) (?!to\b)`,
    String.raw`^(?:ok(?:ay)?,? |actually,? )*no \S+(?: \S+){0,3} after all\b|\b(?:is|are) (?:out|off the table|not needed)\b|\bnot \S+(?: \S+){0,4} after all\b`,
    '(?:不用|不要|不做|不采用|放弃|撤销|取消|去掉|改回)[^，。]{1,30}(?:了|吧|方案)|(?:还是)?(?:不用|别用)',
  ].join('|'),
  'i',
);

/** False for a sentence that can end nothing, whatever was ordered: most are such, and need not be compared with each order. */
export const mayEndOrders = (sentence: string): boolean =>
  sentence.length <= MAX_CHARS &&
  (CHANGES.test(sentence) || SWAPS.test(sentence) || REVOKES.test(sentence) || sentence.length <= SHORT_CHARS);

/** True when the later decision is about the same thing: it changes the earlier one or says it anew. */
function replacesDecision(later: string, earlier: string): boolean {
  if (namesOtherSubject(earlier, later) || isPlan(earlier)) return false;
  const [a, b] = [senseOf(earlier), senseOf(later)];
  const shared = overlap(a, b);
  if (shared.share >= RESTATED_SHARE && shared.terms >= 2 && a.terms.length <= MAX_GROWTH * b.terms.length) return true;
  const rejections = rejectionsIn(later, 'user');
  if (rejections.length > 0) return rejections.some((rejection) => takesThing(earlier, rejection));
  return (CHANGES.test(later) && sameTopic(a, b)) || swapsOneThing(earlier, later);
}

/** A decision takes the place of the one that it replaces. */
export const addDecision = (decisions: readonly string[], decision: string): string[] => [
  ...decisions.filter(
    (earlier, at) => earlier !== decision && (at < decisions.length - MAX_COMPARED || !replacesDecision(decision, earlier)),
  ),
  decision,
];

/**
 * What the model chooses ends what it chose before. What the user settled is ended only by what a reply reports at the end of a turn, where
 * the user reads it: a change of course in passing ends nothing of it, and a choice only where it says the same.
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
  sentence !== decision && BETTER.test(sentence.slice(0, MAX_CHARS)) && overlap(senseOf(decision), senseOf(sentence)).terms >= 2;

const BETTER =
  /^(?:actually|on second thoughts?|hm+|wait)\b[,:. —–-].{0,120}\b(?:better|best|simpler|cleaner|instead|rather|option|approach)\b|\b(?:better|best|simplest|cleanest|right) (?:solution|approach|option|way|fix|idea)\b|\binstead,? (?:of option|i'?ll|we'?ll|let me|let's)\b|^(?:其实|不对|再想想)[，,].{0,60}(?:更好|更简单|应该|改用|还是)|(?:更好|更简单|最好)的(?:办法|方案|做法)/i;

/** True when two sentences speak of the same thing. */
export const sharesTopic = (a: string, b: string): boolean => sameTopic(senseOf(a), senseOf(b));

const MAX_CHARS = 400;
/** So short is what lifts an order of the moment: "now commit it". */
const SHORT_CHARS = 60;
const RESTATED_SHARE = 0.8;
/** What has so many times the words says more than what is said anew. */
const MAX_GROWTH = 3;

/** Before a plan that the user accepted: it is of many things, and a word about one of them does not end it. */
export const PLAN_PREFIX = 'Plan that the user accepted: ';
const isPlan = (decision: string): boolean => decision.startsWith(PLAN_PREFIX);
const NAMES_PLAN = /\bplan\b|计划|方案/i;

/** "No longer needed" lifts an order; "no longer crashes" tells that it is kept. */
const LIFTED = String.raw`(?:\w+ly )?(?:need|necess|requir|ha(?:s|ve)\b|must|appl|forb|ban|frozen|read-|off|prohib|restrict|matter|relevant|import|in force|valid|true)`;
const FORBIDS = new RegExp(
  String.raw`\b(?:never|not|do ?n'?t|dont|no|avoid|stop|forbid(?:s|den)?|mustn'?t|can'?t|cannot|hands off|stay away|leave .{1,40} alone)\b(?! longer)|\bno longer (?!${LIFTED})|不|别|禁止|严禁|勿`,
  'i',
);
const forbids = (text: string): boolean => FORBIDS.test(text.replace(/\b(?:without|before|unless)\b.*$/i, ''));

/** Words that let go of something, or put something else in its place. */
const CHANGES =
  /\b(?:you (?:can|may|could)|feel free|(?:it'?s|it is|is|are) (?:now )?(?:ok|okay|fine|allowed)|go ahead|allowed (?:now|again)|no longer|any ?more|no need|need not|(?:do ?n[o']t|not) (?:have|need) to|never ?mind|forget|ignore|instead|rather than|from now on|after all|changed my mind|again|now|switch(?:ed|ing)? (?:back )?to|back to)\b|可以|不用|不必|无需|没必要|取消|解除|放开|算了|作废|不再|现在起|从现在|改(?:成|用|为)|还是|换成/i;
const NEED_NOT = new RegExp(
  String.raw`\b(?:no need|need not|(?:do ?n[o']t|not) (?:have|need) to|no longer (?=${LIFTED})|any ?more)\b|不用|不必|无需|没必要|不再`,
  'i',
);
const REVOKES =
  /^(?:ok(?:ay)?,? |please )*(?:forget|ignore|drop|lift|cancel|scrap|remove|revoke)\b.{0,40}\b(?:rules?|ban|constraints?|restrictions?|requirements?|what i said|about)\b|(?:取消|解除|忽略|忘掉)[^，。]{0,20}(?:规则|限制|要求|约束|禁令)|(?:规则|限制|要求|约束)[^，。]{0,6}(?:取消|作废|解除)/i;
const FOR_NOW = /\b(?:yet|for now|right now)\b|先别|先不要|暂时/i;

function overlap(a: Sense, b: Sense): { readonly terms: number; readonly share: number } {
  const theirs = new Set(b.terms);
  const terms = a.terms.filter((term) => theirs.has(term)).length;
  return { terms, share: terms / Math.max(1, Math.min(a.terms.length, b.terms.length)) };
}

/** Most of the words of the shorter one, or an exact name and a good part of the rest. */
function sameTopic(a: Sense, b: Sense): boolean {
  const { terms, share } = overlap(a, b);
  if (terms === 0) return false;
  const hasExact = a.exact.some((name) => b.exact.includes(name));
  return share >= (hasExact ? 0.3 : 0.5) && (terms >= 2 || hasExact || Math.min(a.terms.length, b.terms.length) === 1);
}

/** "Always use tabs", then "from now on use spaces": the same words but for one, with a word that says that something changes. */
function swapsOneThing(earlier: string, later: string): boolean {
  if (forbids(earlier) || forbids(later) || !SWAPS.test(later)) return false;
  const [a, b] = [plainWords(earlier), plainWords(later)];
  const different = Math.max(a.filter((word) => !b.includes(word)).length, b.filter((word) => !a.includes(word)).length);
  const common = a.filter((word) => b.includes(word)).length;
  return a.length <= 12 && common >= 1 && different === 1 && Math.abs(a.length - b.length) <= 1;
}

const SWAPS = /\b(?:from now on|instead|now|again|switch(?:ed)? to|back to|after all)\b|改(?:成|用|为)|换成|从现在|现在起|以后|还是/i;
const FILLERS = new Set(
  'from now on instead please always again after all the a an we will let s ll to switch switched back i ok okay then in future for every must should and'.split(
    ' ',
  ),
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
