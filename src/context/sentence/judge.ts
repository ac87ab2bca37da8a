/**
 * The one judge of sentences: does it state a rule, a decision, a preference or a fact, is work left or put off in it, does it only put
 * right the task at hand, does it ask, or none of these? Memories, the ledger, summaries and search ask it.
 *
 * It reads clause by clause, by grammar rather than topics, in English, Chinese and a mix. `words.ts` holds the words by meaning,
 * `forms-*.ts` the forms that combine them; when a later sentence ends an earlier one says `ends.ts`.
 *
 * Linear time, the same answer for the same sentence. It refuses to guess: an open question, a doubt, an "if", a report and code are
 * nothing. `npm run bench:sentences` measures it, and what each form alone is worth.
 */

import type { StatementKind } from '../../domain/memory/memory.ts';
import { memoizeRecent } from '../../domain/value/memoize.ts';
import { anyOf, anyWord, isOneOf, lazily, lazyPattern } from '../../domain/value/word-list.ts';
import { isPolite, isQuestion } from './asks.ts';
import { clauseOf, FEW, type Forms, hasForm, readForms, says, saysOne, standingWords } from './form.ts';
import { decisionForms, isUndecided, modelDecides, shortDecisions } from './forms-decision.ts';
import { defaultForms, factForms, passingForms, preferenceForms } from './forms-fact.ts';
import { defers, openForms, postpones, saysWhatIsLeft } from './forms-open.ts';
import { generalForms, momentForms, ruleForms } from './forms-rule.ts';
import { shortFacts, shortRules } from './forms-short.ts';
import { binds, isOneOff, isRemark } from './task.ts';
import { spellings } from './word-index.ts';
import { wordTables } from './words.ts';
import { isAnnouncement } from './work.ts';

