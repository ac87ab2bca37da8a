import { type Bilingual, joinTexts } from '../../domain/language.ts';
import { lineEndsOf, withEndsOf } from './line-ends.ts';

export type Replacement = { readonly oldText: string; readonly newText: string; readonly all: boolean };
type Replaced = { readonly text: string; readonly lines: readonly number[] };

/**
 * Replaces one text with another, character by character, except that line ends follow the file: LF finds CRLF and the other way round, and
 * the new text gets those of what it replaces, each line its own where the file has both. A new text that has both keeps them where the old
 * one was found to the letter. Returns why not when the text is absent or not unique, or when nothing would change.
 */
export function replaceText(text: string, { oldText, newText, all }: Replacement): Replaced | Bilingual {
  if (oldText === '')
    return {
      en: 'old_string is empty; give the text to replace, or use write_file for a new file',
      zh: 'old_string 为空；请给出要替换的文本，新文件请用 write_file',
    };
  if (oldText === newText)
    return { en: 'old_string and new_string are the same; nothing to change', zh: 'old_string 与 new_string 相同；无需更改' };
  const found = find(text, oldText, all);
  if (found.length === 0 && REDACTION.test(oldText))
    return {
      en: `old_string is not in the file: ${REDACTED_HINT.en}; leave that part out of old_string`,
      zh: `old_string 不在文件中：${REDACTED_HINT.zh}；请从 old_string 中去掉这一部分`,
    };
  if (found.length === 0) return joinTexts([NOT_IN_FILE, ...hintOf(text, oldText)], { en: '; ', zh: '；' });
  const insertionAt = insertionsInto(text, { oldText, newText });
  const starts = found.map(({ start }) => start);
  const lines = linesOf(text, starts);
  if (starts.length > 1 && !all) {
    const lineList = `${lines.slice(0, 10).join(', ')}${lines.length > 10 ? ', …' : ''}`;
    const isCounted = starts.length < MAX_COUNTED;
    return {
      en: `old_string is in the file ${isCounted ? starts.length : `at least ${MAX_COUNTED}`} times (lines ${lineList}); add lines around it until it is the only one, or set replace_all`,
      zh: `old_string 在文件中出现${isCounted ? ` ${starts.length}` : `至少 ${MAX_COUNTED}`} 次（第 ${lineList} 行）；请加上前后的行使其唯一，或设置 replace_all`,
    };
  }
  const insertions = found.map(insertionAt);
  if (found.every((span, at) => text.slice(span.start, span.end) === insertions[at]))
    return {
      en: 'old_string and new_string are the same apart from line ends; nothing to change',
      zh: 'old_string 与 new_string 只有换行符不同；无需更改',
    };
  const pieces = found.map(({ start }, at) => text.slice(at === 0 ? 0 : found[at - 1]?.end, start) + (insertions[at] ?? ''));
  return { text: `${pieces.join('')}${text.slice(found.at(-1)?.end)}`, lines };
}

/** What replaces a secret in a result that the model was shown. */
const REDACTION = /\[redacted [a-zA-Z ]{1,30}\]/;
export const REDACTED_HINT: Bilingual = {
  en: 'a [redacted …] in what you were shown stands for a secret that is not shown to you',
  zh: '模型所见内容中的 [redacted …] 代表没有向它显示的机密',
};
const NOT_IN_FILE: Bilingual = { en: 'old_string is not in the file', zh: 'old_string 不在文件中' };

/** True when a text has such a mark and the file does not: it would overwrite the secret itself. */
export const addsRedaction = (before: string | undefined, after: string): boolean =>
  before !== undefined && REDACTION.test(after) && !REDACTION.test(before);

type Span = { readonly start: number; readonly end: number };

const MAX_COUNTED = 1_000;

/**
 * Returns where the text occurs to the letter, or else with other line ends. When it must be unique, overlapping occurrences count too: each
 * would be a different change.
 */
