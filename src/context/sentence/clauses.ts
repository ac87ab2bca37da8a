/** Brings a sentence into the form in which it is judged: without what only opens or closes it, and clause by clause. */
import { wordsPattern } from './form.ts';

/** The text without fillers, openings and a closing "ok?", and without the courtesy of "can you always ...?". */
export function withoutFillers(sentence: string): string {
  const inner = sentence
    .replace(/\*\*|__|`/g, '')
    .replace(/(?<!\w)(?:um+|uh+|erm?|呃+|嗯+)(?!\w)[,，]? ?/gi, '')
    .replace(/(?<=\p{Script=Han}|\s)(?:那个|就是) (?=\S)/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return withoutOpening(inner)
    .replace(endings().en, '')
    .replace(endings().zh, '')
    .replace(POLITE_RULE, '$1')
    .replace(/[\s.。!！~～…]+$/u, '')
    .trim();
}

const POLITE_RULE = /^(?:can|could|would|will) (?:you|u)(?: please)? (?=.*\b(?:always|never|from now on|in future|make sure)\b)(.*?)\?*$/i;

type Pair = { readonly en: RegExp; readonly zh: RegExp };
let openingPatterns: Pair | undefined;
let endingPatterns: Pair | undefined;

const openings = (): Pair => {
  openingPatterns ??= inBoth((words) => `^(?:${words}(?:[\\s,，.。!！:：;；、…—-]+|$))+`, 'LEAD');
  return openingPatterns;
};
const endings = (): Pair => {
  endingPatterns ??= {
    en: inBoth((words) => `[\\s,，]+${words}\\s*[?？.。!！]*$`, 'TAG').en,
    zh: inBoth((words) => `[\\s,，]*${words}\\s*[?？.。!！]*$`, 'TAG').zh,
  };
  return endingPatterns;
};
const inBoth = (patternOf: (words: string) => string, table: string): Pair => ({
  en: new RegExp(patternOf(wordsPattern(`{${table}}`, 'en')), 'i'),
  zh: new RegExp(patternOf(wordsPattern(`{${table}}`, 'zh')), 'i'),
});

const withoutOpening = (text: string): string => text.replace(openings().en, '').replace(openings().zh, '').replace(openings().en, '');

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
  commonWord ??= new RegExp(`^${wordsPattern('{COMMON}', 'en')}$`, 'i');
  return commonWord.test(word);
};
let commonWord: RegExp | undefined;

export const looksLikeCode = (text: string): boolean =>
  /^(?:[+@#/<>{}[\]$%|=]|""")|[;{]$|^\s*\}|\bself\.|^\w+(?:\.\w+)* = |^(?:raise|return|throw|assert)\s+\w+[\w.]*\(|=>/.test(text);