/** The text without fillers, openings and a closing "ok?", and without the courtesy of "can you always ...?". */
export function withoutFillers(sentence: string): string {
  const inner = sentence
    .replace(/\*\*|__|`/g, '')
    .replace(/(?<!\w)(?:um+|uh+|erm?|呃+|嗯+)(?!\w)[,，]? ?/gi, '')
    .replace(/(?<=\p{Script=Han}|\s)(?:那个|就是) (?=\S)/gu, '')
    .replace(ASCII_COMMA, '，')
    .replace(/\s+/g, ' ')
    .trim();
  return withoutEndingZh(withoutEndingEn(withoutOpening(inner)))
    .replace(POLITE_RULE, '$1')
    .replace(/[\s.。!！~～…]+$/u, '')
    .trim();
}

/** Many type Chinese with the punctuation of English. */
const ASCII_COMMA = /(?<=\p{Script=Han}) ?, ?|, ?(?=\p{Script=Han})/gu;

const POLITE_RULE = new RegExp(
  `^(?:can|could|would|will) (?:you|u)(?: please)? (?=.*\\b${anyOf('always, never, from now on, in future, make sure')}\\b)(.*?)\\?*$`,
  'i',
);

/** Takes away what a pattern around the words of a table finds. Most texts have none of these words, and no pattern is made for them. */
function remover(table: string, language: 'en' | 'zh', around: (words: string) => string): (text: string) => string {
  const patternOf = (words: readonly string[]) => new RegExp(around(anyWord(words)), 'i');
  const whole = lazily(() => patternOf(wordTables().get(table)?.[language] ?? []));
  let made = 0;
  return (text) => {
    const words = standingWords(text.toLowerCase(), language).get(table);
    return words === undefined ? text : text.replace(made++ < FEW ? patternOf(words) : whole(), '');
  };
}

const opening = (words: string): string => `^(?:${words}(?:[\\s,，.。!！:：;；、…—-]+|$))+`;
const withoutOpeningEn = remover('LEAD', 'en', opening);
const withoutOpeningZh = remover('LEAD', 'zh', opening);
const withoutEndingEn = remover('TAG', 'en', (words) => `[\\s,，]+${words}\\s*[?？.。!！]*$`);
const withoutEndingZh = remover('TAG', 'zh', (words) => `[\\s,，]*${words}\\s*[?？.。!！]*$`);

const withoutOpening = (text: string): string => withoutOpeningEn(withoutOpeningZh(withoutOpeningEn(text)));

/** The whole and its clauses: what comes after a comma may be another statement. */
export function clausesOf(text: string): readonly string[] {
  const parts = text.split(PAUSE).flatMap((part) => part.split(NEW_STATEMENT));
  return [text, ...(parts.length > 1 ? parts : [])]
    .map((part) => inLowerCase(withoutOpening(part).trim()))
    .filter((part) => part !== '')
    .slice(0, MAX_CLAUSES);
}

const MAX_CLAUSES = 24;
const PAUSE = /(?<=\p{Script=Han})\s+(?=\p{Script=Han})|[,，;；：]\s*|:\s+|\s[–—-]+\s|—+|[。.!！]\s+/u;
const STATES = `(?:\\w+ )?(?:don['’]?t|${anyOf('never, do not, always, must, decided, prefer')}|[a-z]+ ${anyOf('is, are, runs, lives, stays, must, will')})`;
const NEW_STATEMENT = new RegExp(`\\s+(?:and|but|so|because)\\s+(?=${STATES}\\b)`, 'i');

const inLowerCase = (clause: string): string =>
  clause.replace(/^[A-Z][a-z']*(?= )/, (word) => (isCommon(word) ? word.toLowerCase() : word)).replace(/\bI\b/g, 'i');

const isCommon = (word: string): boolean => commonWords().has(word.toLowerCase());
const commonWords = lazily(() => new Set(wordTables().get('COMMON')?.en.flatMap(spellings)));

const looksLikeCode = isOneOf(
  /^(?:[+@#<>{}[\]$%|=]|\/(?![\w/.-]+ )|""")|[;{]$|^\s*\}|\bself\.|=>/,
  /^(?:[\w.]*(?:Error|Exception)|error|panic|Traceback|npm ERR!)(?:\[\w+\])? ?[:(]/,
  /^(?:错误|报错|异常|警告|fatal(?: error)?|warning|error \w+\d+|(?:http |error )?[45]\d\d)[:：]/i,
  /^\w+(?:\.\w+)* = |^(?:raise|return|throw|assert)\s+\w+[\w.]*\(/,
);

export type Kind = 'rule' | 'decision' | 'preference' | 'fact' | 'open work' | 'correction' | 'question' | 'none';
export type Speaker = 'user' | 'model';

/** 3: it says by itself that it holds for good. 2: it holds beyond its exchange. 1: for the task at hand, or about the speaker alone. */
export type Judgement = { readonly kind: Kind; readonly sure: 1 | 2 | 3 };

export const isOrder = ({ kind, sure }: Judgement): boolean => (kind === 'rule' || kind === 'preference') && sure >= 2;
/** An order that says by itself that it holds for good: only such a one in the answer to a question is carried. */
export const isGeneral = ({ kind, sure }: Judgement): boolean => kind === 'rule' && sure === 3;
export const isSettled = ({ kind }: Judgement): boolean => kind === 'decision';
export const isLeft = ({ kind }: Judgement): boolean => kind === 'open work';
/** Says what the task or the session is to keep to, so that a request is not shortened by it. */
export const isBinding = (judged: Judgement): boolean => isOrder(judged) || isSettled(judged) || judged.kind === 'correction';
export function memoryKind({ kind }: Judgement): StatementKind | undefined {
  if (kind === 'rule' || kind === 'preference') return 'preferences';
  if (kind === 'decision') return 'decisions';
  return kind === 'fact' ? 'facts' : undefined;
}

/** Asked of each sentence that is indexed: those without a form of a decision, nearly all, are not judged for all else. */
export const statesChoice = (sentence: string): boolean =>
  (mayDecide(sentence) && isSettled(judge(sentence))) || (modelMayDecide(sentence) && isSettled(judge(sentence, 'model')));

const mayDecide = (sentence: string): boolean =>
  clausesOf(withoutFillers(sentence.slice(0, MAX_CHARS))).some((text) => {
    const clause = clauseOf(text);
    return hasForm(clause, decisionForms) || hasForm(clause, shortDecisions);
  });

const modelMayDecide = (sentence: string): boolean => modelDecides(sentence.slice(0, MAX_CHARS).replace(/\*\*|__/g, ''));

const NONE: Judgement = { kind: 'none', sure: 1 };
const MAX_CHARS = 600;

/** Returns what a sentence is, and how sure. The same sentence is asked about by several: as an order, as a decision, as what binds. */
export const judge = (sentence: string, by: Speaker = 'user'): Judgement => judges[by](sentence.slice(0, MAX_CHARS));

const KEPT = { minChars: 1, maxChars: MAX_CHARS, keptChars: 200_000 };
const judges = { user: memoizeRecent(judgeUser, KEPT), model: memoizeRecent(judgeModel, KEPT) } as const;

function judgeModel(sentence: string): Judgement {
  if (isQuestion(sentence)) return { kind: 'question', sure: 2 };
  if (!isAnnouncement(sentence) && saysWhatIsLeft(sentence)) return { kind: 'open work', sure: 2 };
  return modelMayDecide(sentence) && !isUndecided(sentence) ? { kind: 'decision', sure: 2 } : NONE;
}

function judgeUser(sentence: string): Judgement {
  if (isPlainRequest(sentence)) return NONE;
  const text = withoutFillers(sentence);
  if (looksLikeCode(text)) return NONE;
  const stated = isOpen(text) ? NONE : statedIn(text);
  if (stated.kind === 'fact' && isQuestion(sentence)) return { kind: 'question', sure: 2 };
  if (isPutOff(sentence, stated) || isLeftUndone(sentence, stated)) return { kind: 'open work', sure: 2 };
  if ((stated.kind === 'rule' || stated.kind === 'preference') && isOneOff(sentence)) return { kind: 'correction', sure: 2 };
  if (stated.kind !== 'none') return stated;
  if (bindsTask(sentence)) return { kind: 'correction', sure: 1 };
  return isQuestion(sentence) ? { kind: 'question', sure: 2 } : NONE;
}

/** What is to come later and only once. A choice of what comes first and what later stays a choice. */
const isPutOff = (sentence: string, { kind, sure }: Judgement): boolean =>
  !isQuestion(sentence) && ((sure < 3 && defers(sentence)) || (kind !== 'decision' && kind !== 'fact' && postpones(sentence)));

/** What the user says is left; what else a sentence states is more than that. */
const isLeftUndone = (sentence: string, { kind }: Judgement): boolean =>
  (kind === 'none' || kind === 'fact') && !isQuestion(sentence) && saysWhatIsLeft(sentence);

/** Most of what is said is a task for now. The forms would find that out too, at the cost of compiling them. */
const isPlainRequest = (sentence: string): boolean =>
  sentence.length <= MAX_REQUEST_CHARS && (/^[\w.?!-]+$/.test(sentence) || isRequest(sentence));

const MAX_REQUEST_CHARS = 300;
const isRequest = saysOne(
  () => String.raw`
request: ^(?:please |can you |could you )?{REQUEST} ~ {LONGER}|{BINDS}|[:;=@]|[^\x00-\x7f]|\d[:h]\d\d|\b(?:under|below|max|first$|only$|sake|to me)
  + Add a test for the empty list. - Add a test before every commit.
`,
);

/** False for a text without any word by which something is settled. For the long messages of a search a pattern beats the look-up. */
export function mayState(text: string): boolean {
  const lower = text.toLowerCase();
  return choiceWords().some((pattern) => pattern().test(lower));
}

const choiceWords = lazily(() => [
  lazyPattern('{DECIDED|MOVED|TAKE|TAKING|DROPPED|VERDICT}', wordTables(), 'en'),
  lazyPattern(String.raw`\bit is[.!]|\boption \w\b|\bthe {BEST} \w|\bis (?:in|out)\b|\bfirst version\b|\bthe winner\b`, wordTables(), 'en'),
  lazyPattern('{DECIDED|CHANGED|DROPPED|THEN|VERDICT}|[我就]选|第[一二1]版', wordTables(), 'zh'),
]);

export function isOpen(sentence: string): boolean {
  const text = withoutFillers(sentence.slice(0, MAX_CHARS));
  if (isQuestion(text) && !RULE_IN_QUESTION.test(text)) return true;
  return says(text.replace(NOT_IN_DOUBT, ''), openForms);
}

/** What to do in doubt, and a number that is not exact, is no doubt of the speaker. */
const NOT_IN_DOUBT = new RegExp(
  [
    '\\bwhatever you\\b|\\b(?:don.?t|never) suggest|什么都|\\b(?:when|whenever|if)\\b.{2,40}(?:unsure|not (?:sure|certain)|in doubt|unclear|ambiguous)',
    '拿不准|不确定的?(?:时候|话|时)|(?:大概|大约)(?=.{0,3}[\\d一二两三四五六七八九十百千万])',
  ].join('|'),
  'gi',
);

const RULE_IN_QUESTION = /(?:以后|始终|一律|每次).*(?:好吗|行吗|可以吗)/;
const HAN = /\p{Script=Han}/u;
/** In a Chinese sentence, English words count as grammar only when they carry it. */
const ENGLISH_CORE = /\b(?:don['’]?t|do not|never|must|always|should|have to|prefer|decided|we|i['’]m)\b/i;

const ORDER_OF_KINDS = ['decision', 'rule', 'preference', 'fact'] as const;

/** Of the whole and its clauses: what the whole states, unless it is only a fact and a clause states more. */
function statedIn(text: string): Judgement {
  const [whole = NONE, ...parts] = clausesOf(text).map(judgeClause);
  if (whole.kind !== 'none' && whole.kind !== 'fact') return whole;
  for (const kind of ORDER_OF_KINDS) {
    const found = [...parts, whole].filter((each) => each.kind === kind);
    const [first] = found;
    if (first !== undefined) return found.find(({ sure }) => sure === 3) ?? first;
  }
  return NONE;
}

function judgeClause(clause: string): Judgement {
  const hasHan = HAN.test(clause);
  const chinese = hasHan ? statedBy(clause, 'zh') : NONE;
  if (chinese.kind !== 'none' || !/[a-z]{2}/i.test(clause) || (hasHan && !ENGLISH_CORE.test(clause))) return chinese;
  return statedBy(clause, 'en');
}

function statedBy(text: string, language: 'en' | 'zh'): Judgement {
  const clause = clauseOf(text);
  const has = (forms: Forms): boolean => hasForm(clause, forms, language);
  if (has(defaultForms) || has(shortFacts)) return { kind: 'fact', sure: 2 };
  const isRule = !hasForm(clause, momentForms) && (has(ruleForms) || has(shortRules));
  if (isRule && hasForm(clause, generalForms)) return { kind: 'rule', sure: 3 };
  if (has(decisionForms) || has(shortDecisions)) return { kind: 'decision', sure: 2 };
  if (isRule) return { kind: 'rule', sure: 2 };
  if (has(preferenceForms)) return { kind: 'preference', sure: hasForm(clause, aboutWork) ? 2 : 1 };
  return !has(passingForms) && has(factForms) ? { kind: 'fact', sure: 2 } : NONE;
}

/** A liking is an order only when it is about the work. */
const aboutWork = readForms(
  () => `
work: {THING|USUALLY|ALWAYS|LANGUAGE} ~ ^i (?:really )?(?:love|like|hate) (?!{THING})
  + I prefer small commits. - I love hiking and old films.
work: {THING|LANGUAGE}|用 ?[A-Za-z] ~ 听|看电影|旅游|音乐|吃
  + 我喜欢小的提交 - 我喜欢听古典音乐
`,
);

const bindsTask = (sentence: string): boolean => binds(sentence) && !isRemark(sentence) && (!isQuestion(sentence) || isPolite(sentence));
