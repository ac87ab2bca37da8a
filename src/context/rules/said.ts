import type { Ledger } from '../../domain/session/ledger.ts';
import { isText, type Message } from '../../domain/session/message.ts';
import { announces, asksForApproval, constraintStrength, decisionStrength, isQuestion } from '../text/cues.ts';
import { quotedLine } from '../text/quote.ts';
import { isChinese, isListItem, ownLines, sentencesOf, withoutListMark } from '../text/sentences.ts';

/** Nobody says so much: the rest was pasted, and reading 8 MB of it sentence by sentence took 20 s. */
const HEAD_CHARS = 150_000;
const TAIL_CHARS = 50_000;

const withinReach = (text: string): string =>
  text.length <= HEAD_CHARS + TAIL_CHARS ? text : `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}`.toWellFormed();

/**
 * What the user or the model said in a message, of very much its beginning and end; nothing for tools, summaries, notices, and notes that
 * a program put in the user's mouth.
 */
export function saidIn(message: Message): string {
  if (message.origin !== 'user' && message.origin !== 'model') return '';
  return message.content
    .filter(isText)
    .map(({ text }) => text)
    .filter((text) => message.origin === 'model' || !isProgramsNote(text))
    .map(withinReach)
    .join('\n');
}

/**
 * What a program put in the user's mouth: the report of a task that ran beside, a note of an interruption, the summary that another
 * agent wrote.
 */
export function notesIn(message: Message): string {
  const foreign = message.origin === 'summary' && message.summary === undefined;
  if (message.origin !== 'user' && !foreign) return '';
  return message.content
    .filter(isText)
    .map(({ text }) => text)
    .filter((text) => foreign || isProgramsNote(text))
    .join('\n');
}

/** Other agents wrap what is not the user's: `<task-notification>…</task-notification>`, `[Request interrupted by user]`. */
function isProgramsNote(text: string): boolean {
  if (text.length < 200 && /^\s*\[[A-Z][^\]\n]*\]\s*$/.test(text)) return true;
  const name = /^\s{0,20}<([a-z]{2,30}(?:-[a-z]{2,30}){1,4})>/.exec(text)?.[1];
  return name !== undefined && text.includes(`</${name}>`);
}

type Facts = Pick<Ledger, 'constraints' | 'decisions' | 'open'>;

/** Constraints, decisions and open points of the messages, in the order in which they were said. */
export function saidFacts(messages: readonly Message[]): Facts {
  let question: string | undefined;
  const facts = messages.flatMap((message): readonly Facts[] => {
    const said = saidIn(message);
    if (said.trim() === '') return [];
    if (message.origin === 'model') {
      question = closingQuestion(said);
      return [{ constraints: [], decisions: decisionsIn(said, 'model'), open: [] }];
    }
    const answered = answeredQuestion(question, said);
    question = undefined;
    return [
      {
        constraints: constraintsIn(said),
        decisions: answered === undefined ? decisionsIn(said, 'user') : [answered],
        open: approvalsIn(said),
      },
    ];
  });
  return {
    constraints: unique(facts.flatMap(({ constraints }) => constraints)),
    decisions: unique(facts.flatMap(({ decisions }) => decisions)),
    open: unique([...facts.flatMap(({ open }) => open), ...(question === undefined ? [] : [quotedLine(question, 300)])]),
  };
}

const unique = (items: readonly string[]): string[] => [...new Set(items)];

const CONSTRAINT_CHARS = 500;
const DECISION_CHARS = 400;
const ANSWER_CHARS = 200;

/** The sentences of the user that say what must or must not be, verbatim, each on one line. */
function constraintsIn(text: string): string[] {
  const listed = new Set(listedRules(text).flatMap(sentencesOf));
  const stated = sentencesOf(text).filter((sentence) => (constraintStrength(sentence) > 0 && !isHeading(sentence)) || listed.has(sentence));
  return unique(stated).map((sentence) => quotedLine(sentence, CONSTRAINT_CHARS));
}

/** "Rules:" announces rules and is none. */
const isHeading = (sentence: string): boolean => sentence.length < 20 && /[:：]$/.test(sentence);

const RULES_FOLLOW =
  /\b(?:rules?|constraints?|requirements?|must|never|always|don'?t|do not|important|guidelines?|conventions?|limits?|keep in mind|avoid|preferences?)\b|约束|要求|规则|注意|必须|禁止|规范|限制|约定|偏好|不要/i;

/** The items of a list under a line such as "Rules:", whether or not each of them has a word of command in it. */
function listedRules(text: string): readonly string[] {
  const rules: string[] = [];
  let under = false;
  for (const line of ownLines(text)) {
    if (under && isListItem(line)) rules.push(withoutListMark(line));
    else if (line !== '') under = /[:：]["”*_]{0,3}$/.test(line) && RULES_FOLLOW.test(line);
  }
  return rules.filter((rule) => rule.length > 2);
}

/** What was decided, by the user or by the model, in their own words. */
function decisionsIn(text: string, by: 'user' | 'model'): string[] {
  const least = by === 'user' ? 1 : 2;
  return sentencesOf(text)
    .filter((sentence) => decisionStrength(sentence) >= least && !(by === 'model' && (isQuestion(sentence) || announces(sentence))))
    .map((sentence) => quotedLine(sentence, DECISION_CHARS));
}

/** A short answer to a question decides something, and only question and answer together say what. */
function answeredQuestion(question: string | undefined, answer: string): string | undefined {
  const said = answer.trim();
  const chinese = isChinese(said);
  if (question === undefined || said === '' || said.length > (chinese ? 50 : 150) || isQuestion(said)) return undefined;
  const [asked, answered] = [quotedLine(question, ANSWER_CHARS), quotedLine(said, ANSWER_CHARS)];
  return chinese ? `问：${asked} 答：${answered}` : `Asked: ${asked} Answer: ${answered}`;
}

/** The question that the text ends with, if it ends with one. */
function closingQuestion(text: string): string | undefined {
  const last = sentencesOf(text).at(-1);
  return last !== undefined && isQuestion(last) ? last : undefined;
}

const approvalsIn = (text: string): string[] =>
  sentencesOf(text)
    .filter((sentence) => asksForApproval(sentence) && constraintStrength(sentence) >= 2)
    .map((sentence) => quotedLine(sentence, CONSTRAINT_CHARS));
