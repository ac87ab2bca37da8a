/** What a sentence turns away from: the words for the thing itself, so that only what was settled about that thing ends. */
import { type Sense, senseOf } from '../../domain/memory/memory-sense.ts';

export type Rejection = Pick<Sense, 'terms'>;

/** The things that a sentence says are not wanted, or, of the model's words, that it did away with. Empty where none is named. */
export function rejectionsIn(sentence: string, by: 'user' | 'model'): readonly Rejection[] {
  if (sentence.length > MAX_CHARS) return [];
  return (by === 'user' ? SAYS : DID).flatMap((pattern) => {
    const found = pattern
      .exec(sentence)
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
const AGAINST =
  /(?:\b(?:no|not|never|without|avoid|n't(?: \w+)?|than|instead of|over|drop|dropping|skip|scrap|remove|replace)|不(?:用|要|做|采用|上)?|别用?|放弃|弃用|去掉|取消)[\s"'`]{0,3}(?:(?:the|a|an|any|our)\s)?(?:\w+\s)?$/i;

const LEAD = String.raw`^(?:(?:ok(?:ay)?|no|nah|actually|so|then|hm+|well|wait|sorry|yes|and|but|please|on second thoughts?|thinking about it),? )*`;
const THING = String.raw`((?:\S+ ){0,5}?\S+)`;

/** What a user says who no longer wants it. A task names more than the thing ("remove Redis from the lock file") and so ends nothing. */
const SAYS: readonly RegExp[] = [
  String.raw`${LEAD}no ${THING} after all\b`,
  String.raw`${LEAD}${THING} (?:is|are|isn't|aren't) (?:(?:really |just |probably )?(?:not (?:needed|necessary|worth it|wanted)|unnecessary|overkill|too much|out|off the table|a bad idea)|(?:no longer|not) (?:needed|wanted|used)|needed after all)\b`,
  `${LEAD}(?:we|i) (?:do ?n[o']t|dont|do not|won't|will not|shouldn't|should not|no longer) (?:really |actually )?(?:need|want|use|keep|go with) ([^,;.]{1,60})`,
  String.raw`\b(?:let'?s|let us) (?:not (?:use|do|have|keep|take|go with|go for)|do without|go without|drop|skip|remove|scrap|undo|revert|abandon|ditch|leave out|get rid of|forget(?: about)?) ([^,;.]{1,60})`,
  String.raw`\b(?:we're|we are|i'm|i am) (?:dropping|removing|skipping|ditching|scrapping|abandoning|not using|not going with) ([^,;.]{1,60})`,
  String.raw`\bchanged (?:my|our) minds? (?:about|on) ([^,;.:]{1,60})`,
  String.raw`${LEAD}(?:scrap|drop|forget(?: about)?|ditch|abandon|revert|undo|lose|never ?mind|skip) (?!to\b)([^,;.]{1,60})`,
  String.raw`^(?:算了|想了想|再想想|其实|嗯|哦|那|好的?|行|对了|不了)?[，, ]{0,2}(?:我们|咱们|咱)?(?:还是|就|先|都|也)?(?:不用|别用|不要|别要|不做|不采用|不上|放弃|弃用|取消|去掉)(?:再用)?\s?([^，,。；;]{1,40}?)(?:了|吧|啦|$|[，,。；;])`,
  String.raw`^(?:算了|想了想|再想想|其实|嗯|哦|那|好的?|行)?[，, ]{0,2}([^，,。；;]{1,30}?)\s?(?:我们)?(?:还是|就|先|也|已经|其实|完全)?(?:不要|不用|不上|不做|不需要|没必要|没有必要|算|多余|用不着|用不上|免|作罢)(?:用|上)?(?:了|吧|啦|$|[，,。；;])`,
].map((source) => new RegExp(source, 'i'));

/** What the model says it did otherwise. */
const DID: readonly RegExp[] = [
  String.raw`\b(?:I|we)(?:'ve| have)? (?:now |since |therefore |also )?(?:removed|dropped|replaced|reverted|undid|ripped out|took out|abandoned|scrapped|got rid of|moved (?:away )?from|gave up on) (?:the use of )?([^,;.:]{1,60})`,
  String.raw`\b(?:I|we)(?:'ve| have)? (?:now |since |therefore )?(?:used|use|went with|switched to|kept|chose|ended up with|ended up using|built|wrote) [^,;.]{1,60}? (?:instead of|rather than|in place of) ([^,;.:]{1,60})`,
  String.raw`\b([^,;.:]{1,60}?) (?:is|was|are|were|has been|have been) (?:now )?(?:removed|dropped|replaced|reverted|rolled back|abandoned|scrapped|gone)\b`,
  String.raw`(?:已|已经|我|现在)(?:把|将)\s?([^，,。；;]{1,30}?)\s?(?:换成|改成|替换|去掉|移除|撤)`,
  String.raw`(?:去掉|移除|放弃|弃用|撤销|没有用|不再用|不再使用)了?\s?([^，,。；;]{1,30}?)(?:了|$|[，,。；;])`,
  String.raw`(?:代替|取代|替换|替代)了?\s?([^，,。；;]{1,30}?)(?:了|$|[，,。；;])`,
].map((source) => new RegExp(source, 'i'));

/** Where the thing ends and what is said of it begins. */
const THING_ENDS =
  /[,;:，；：]| (?:because|since|as|so|and|but|then|for now|right now|here|again|any ?more|after all|either|please|too|instead|at all|it'?s|with|by) ?|[—–]|因为|，/i;
const AROUND_THING = /\b(?:that|this|whole|idea|thing|stuff|plan)\b|做|来|作为|当|方案|这个|那个|的话|这套|暂时|继续/gi;
/** Names nothing: the newest thing is meant, or none. */
const NO_THING = /^(?:it|that|this|them|these|those|all|more|any|anything|everything|\W*)$/i;
