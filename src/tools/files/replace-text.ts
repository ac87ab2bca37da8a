import { type Bilingual, joinTexts } from '../../domain/language.ts';

export type Replacement = { readonly oldText: string; readonly newText: string; readonly all: boolean };
type Replaced = { readonly text: string; readonly lines: readonly number[] };

/**
 * Replaces one text with another, character by character, except that line ends follow the file: LF finds CRLF and the other way round, and
 * the new text gets the file's. Returns why not when the text is absent or not unique, or when nothing would change.
 */
export function replaceText(text: string, { oldText, newText, all }: Replacement): Replaced | Bilingual {
  if (oldText === '')
    return {
      en: 'old_string is empty; give the text to replace, or use write_file for a new file',
      zh: 'old_string 为空；请给出要替换的文本，新文件请用 write_file',
    };
  if (oldText === newText)
    return { en: 'old_string and new_string are the same; nothing to change', zh: 'old_string 与 new_string 相同；无需更改' };
  const match = findWithLineEnds(text, oldText);
  if (match === undefined && REDACTION.test(oldText))
    return {
      en: `old_string is not in the file: ${REDACTED_HINT.en}; leave that part out of old_string`,
      zh: `old_string 不在文件中：${REDACTED_HINT.zh}；请从 old_string 中去掉这一部分`,
    };
  if (match === undefined) return joinTexts([NOT_IN_FILE, ...hintOf(text, oldText)], { en: '; ', zh: '；' });
  const insertion = match.crlf ? withCrlf(newText) : match.lf ? newText.replaceAll('\r\n', '\n') : newText;
  if (insertion === match.text)
    return {
      en: 'old_string and new_string are the same apart from line ends; nothing to change',
      zh: 'old_string 与 new_string 只有换行符不同；无需更改',
    };
  const starts = findAll(text, match.text, all);
  const lines = linesOf(text, starts);
  if (starts.length > 1 && !all) {
    const lineList = `${lines.slice(0, 10).join(', ')}${lines.length > 10 ? ', …' : ''}`;
    const isCounted = starts.length < MAX_COUNTED;
    return {
      en: `old_string is in the file ${isCounted ? starts.length : `at least ${MAX_COUNTED}`} times (lines ${lineList}); add lines around it until it is the only one, or set replace_all`,
      zh: `old_string 在文件中出现${isCounted ? ` ${starts.length}` : `至少 ${MAX_COUNTED}`} 次（第 ${lineList} 行）；请加上前后的行使其唯一，或设置 replace_all`,
    };
  }
  const gaps = starts.map((start, i) => text.slice(i === 0 ? 0 : (starts[i - 1] ?? 0) + match.text.length, start));
  const rest = text.slice((starts.at(-1) ?? 0) + match.text.length);
  return { text: `${gaps.map((gap) => gap + insertion).join('')}${rest}`, lines };
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

type TextMatch = { readonly text: string; readonly crlf: boolean; readonly lf: boolean };

function findWithLineEnds(text: string, oldText: string): TextMatch | undefined {
  const allCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  if (text.includes(oldText)) return { text: oldText, crlf: allCrlf, lf: false };
  const crlf = withCrlf(oldText);
  if (text.includes(crlf)) return { text: crlf, crlf: true, lf: false };
  const lf = oldText.replaceAll('\r\n', '\n');
  return text.includes(lf) ? { text: lf, crlf: false, lf: true } : undefined;
}

const withCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');

const MAX_COUNTED = 1_000;

/** Returns where the text occurs. When it must be unique, overlapping occurrences count too: each would be a different change. */
function findAll(text: string, needle: string, all: boolean): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + (all ? needle.length : 1))) {
    starts.push(at);
    if (!all && starts.length === MAX_COUNTED) break;
  }
  return starts;
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
