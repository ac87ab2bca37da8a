/**
 * What the user ordered for good, what was settled and what is left to do, followed through a conversation: each message may add to it, and
 * a later word may end what an earlier one began.
 */
import { unique } from '../../domain/lists.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import type { Message } from '../../domain/session/message.ts';
import { chosenOption } from '../memory/chosen-option.ts';
import { isQuestion, statesOutcome } from '../text/cues.ts';
import { offersChoice, reasonAfter, settlesSomething } from '../text/decided.ts';
import { quoteLine } from '../text/quote.ts';
import { defersWork, statesRemaining } from '../text/remaining.ts';
import { isChinese, looksLikeOutput, sentencesOf } from '../text/sentences.ts';
import { isGeneralOrder, isStandingOrder } from '../text/standing.ts';
import { listedRules } from './listed-rules.ts';
import { messageText } from './message-text.ts';
import { endsOrder, mayEndOrders, replacesDecision, sharesTopic } from './supersede.ts';

export type Facts = Pick<Ledger, 'constraints' | 'decisions' | 'open'>;

/**
 * Continues the facts through the messages. `kept` is what stays in the context after them: an answer or a newer reply in it settles what
 * the messages left open.
 */
export function followFacts(earlier: Facts, messages: readonly Message[], kept: readonly Message[] = []): Facts {
  const ids = new Set(messages.map(({ id }) => id));
  const after = kept.filter(({ id }) => !ids.has(id));
  const followed = messages.reduce<Followed>(followMessage, { ...earlier, remaining: undefined, reply: '' });
  const hasNewer = after.some((message) => message.origin === 'model' && hasEnded(message) && messageText(message) !== '');
  const isAnswered = after.some((message) => message.origin === 'user' && messageText(message).trim() !== '');
  const question = isAnswered || hasNewer ? undefined : closingQuestion(followed.reply);
  const remaining = hasNewer ? [] : (followed.remaining ?? earlier.open.filter((item) => !isDeferral(item)));
  return {
    constraints: unique(followed.constraints),
    decisions: unique(followed.decisions),
    open: unique([...followed.open.filter(isDeferral), ...remaining, ...(question === undefined ? [] : [quoteLine(question, OPEN_CHARS)])]),
  };
}

/** `remaining` is what the newest reply that ended a turn says is left; `reply` is that of the model to which the user answers next. */
type Followed = Facts & { readonly remaining: readonly string[] | undefined; readonly reply: string };

/** A pasted page is not compared sentence by sentence with all that stands. */
const MAX_COMPARED = 60;
const ORDER_CHARS = 500;
const DECISION_CHARS = 400;
const OPEN_CHARS = 300;

const isDeferral = (item: string): boolean => defersWork(item);

const hasEnded = ({ stopReason }: Message): boolean => stopReason === 'end_turn' || stopReason === 'stop_sequence';

function followMessage(facts: Followed, message: Message): Followed {
  const text = messageText(message);
  if (text.trim() === '') return facts;
  return message.origin === 'model' ? followReply(facts, text, hasEnded(message)) : followUser(facts, text);
}

function followReply(facts: Followed, text: string, ended: boolean): Followed {
  const sentences = ownSentences(text);
  const decisions = sentences.flatMap((_, at) => decisionAt(sentences, at, 'model'));
  const finished = facts.open.length === 0 ? [] : sentences.filter(statesOutcome).slice(0, MAX_COMPARED);
  return {
    constraints: facts.constraints,
    decisions: decisions.reduce(addDecision, [...facts.decisions]),
    open: facts.open.filter((item) => !finished.some((sentence) => sharesTopic(item, sentence))),
    remaining: ended ? remainingIn(text, sentences) : facts.remaining,
    reply: text,
  };
}