function find(text: string, needle: string, all: boolean): readonly Span[] {
  // A line feed at its start may be the second half of a line end.
  const isWhole = !(needle.startsWith('\n') && text.includes(`\r${needle}`));
  const spans = isWhole ? spansOf(text, needle, all) : [];
  return spans.length > 0 || !/\n/.test(needle) ? spans : looseSpansOf(text, needle, all);
}

function spansOf(text: string, needle: string, all: boolean): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + (all ? needle.length : 1))) {
    spans.push({ start: at, end: at + needle.length });
    if (!all && spans.length === MAX_COUNTED) break;
  }
  return spans;
}

/** Finds it in the text with plain line feeds, and counts the carriage returns that this left out. */
function looseSpansOf(text: string, needle: string, all: boolean): readonly Span[] {
  const plain = text.replaceAll('\r\n', '\n');
  const [startInText, endInText] = [positionIn(text, plain), positionIn(text, plain)];
  return spansOf(plain, needle.replaceAll('\r\n', '\n'), all).map(({ start, end }) => ({ start: startInText(start), end: endInText(end) }));
}

/** Where a position in the plain text is in the text itself; positions come in order. */
function positionIn(text: string, plain: string): (position: number) => number {
  let [at, dropped] = [0, 0];
  return (position) => {
    for (; at < position; at++) if (plain[at] === '\n' && text[at + dropped] === '\r') dropped++;
    return at + dropped;
  };
}

/** What comes to stand in the place of a span, with the line ends that belong there. */
function insertionsInto(text: string, { oldText, newText }: Pick<Replacement, 'oldText' | 'newText'>): (span: Span) => string {
  const ends = lineEndsOf(text);
  if (ends === 'none') return () => newText;
  const isMeant = lineEndsOf(newText) === 'mixed';
  return ({ start, end }) => {
    const former = text.slice(start, end);
    const isExact = former === oldText;
    if (isExact && (isMeant || (ends === 'mixed' && former.includes('\n')))) return newText;
    if (ends !== 'mixed') return withEndsOf(text, newText);
    return withEndsOf(former, newText, endNear(text, start, end));
  };
}

/** The line end of the line that a span ends in, or else of the one before it. */
function endNear(text: string, start: number, end: number): '\n' | '\r\n' {
  const next = text.indexOf('\n', end);
  const feed = next >= 0 ? next : text.lastIndexOf('\n', start);
  return text[feed - 1] === '\r' ? '\r\n' : '\n';
}

/** Returns the line of each position, in one pass over the text, since there can be very many. */
function linesOf(text: string, starts: readonly number[]): readonly number[] {
  let line = 1;
  let feed = text.indexOf('\n');
  return starts.map((start) => {
    for (; feed >= 0 && feed < start; feed = text.indexOf('\n', feed + 1)) line++;
    return line;
  });
}

const MAX_HINT_CHARS = 500;

/** Returns where the same words are with other white space: the usual mistake. */
function hintOf(text: string, oldText: string): readonly Bilingual[] {
  const needleLines = oldText.trim().split('\n').map(normaliseSpaces);
  const lines = text.split('\n');
  const normalised = lines.map(normaliseSpaces);
  const at = normalised.findIndex((_, i) =>
    needleLines.every((line, j) => (needleLines.length === 1 ? normalised[i + j]?.includes(line) : normalised[i + j] === line)),
  );
  if (at < 0 || needleLines.every((line) => line === '')) return [];
  const excerpt = JSON.stringify(lines.slice(at, at + needleLines.length).join('\n'));
  const shown = `${excerpt.slice(0, MAX_HINT_CHARS)}${excerpt.length > MAX_HINT_CHARS ? '…' : ''}`;
  return [{ en: `line ${at + 1} has it with other white space: ${shown}`, zh: `第 ${at + 1} 行有它，但空白不同：${shown}` }];
}

const normaliseSpaces = (line: string): string => line.trim().replace(/\s+/g, ' ');
