/** What the user ordered for good, what was settled and what is left: a later word may end what an earlier one began. */

import { unique } from '../../domain/lists.ts';
import { mayEnd } from '../../domain/memory/ends.ts';
import { sameSense, senseOf } from '../../domain/memory/memory-sense.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import { hasEnded, type Message } from '../../domain/session/message.ts';
import { isRequest, messageText, onlyKept } from '../ledger/exchange/exchanges.ts';
import { chosenOption } from '../memory/chosen-option.ts';
import { isQuestion, reasonAfter } from '../sentence/asks.ts';
import { namesOne, saysOne } from '../sentence/form.ts';
import { isGeneral, isOrder, isSettled, judge, type Speaker } from '../sentence/judge.ts';
import { correctsTask, laysDown } from '../sentence/task.ts';
import { isListItem, isShortAnswer, ownLines, ownSentences, quoteLine, sentencesOf, stripListMark } from '../text/sentences.ts';
import { decisionFromAnswer, withAnswer } from './decision-from-answer.ts';
import { afterUser, followOpenWork, OPEN_CHARS, type OpenWork, openWorkOf } from './open-work.ts';
import { type AnsweredQuestion, type UserVerdict, verdictReader } from './refused-calls.ts';
import {
  addDecision,
  endsOrder,
  givesUpOne,
  isGivenUp,
  type OwnChoice,
  ownChoice,
  PLAN_PREFIX,
  withChoices,
  withoutReplaced,
  withoutTakenBack,
} from './supersede.ts';

export type Facts = Pick<Ledger, 'constraints' | 'decisions' | 'open'> & { readonly chosen: readonly string[] };

type EarlierFacts = Pick<Ledger, 'constraints' | 'decisions' | 'open' | 'chosen' | 'proposal'>;

/** Continues the facts through the messages; an answer or a newer reply in `kept`, which stays, settles what they left open. */
export function followFacts(earlier: EarlierFacts, messages: readonly Message[], kept: readonly Message[] = []): Facts {
  const after = onlyKept(kept, messages);
  const reply = (earlier.proposal ?? '').replace(/^> ?/gm, '');
  const verdictsIn = verdictReader(messages);
  const followed = messages.reduce<Followed>((facts, message) => verdictsIn(message).reduce(followVerdict, followMessage(facts, message)), {
    ...{ ...earlier, chosen: earlier.chosen ?? [], decisions: withoutTakenBack(earlier.decisions) },
    ...{ work: openWorkOf(earlier.open), reply, fresh: [], taken: [], planned: undefined },
  });
  const hasNewer = after.some((message) => message.origin === 'model' && hasEnded(message) && messageText(message) !== '');
  const isAnswered = after.some(isRequest);
  const question = isAnswered || hasNewer ? undefined : closingQuestion(followed.reply);
  const { open } = after.reduce(followOpenWork, followed.work);
  return {
    constraints: saidOnce(followed.constraints),
    decisions: unique(followed.decisions),
    chosen: unique(followed.chosen).filter((decision) => followed.decisions.includes(decision)),
    open: unique([...open, ...(question === undefined ? [] : [quoteLine(question, OPEN_CHARS)])]),
  };
}

/** An order that says the same as one before it, in the same or in other words, is no second one. */
const saidOnce = (orders: readonly string[]): string[] =>
  orders
    .map((order) => ({ order, sense: senseOf(order) }))
    .filter(({ sense }, at, all) => !all.slice(0, at).some((earlier) => sameSense(earlier.sense, sense)))
    .map(({ order }) => order);

type Followed = Omit<Facts, 'open'> & {
  readonly work: OpenWork;
  /** That of the model to which the user answers next. */
  readonly reply: string;
  readonly fresh: readonly string[];
  /** What the model took of its own options since then. */
  readonly taken: readonly OwnChoice[];
  /** What a plan says that the user has not accepted yet: no decision until then. Undefined when nothing is being planned. */
  readonly planned: readonly string[] | undefined;
};

const MAX_COMPARED = 60;
const ORDER_CHARS = 500;
const DECISION_CHARS = 400;

function followMessage(facts: Followed, message: Message): Followed {
  const text = messageText(message);
  const before = message.origin === 'model' ? withoutGivenUp(facts, message, text) : facts;
  if (text.trim() === '') return before;
  if (message.origin !== 'model') return followUser(before, text);
  return { ...followReply(before, text, hasEnded(message)), work: followOpenWork(before.work, message) };
}

