/** What was said to be open, by whoever said it, and not closed since. Each message may add to it, or end some of it. */
import { unique } from '../../domain/lists.ts';
import { hasEnded, type Message } from '../../domain/session/message.ts';
import { messageText } from '../ledger/exchange/exchanges.ts';
import { isQuestion, needsReferent } from '../sentence/asks.ts';
import { defers, pointsBack, postpones, putsOffAnswer, saysAllIsDone, saysNotDone, waitsForUser } from '../sentence/forms-open.ts';
import { isLeft, isSettled, judge } from '../sentence/judge.ts';
import { statesDone, statesOutcome, tellsFault } from '../sentence/work.ts';
import { isShortAnswer, ownSentences, quoteLine } from '../text/sentences.ts';
import { sharesTopic } from './supersede.ts';

export type OpenWork = {
  readonly open: readonly string[];
  /** Of them, those that the newest reply of the model named. */
  readonly named: readonly string[];
  /** Of them, those that the present exchange is about: a reply that says it is done ends them without naming them. */
  readonly taken: readonly string[];
  /** Of them, those that the newest message of the user said: a reply that only says them again opens nothing new. */
  readonly said: readonly string[];
};

/** After a compaction: which of it the newest reply named is not known, but the newest points stand last. */
export const openWorkOf = (open: readonly string[]): OpenWork => ({
  open,
  named: open.filter((item) => !isPostponed(item)).slice(-MAX_NAMED),
  taken: [],
  said: [],
});

export function followOpenWork(work: OpenWork, message: Message): OpenWork {
  const text = messageText(message);
  if (text.trim() === '') return work;
  const sentences = ownSentences(text);
  return message.origin === 'model' ? afterReply(work, message, text, sentences) : afterUser(work, text, sentences);
}

/** The user takes a point up, answers it or drops it by naming it; what is taken up is the request from then on. */
export function afterUser({ open, named }: OpenWork, text: string, sentences: readonly string[]): OpenWork {
  const compared = sentences.slice(0, MAX_COMPARED);
  const said = sentences.filter(isSaidOpen);
  const others = compared.filter((sentence) => !said.includes(sentence));
  const isReply = isShortAnswer(text) && !compared.some(isQuestion);
  const answers =
    !sentences.some(putsOffAnswer) && (isReply || needsReferent(text) || compared.some((sentence) => isSettled(judge(sentence))));
  const isEnded = (item: string): boolean =>
    isQuestion(item) || (answers && waitsForUser(item)) || others.some((sentence) => isAbout(sentence, item));
  const added = said.map((sentence) => quoteLine(sentence, OPEN_CHARS));
  const left = withNewer(
    open.filter((item) => !isEnded(item)),
    added,
  );
  const isGoOn = needsReferent(text) || (isShortAnswer(text) && pointsBack(text));
  return { open: left, named: [], taken: [...(isGoOn ? named : []), ...added.filter((item) => !isPostponed(item))], said: added };
}

/** A reply ends what it says is done. What it says between two steps is only narration, and opens nothing. */
function afterReply({ open, taken, said }: OpenWork, message: Message, text: string, sentences: readonly string[]): OpenWork {
  const ended = hasEnded(message);
  const compared = sentences.slice(0, MAX_COMPARED);
  const closing = open.length === 0 ? [] : compared.filter(closesSomething);
  const remaining = ended ? remainingIn(text, sentences) : [];
  const named = unique(
    remaining.flatMap((item) => (said.length > 0 && ECHO.test(item) ? said : (said.find((each) => isAbout(item, each)) ?? item))),
  );
  const namesOne = closing.some((sentence) => open.some((item) => isAbout(sentence, item)));
  const isWhole = ended && closing.length > 0 && !namesOne && !compared.some(saysNotDone);
  const isEnded = (item: string): boolean =>
    closing.some((sentence) => isAbout(sentence, item)) ||
    (isWhole && taken.includes(item)) ||
    (ended && isQuestion(item)) ||
    (!isPostponed(item) && compared.some(saysAllIsDone));
  const left = open.filter((item) => !isEnded(item));
  return { open: withNewer(left, named), named, taken: ended ? [] : taken, said: ended ? [] : said };
}

/** How a reply begins that takes note of what the user said is left. */
const ECHO = /^(?:好的?|明白|是的|对|嗯|收到)[，,。]|^(?:okay|ok|right|yes|noted|sure|then|understood),? /i;

const isSaidOpen = (sentence: string): boolean => isLeft(judge(sentence)) || isPostponed(sentence);

const isPostponed = (item: string): boolean => !isQuestion(item) && (defers(item) || postpones(item));

const closesSomething = (sentence: string): boolean =>
  !isLeft(judge(sentence, 'model')) && (statesDone(sentence) || (statesOutcome(sentence) && !tellsFault(sentence)));

/** The same point, said anew, stands in its newest words. */
const withNewer = (open: readonly string[], added: readonly string[]): readonly string[] =>
  unique([...open.filter((item) => added.includes(item) || !added.some((newer) => isAbout(newer, item))), ...added]).slice(-MAX_OPEN);

const isAbout = (sentence: string, item: string): boolean => sharesTopic(withoutHeading(item), withoutHeading(sentence));

const withoutHeading = (item: string): string => item.replace(/^[^:：]{2,40}[:：]\s*(?=\S{2})/, '');

function remainingIn(text: string, sentences: readonly string[]): readonly string[] {
  const boxes = [...text.matchAll(/^[ \t]{0,8}[-*] \[ \] (.{1,300})$/gm)].map(([, item = '']) => item);
  const said = sentences.filter((sentence) => isLeft(judge(sentence, 'model')) || (!isQuestion(sentence) && postpones(sentence)));
  return [...boxes, ...said].map((item) => quoteLine(item, OPEN_CHARS));
}

/** A pasted page is not compared sentence by sentence with all that stands. */
const MAX_COMPARED = 60;
const MAX_OPEN = 30;
const MAX_NAMED = 3;
export const OPEN_CHARS = 300;
