/** Brings a sentence into the form in which it is judged: without what only opens or closes it, and clause by clause. */
import { anyWord } from '../../domain/value/word-pattern.ts';
import { standingWords } from './form.ts';
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
  return without(without(withoutOpening(inner), endings, 'en'), endings, 'zh')
    .replace(POLITE_RULE, '$1')
    .replace(/[\s.。!！~～…]+$/u, '')
    .trim();
}

const POLITE_RULE = /^(?:can|could|would|will) (?:you|u)(?: please)? (?=.*\b(?:always|never|from now on|in future|make sure)\b)(.*?)\?*$/i;

const openings = { table: 'LEAD', en: opening, zh: opening } as const;
const endings = {
  table: 'TAG',
  en: (words: string) => `[\\s,，]+${words}\\s*[?？.。!！]*$`,
  zh: (words: string) => `[\\s,，]*${words}\\s*[?？.。!！]*$`,
} as const;
function opening(words: string): string {
  return `^(?:${words}(?:[\\s,，.。!！:：;；、…—-]+|$))+`;
}

/** Most texts have none of these words, and no pattern is made for them. */
function without(text: string, what: typeof openings | typeof endings, language: 'en' | 'zh'): string {
  const words = standingWords(text.toLowerCase(), language).get(what.table);
  return words === undefined ? text : text.replace(new RegExp(what[language](anyWord(words)), 'i'), '');
}

const withoutOpening = (text: string): string => without(without(without(text, openings, 'en'), openings, 'zh'), openings, 'en');

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
const NEW_STATEMENT =
  /\s+(?:and|but|so|because)\s+(?=(?:\w+ )?(?:never|don['’]?t|do not|always|must|decided|prefer|[a-z]+ (?:is|are|runs|lives|stays|must|will))\b)/i;

/** Words that are capital only because they come first; and "I". */
const inLowerCase = (clause: string): string =>
  clause.replace(/^[A-Z][a-z']*(?= )/, (word) => (isCommon(word) ? word.toLowerCase() : word)).replace(/\bI\b/g, 'i');

const isCommon = (word: string): boolean => {
  commonWords ??= new Set(wordTables().get('COMMON')?.en.flatMap(spellings));
  return commonWords.has(word.toLowerCase());
};
let commonWords: ReadonlySet<string> | undefined;

export const looksLikeCode = (text: string): boolean =>
  /^(?:[+@#/<>{}[\]$%|=]|""")|[;{]$|^\s*\}|\bself\.|^\w+(?:\.\w+)* = |^(?:raise|return|throw|assert)\s+\w+[\w.]*\(|=>/.test(text);
