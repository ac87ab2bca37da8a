/** Brings a sentence into the form in which it is judged: without what only opens or closes it, and clause by clause. */
import { anyOf, anyWord, isOneOf, lazily } from '../../domain/value/word-list.ts';
import { FEW, standingWords } from './form.ts';
import { spellings } from './word-index.ts';
import { wordTables } from './words.ts';

/** The text without fillers, openings and a closing "ok?", and without the courtesy of "can you always ...?". */
export function withoutFillers(sentence: string): string {
  const inner = sentence
    .replace(/\*\*|__|`/g, '')
    .replace(/(?<!\w)(?:um+|uh+|erm?|呃+|嗯+)(?!\w)[,，]? ?/gi, '')
    .replace(/(?<=\p{Script=Han}|\s)(?:那个|就是) (?=\S)/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return withoutEndingZh(withoutEndingEn(withoutOpening(inner)))
    .replace(POLITE_RULE, '$1')
    .replace(/[\s.。!！~～…]+$/u, '')
    .trim();
}

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

export const looksLikeCode = isOneOf(
  /^(?:[+@#<>{}[\]$%|=]|\/(?![\w/.-]+ )|""")|[;{]$|^\s*\}|\bself\.|=>/,
  /^(?:[\w.]*(?:Error|Exception)|error|panic|Traceback|npm ERR!)(?:\[\w+\])? ?[:(]/,
  /^(?:错误|报错|异常|警告|fatal(?: error)?|warning|error \w+\d+|(?:http |error )?[45]\d\d)[:：]/i,
  /^\w+(?:\.\w+)* = |^(?:raise|return|throw|assert)\s+\w+[\w.]*\(/,
);
