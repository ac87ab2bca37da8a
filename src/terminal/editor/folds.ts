import { localize } from '../../domain/language.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeText } from '../text/safe-text.ts';

export type Folds = ReturnType<typeof createFolds>;

/** More than this is shown as a mark: nobody reads it in a prompt. */
const MAX_SHOWN_CHARS = 1_000;
const MAX_SHOWN_LINES = 10;

const FIRST = 0xf0000;
const LAST = 0xf0fff;

export const isFold = (character: string): boolean => {
  const point = character.codePointAt(0) ?? 0;
  return point >= FIRST && point <= LAST;
};

const anyFold = /[\u{f0000}-\u{f0fff}]/gu;

export function createFolds() {
  const texts = new Map<string, string>();
  const characters = new Map<string, string>();
  return {
    fold: (text: string): string => {
      if (isShownWhole(text)) return text;
      const known = characters.get(text);
      if (known !== undefined) return known;
      const character = String.fromCodePoint(FIRST + (texts.size % (LAST - FIRST + 1)));
      texts.set(character, text);
      characters.set(text, character);
      return character;
    },
    expand: (text: string): string => text.replace(anyFold, (character) => texts.get(character) ?? character),
    label: (character: string): string | undefined => {
      const text = texts.get(character);
      return text === undefined ? undefined : labelOf(text, (character.codePointAt(0) ?? FIRST) - FIRST + 1);
    },
  };
}

/** A character that could be taken for a fold is folded too, so that no text can stand for another. */
function isShownWhole(text: string): boolean {
  if (text.length > MAX_SHOWN_CHARS || text.search(anyFold) >= 0) return false;
  return text.split('\n').length <= MAX_SHOWN_LINES && safeText(text) === text;
}

function labelOf(text: string, serial: number): string {
  const lines = text.replace(/\n$/, '').split('\n').length;
  const excerpt = safeText(text.trimStart().slice(0, 30))
    .replace(/[\s\]]+/g, ' ')
    .trim();
  const beginning = excerpt.slice(0, 30).toWellFormed();
  return localize({
    en: `[text ${serial}: ${pluralize(lines, 'line')}, ${pluralize(text.length, 'character')}: ${beginning}…]`,
    zh: `[文本 ${serial}：${formatCount(lines)} 行，${formatCount(text.length)} 个字符：${beginning}…]`,
  });
}
