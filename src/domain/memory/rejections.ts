/** What a sentence turns away from: the words for the thing itself, so that only what was settled about that thing ends. */
import { anyOf } from '../value/word-list.ts';
import { chineseOf, englishOf } from './end-words.ts';
import { type Sense, senseOf } from './memory-sense.ts';

export type Rejection = Pick<Sense, 'terms'>;

/** The things that a sentence says are not wanted, or, of the model's words, that it did away with. Empty where none is named. */
export function rejectionsIn(sentence: string, by: 'user' | 'model'): readonly Rejection[] {
  if (sentence.length > MAX_CHARS) return [];
  return (by === 'user' ? SAYS : DID).flatMap((pattern) => {
    const found = pattern()
      .exec(sentence.toLowerCase())
      ?.slice(1)
      .find((thing) => thing !== undefined);
    const thing = found?.split(THING_ENDS, 1)[0]?.replace(AROUND_THING, ' ').trim() ?? '';
    const { terms } = senseOf(thing);
    return thing === '' || terms.length > MAX_TERMS || NO_THING.test(thing) ? [] : [{ terms }];
  });
}

/** True when the decision takes the thing: all its names stand in it, and not as what it decides against. */
export function takesThing(decision: string, { terms }: Rejection): boolean {
  const taken = takenPart(decision);
  const theirs = new Set(senseOf(taken).terms);
  const isLatin = (term: string): boolean => /^[\w./:@#+~-]/.test(term);
  const common = terms.filter((term) => theirs.has(term));
  if (common.length === 0 || terms.some((term) => isLatin(term) && !theirs.has(term))) return false;
  if (common.length / terms.length < MIN_SHARE) return false;
  const [first = ''] = common;
  const at = taken.toLowerCase().indexOf(first);
  return at === -1 || !AGAINST.test(taken.slice(Math.max(0, at - AGAINST_CHARS), at));
}

/** Of a question with its answer: the answer where that names a thing of its own, or nothing when it is a no. */
function takenPart(decision: string): string {
  const [, asked, answer] = /^(?:Asked: |问：)(.*?)(?: Answer: | 答：)"?(.*)$/s.exec(decision) ?? [];
  if (asked === undefined || answer === undefined) return decision;
  if (/^(?:no|nope|nah|don'?t)\b|^(?:不|别)/i.test(answer)) return '';
  const inAsked = new Set(senseOf(asked).terms);
  return senseOf(answer).terms.some((term) => inAsked.has(term)) ? answer : asked;
}

const MAX_CHARS = 400;
const MAX_TERMS = 6;
/** Chinese is compared in pairs of characters, some of which lie across two words. */
const MIN_SHARE = 0.6;
const AGAINST_CHARS = 24;
const AGAINST = new RegExp(
  `(?:${[
    "\\b(?:no|not|never|without|avoid|n't(?: \\w+)?|than|instead of|over|drop|dropping|skip|scrap|remove|replace)",
    '不(?:用|要|做|采用|上)?|别用?|放弃|弃用|去掉|取消',
  ].join('|')})[\\s"'\`]{0,3}(?:(?:the|a|an|any|our)\\s)?(?:\\w+\\s)?$`,
  'i',
);

const THING = String.raw`((?:\S+ ){0,5}?\S+)`;
const REST = '([^,;.]{1,60})';

/** What a user says who no longer wants it. A task names more than the thing ("remove Redis from the lock file") and so ends nothing. */
const SAYS = [
  englishOf(String.raw`^(?:{LEAD},? )*no ${THING} after all\b`),
  englishOf(`^(?:{LEAD},? )*${THING} (?:is|are|isn't|aren't) (?:really |just |probably )?{NOT_WANTED}`),
  englishOf(`^(?:{LEAD},? )*(?:we|i) {WILL_NOT} (?:really |actually )?{WANT} ${REST}`),
  englishOf(String.raw`\b(?:let'?s|let us) (?:not {WANT}|{WITHOUT}|{END}) ${REST}`),
  englishOf(String.raw`\b(?:we're|we are|i'm|i am) {DROPPING} ${REST}`),
  englishOf(String.raw`\bchanged (?:my|our) minds? (?:about|on) ${REST}`),
  englishOf(String.raw`^(?:{LEAD},? )*{END} (?!to\b)${REST}`),
  chineseOf(String.raw`^{LEAD}?[，, ]{0,2}(?:我们|咱们|咱)?{STILL}?{NO_LONGER}(?:再用)?\s?([^，,。；;]{1,40}?)(?:了|吧|啦|$|[，,。；;])`),
  chineseOf(String.raw`^{LEAD}?[，, ]{0,2}([^，,。；;]{1,30}?)\s?(?:我们)?{STILL}?{NO_NEED}(?:用|上)?(?:了|吧|啦|$|[，,。；;])`),
];

const WE_HAVE = String.raw`\b(?:i|we)(?:'ve| have)?(?: now| since| therefore| also)?`;

const DID = [
  englishOf(`${WE_HAVE} ?{REMOVED} (?:the use of )?([^,;.:]{1,60})`),
  englishOf(`${WE_HAVE} ?{TOOK} [^,;.]{1,60}? {INSTEAD_OF} ([^,;.:]{1,60})`),
  englishOf('\\b([^,;.:]{1,60}?) {WAS} (?:now )?{GONE}'),
  chineseOf(String.raw`(?:已|已经|我|现在)(?:把|将)\s?([^，,。；;]{1,30}?)\s?{MADE_TO}`),
  chineseOf(String.raw`{GAVE_UP}了?\s?([^，,。；;]{1,30}?)(?:了|$|[，,。；;])`),
  chineseOf(String.raw`{INSTEAD}了?\s?([^，,。；;]{1,30}?)(?:了|$|[，,。；;])`),
];

/** Where the thing ends and what is said of it begins. */
const SAID_OF_IT = `because, since, as, so, and, but, then, for now, here, again, anymore, any more, after all, please, too, instead, at all,
  its, it's, with, by`;
const THING_ENDS = new RegExp(`[,;:，；：]| ${anyOf(SAID_OF_IT)}\\b ?|[—–]|因为`, 'i');
const AROUND_THING = /\b(?:that|this|whole|idea|thing|stuff|plan)\b|做|来|作为|当|方案|这个|那个|的话|这套|暂时|继续/gi;
/** Names nothing: the newest thing is meant, or none. */
const NO_THING = /^(?:it|that|this|them|these|those|all|more|any|anything|everything|\W*)$/i;