/** What the model took of its own options is no decision once it does otherwise in the same turn. */
function withoutGivenUp(facts: Followed, message: Message, text: string): Followed {
  const givenUp = facts.taken.filter((choice) => isGivenUp(choice, message, text));
  if (givenUp.length === 0) return facts;
  const stands = (decision: string): boolean => !givenUp.some((choice) => choice.decision === decision);
  return {
    ...facts,
    decisions: facts.decisions.filter(stands),
    fresh: facts.fresh.filter(stands),
    taken: facts.taken.filter(({ decision }) => stands(decision)),
  };
}

function followReply(facts: Followed, text: string, ended: boolean): Omit<Followed, 'work'> {
  const sentences = ownSentences(text);
  const found = sentences.flatMap((_, at) => decisionAt(sentences, at, 'model').flatMap((decision) => withOption(decision, text)));
  const isPlanned = facts.planned !== undefined;
  const decisions = isPlanned ? [] : found.map(({ decision }) => decision);
  return {
    constraints: facts.constraints,
    decisions: withChoices(facts, { sentences, decisions, ended }),
    chosen: [...facts.chosen, ...decisions.filter((decision) => !facts.decisions.includes(decision))],
    reply: text,
    fresh: [...facts.fresh, ...decisions],
    planned: facts.planned && [...facts.planned, ...found.map(({ decision }) => decision)],
    taken: [
      ...facts.taken,
      ...(isPlanned ? [] : found).flatMap(({ decision, option }) =>
        option === undefined ? [] : [ownChoice(decision, { option, reply: text })],
      ),
    ],
  };
}

function followUser(facts: Followed, text: string): Followed {
  const sentences = [...ownSentences(text), ...pastedItems(text)];
  const isAnswer = closingQuestion(facts.reply) !== undefined && isShortAnswer(text);
  const orders = sentences.filter(
    (sentence, at) =>
      (isOrder(judge(sentence)) && (isAnswer ? isGeneral(judge(sentence)) : !correctsTask(sentences, at))) ||
      (!isAnswer && laysDown(sentence) && !isQuestion(sentence)),
  );
  const rules = [...orders, ...(isAnswer ? [] : listedRules(text))].map((sentence) => quoteLine(sentence, ORDER_CHARS));
  const said = sentences.flatMap((sentence, at) => (orders.includes(sentence) ? [] : decisionAt(sentences, at, 'user')));
  const answer = decisionFromAnswer(facts.reply, text);
  const changes = sentences.slice(0, MAX_COMPARED).filter(mayEnd);
  const standing = facts.constraints.filter((order) => !changes.some((sentence) => endsOrder(sentence, order)));
  const reversal = answer === undefined && said.length === 0 ? givesUpOne(facts.decisions, sentences) : undefined;
  const decisions = answer === undefined ? [...said, ...(reversal === undefined ? [] : [quoteLine(reversal, DECISION_CHARS)])] : [answer];
  const before = takesBack(text) ? facts.decisions.filter((decision) => !facts.fresh.includes(decision)) : facts.decisions;
  return {
    constraints: [...standing, ...inOrderOf(sentences, rules)],
    decisions: decisions.reduce(addDecision, withoutReplaced(before, changes, sentences)),
    chosen: facts.chosen.filter((decision) => !decisions.includes(decision)),
    work: afterUser(facts.work, text, sentences),
    reply: '',
    fresh: decisions,
    taken: [],
    planned: facts.planned,
  };
}

/** What was chosen is settled whatever the words; an order in them, or the end of one, counts as in any message. */
function followAnswer(facts: Followed, { question, answer }: AnsweredQuestion): Followed {
  const { constraints, decisions, work } = followUser({ ...facts, reply: '' }, answer);
  const decision = withAnswer(question, answer);
  return { ...facts, constraints, decisions: addDecision(decisions, decision), work, fresh: [...facts.fresh, decision] };
}

