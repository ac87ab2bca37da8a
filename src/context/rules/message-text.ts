import { unique } from '../../domain/lists.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import { isText, type Message } from '../../domain/session/message.ts';
import { asksForApproval, constraintStrength, decisionStrength, isAnnouncement, isQuestion } from '../text/cues.ts';
import { quoteLine } from '../text/quote.ts';
import { isChinese, isListItem, ownLines, sentencesOf, stripListMark } from '../text/sentences.ts';

/** Nobody types this much: the rest was pasted, and reading 8 MB of it sentence by sentence took 20 s. */
const HEAD_CHARS = 150_000;
const TAIL_CHARS = 50_000;

const truncateMiddle = (text: string): string =>
  text.length <= HEAD_CHARS + TAIL_CHARS ? text : `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}`.toWellFormed();

/**
 * Returns what the user or the model said in a message; only the beginning and end of a very long text. Empty for tool results, summaries,
 * notices, and notes that a program wrote in the user's name.
 */
export function messageText(message: Message): string {
  if (message.origin !== 'user' && message.origin !== 'model') return '';
  return message.content
    .filter(isText)
    .map(({ text }) => text)
    .filter((text) => message.origin === 'model' || !isProgramNote(text))
    .map(truncateMiddle)
    .join('\n');
}

/**
 * Returns what a program wrote in the user's name: the report of a background task, a note of an interruption, the summary of another
 * agent.
 */
export function programNotes(message: Message): string {
  const isForeign = message.origin === 'summary' && message.summary === undefined;
  if (message.origin !== 'user' && !isForeign) return '';
  return message.content
    .filter(isText)
    .map(({ text }) => text)
    .filter((text) => isForeign || isProgramNote(text))
    .join('\n');
}

/** Other agents wrap what the user did not write: `<task-notification>…</task-notification>`, `[Request interrupted by user]`. */
function isProgramNote(text: string): boolean {
  if (text.length < 200 && /^\s*\[[A-Z][^\]\n]*\]\s*$/.test(text)) return true;
  const name = /^\s{0,20}<([a-z]{2,30}(?:-[a-z]{2,30}){1,4})>/.exec(text)?.[1];
  return name !== undefined && text.includes(`</${name}>`);
}

type Facts = Pick<Ledger, 'constraints' | 'decisions' | 'open'>;

/** Returns the constraints, decisions and open points of the messages, in the order in which they were said. */
export function extractFacts(messages: readonly Message[]): Facts {
  let question: string | undefined;
  const facts = messages.flatMap((message): readonly Facts[] => {
    const text = messageText(message);
    if (text.trim() === '') return [];
    if (message.origin === 'model') {
      question = closingQuestion(text);
      return [{ constraints: [], decisions: decisionsIn(text, 'model'), open: [] }];
    }
    const decision = decisionFromAnswer(question, text);
    question = undefined;
    return [
      {
        constraints: constraintsIn(text),
        decisions: decision === undefined ? decisionsIn(text, 'user') : [decision],
        open: approvalsIn(text),
      },
    ];
  });
  return {
    constraints: unique(facts.flatMap(({ constraints }) => constraints)),
    decisions: unique(facts.flatMap(({ decisions }) => decisions)),
    open: unique([...facts.flatMap(({ open }) => open), ...(question === undefined ? [] : [quoteLine(question, 300)])]),
  };
}

const CONSTRAINT_CHARS = 500;
const DECISION_CHARS = 400;
const ANSWER_CHARS = 200;

/** Returns the user's sentences that say what must or must not be, verbatim, each on one line. */
function constraintsIn(text: string): string[] {
  const listSentences = new Set(listedRules(text).flatMap(sentencesOf));
  const sentences = sentencesOf(text).filter(
    (sentence) => (constraintStrength(sentence) > 0 && !isHeading(sentence)) || listSentences.has(sentence),
  );
  return unique(sentences).map((sentence) => quoteLine(sentence, CONSTRAINT_CHARS));
}

/** "Rules:" announces rules but is not one. */
const isHeading = (sentence: string): boolean => sentence.length < 20 && /[:：]$/.test(sentence);

const RULES_HEADING =
  /\b(?:rules?|constraints?|requirements?|must|never|always|don'?t|do not|important|guidelines?|conventions?|limits?|keep in mind|avoid|preferences?)\b|约束|要求|规则|注意|必须|禁止|规范|限制|约定|偏好|不要/i;

/** Returns the items of a list under a line such as "Rules:", whether or not they contain a word of command. */
function listedRules(text: string): readonly string[] {
  const rules: string[] = [];
  let underHeading = false;
  for (const line of ownLines(text)) {
    if (underHeading && isListItem(line)) rules.push(stripListMark(line));
    else if (line !== '') underHeading = /[:：]["”*_]{0,3}$/.test(line) && RULES_HEADING.test(line);
  }
  return rules.filter((rule) => rule.length > 2);
}

/** Returns what the user or the model decided, in their own words. */
function decisionsIn(text: string, by: 'user' | 'model'): string[] {
  const minStrength = by === 'user' ? 1 : 2;
  return sentencesOf(text)
    .filter(
      (sentence) => decisionStrength(sentence) >= minStrength && !(by === 'model' && (isQuestion(sentence) || isAnnouncement(sentence))),
    )
    .map((sentence) => quoteLine(sentence, DECISION_CHARS));
}

/**
 * Returns a question with its short answer as a decision: only together do they say what was decided. Undefined when the answer is long, or
 * a question itself.
 */
function decisionFromAnswer(question: string | undefined, answer: string): string | undefined {
  const answerText = answer.trim();
  const chinese = isChinese(answerText);
  if (question === undefined || answerText === '' || answerText.length > (chinese ? 50 : 150) || isQuestion(answerText)) return undefined;
  const [questionLine, answerLine] = [quoteLine(question, ANSWER_CHARS), quoteLine(answerText, ANSWER_CHARS)];
  return chinese ? `问：${questionLine} 答：${answerLine}` : `Asked: ${questionLine} Answer: ${answerLine}`;
}

/** Returns the question that the text ends with, if it ends with one. */
function closingQuestion(text: string): string | undefined {
  const last = sentencesOf(text).at(-1);
  return last !== undefined && isQuestion(last) ? last : undefined;
}

const approvalsIn = (text: string): string[] =>
  sentencesOf(text)
    .filter((sentence) => asksForApproval(sentence) && constraintStrength(sentence) >= 2)
    .map((sentence) => quoteLine(sentence, CONSTRAINT_CHARS));