function followUser(facts: Followed, text: string): Followed {
  const sentences = ownSentences(text);
  const isAnswer = closingQuestion(facts.reply) !== undefined && isShort(text);
  const orders = sentences.filter((sentence) => isStandingOrder(sentence) && (!isAnswer || isGeneralOrder(sentence)));
  const rules = [...orders, ...(isAnswer ? [] : listedRules(text))].map((sentence) => quoteLine(sentence, ORDER_CHARS));
  const said = sentences.flatMap((sentence, at) => (orders.includes(sentence) ? [] : decisionAt(sentences, at, 'user')));
  const answer = isAnswer ? decisionFromAnswer(facts.reply, text) : undefined;
  const changes = sentences.slice(0, MAX_COMPARED).filter(mayEndOrders);
  const standing = facts.constraints.filter((order) => !changes.some((sentence) => endsOrder(sentence, order)));
  return {
    constraints: [...standing, ...inOrderOf(sentences, rules)],
    decisions: (answer === undefined ? said : [answer]).reduce(addDecision, withoutReplaced(facts.decisions, changes)),
    open: [
      ...facts.open.filter(
        (item) => !sentences.slice(0, MAX_COMPARED).some((sentence) => !defersWork(sentence) && sharesTopic(item, sentence)),
      ),
      ...sentences.filter(defersWork).map((sentence) => quoteLine(sentence, OPEN_CHARS)),
    ],
    remaining: facts.remaining,
    reply: '',
  };
}

const ownSentences = (text: string): readonly string[] => sentencesOf(text).filter((sentence) => !looksLikeOutput(sentence));

/** A list of rules may hold sentences that are orders by themselves; both stand once, in the order of the text. */
function inOrderOf(sentences: readonly string[], rules: readonly string[]): readonly string[] {
  const places = new Map(sentences.map((sentence, at) => [quoteLine(sentence, ORDER_CHARS), at]));
  return unique(rules).toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

const decisionAt = (sentences: readonly string[], at: number, by: 'user' | 'model'): readonly string[] => {
  const sentence = sentences[at] ?? '';
  return settlesSomething(sentence, by) ? [quoteLine(`${sentence}${reasonAfter(sentence, sentences[at + 1])}`, DECISION_CHARS)] : [];
};

/** A decision takes the place of the one that it replaces. */
const addDecision = (decisions: readonly string[], decision: string): string[] => [
  ...decisions.filter(
    (earlier, at) => earlier !== decision && (at < decisions.length - MAX_COMPARED || !replacesDecision(decision, earlier)),
  ),
  decision,
];

const withoutReplaced = (decisions: readonly string[], sentences: readonly string[]): string[] =>
  decisions.filter((decision) => !sentences.some((sentence) => endsOrder(sentence, decision)));

function remainingIn(text: string, sentences: readonly string[]): readonly string[] {
  const boxes = [...text.matchAll(/^[ \t]{0,8}[-*] \[ \] (.{1,300})$/gm)].map(([, item = '']) => item);
  return [...boxes, ...sentences.filter(statesRemaining)].map((item) => quoteLine(item, OPEN_CHARS));
}

const isShort = (text: string): boolean => text.trim().length <= (isChinese(text) ? 50 : 150);

/**
 * Returns a question with the short answer that chose: only together do they say what was decided. A letter or a number brings what it
 * stands for along. Undefined when nothing was to be chosen, or nothing was.
 */
function decisionFromAnswer(reply: string, answer: string): string | undefined {
  const question = closingQuestion(reply);
  const text = answer.trim();
  if (question === undefined || !offersChoice(question) || isQuestion(text) || text.startsWith('/') || DECLINES.test(text))
    return undefined;
  const option = chosenOption(reply, text)?.parts[0];
  if (option === undefined && !PICKS.test(text) && !sharesTopic(question, text)) return undefined;
  const quoted = `${quoteLine(text, 200)}${option === undefined || text.includes(option) ? '' : ` (${quoteLine(option, 160)})`}`;
  return isChinese(text) ? `问：${quoteLine(question, 200)} 答：${quoted}` : `Asked: ${quoteLine(question, 200)} Answer: ${quoted}`;
}

/** Answers that plainly take what was offered. */
const PICKS =
  /^(?:yes|yep|yeah|sure|ok(?:ay)?|please do|agreed|the (?:first|second|third|former|latter|last)|\S{1,24}[.!]?$)|\b(?:use|take|go (?:with|for)|prefer|choose)\b|^(?:好|行|可以|对|是的?|用|选|就|第)/i;
/** Answers that choose nothing. */
const DECLINES =
  /^(?:no\b(?!,? (?:use|take|the))|not |neither|both\?|i (?:do ?n[o']t|dont) know|you (?:decide|choose)|(?:can|could) you|explain|what|why|how|now|wait|hm)|^(?:你(?:来)?(?:决定|定|选)|不知道|都行|随便)/i;

/** Returns the question that the text ends with, if it ends with one. */
function closingQuestion(text: string): string | undefined {
  const last = sentencesOf(text).at(-1);
  return last !== undefined && isQuestion(last) ? last : undefined;
}