/** The words of a "no" are the user's like any others; a plan is one decision, in the place of the plan before it. */
function followVerdict(facts: Followed, verdict: UserVerdict): Followed {
  switch (verdict.kind) {
    case 'answered':
      return followAnswer(facts, verdict);
    case 'plans':
      return { ...facts, planned: [] };
    case 'plan rejected':
      return withoutPlan(facts);
    case 'plan accepted': {
      const stands = facts.decisions.filter((decision) => !decision.startsWith(PLAN_PREFIX));
      const plan = verdict.plan === '' ? [] : [`${PLAN_PREFIX}${verdict.plan}`];
      return { ...facts, decisions: [...(facts.planned ?? []), ...plan].reduce(addDecision, [...stands]), planned: undefined };
    }
    case 'refused': {
      const before = verdict.isPlan ? withoutPlan(facts) : facts;
      const { constraints, decisions, work } = followUser({ ...before, reply: '' }, verdict.said);
      const isTold = [...constraints, ...decisions].some(
        (text) => !before.constraints.includes(text) && text.length >= verdict.said.length,
      );
      const words = quoteLine(`The user refused \`${verdict.call}\` and said: ${verdict.said}`, ORDER_CHARS);
      const told = isTold || verdict.call === '' ? decisions : [...decisions, words];
      return { ...before, constraints, work, decisions: told, fresh: [...before.fresh, ...(isTold ? [] : [words])] };
    }
  }
}

/** What was decided for a plan since the newest request goes with the plan. */
const withoutPlan = (facts: Followed): Followed => ({
  ...facts,
  decisions: facts.decisions.filter((decision) => !facts.fresh.includes(decision)),
  planned: facts.planned && [],
  fresh: [],
});

const takesBack = (text: string): boolean => text.length <= 160 && takesItBack(text);
const takesItBack = saysOne(
  () => String.raw`
takes back: {TAKE_BACK}(?! (?:change|commit|file|line|part)\b)
  + no, roll it back - revert that commit
takes back: {TAKE_BACK}[吧它掉去来了]?[。！，,!]?$
  + 撤销吧 - 撤销按钮
`,
);

/** A decision for "option 2" with what that is; none where nothing says so. */
function withOption(decision: string, reply: string): readonly { readonly decision: string; readonly option: string | undefined }[] {
  const name = /\b(?:option|approach|variant|plan) ([a-h1-9])\b/i.exec(decision)?.[0];
  const option = name === undefined ? undefined : chosenOption(reply, name)?.parts[0];
  const text = decision.replace(/[:：]$/, '');
  if (option !== undefined) return [{ decision: text.includes(option) ? text : `${text} (${quoteLine(option, OPTION_CHARS)})`, option }];
  return name !== undefined && text !== decision ? [] : [{ decision: text, option }];
}

const OPTION_CHARS = 160;

/** The items of a list that was pasted as prose: a plan in a fence is the user's as much as one without. */
const pastedItems = (text: string): readonly string[] =>
  [...text.matchAll(PROSE_FENCE)].flatMap(([, prose = '']) => ownSentences(prose.split('\n').filter(isItem).join('\n')));
const isItem = (line: string): boolean => isListItem(line.trim());
const PROSE_FENCE = /^(?:```|~~~)(?:md|markdown|text|txt)?[ \t]*\n((?:(?!```|~~~)[\s\S]){1,20000})^(?:```|~~~)[ \t]*$/gm;

/** A list of rules may hold sentences that are orders by themselves; both stand once, in the order of the text. */
function inOrderOf(sentences: readonly string[], rules: readonly string[]): readonly string[] {
  const places = new Map(sentences.map((sentence, at) => [quoteLine(sentence, ORDER_CHARS), at]));
  return unique(rules).toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

const decisionAt = (sentences: readonly string[], at: number, by: Speaker): readonly string[] => {
  const sentence = sentences[at] ?? '';
  return isSettled(judge(sentence, by)) ? [quoteLine(`${sentence}${reasonAfter(sentence, sentences[at + 1])}`, DECISION_CHARS)] : [];
};

function closingQuestion(text: string): string | undefined {
  const last = sentencesOf(text).at(-1);
  return last !== undefined && isQuestion(last) ? last : undefined;
}

const isRulesHeading = namesOne('RULES');
const HEADING_CHARS = 80;

/** Returns the items of a list under a line such as "Rules:", whether or not they contain a word of command. */
function listedRules(text: string): readonly string[] {
  const rules: string[] = [];
  let underHeading = false;
  for (const line of ownLines(text)) {
    if (underHeading && isListItem(line)) rules.push(stripListMark(line));
    else if (line !== '') underHeading = line.length <= HEADING_CHARS && /[:：]["”*_]{0,3}$/.test(line) && isRulesHeading(line);
  }
  return rules.filter((rule) => rule.length > 2);
}
