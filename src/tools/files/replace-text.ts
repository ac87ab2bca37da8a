type Replacement = { readonly oldText: string; readonly newText: string; readonly all: boolean };
type ReplacedText =
  | { readonly kind: 'replaced'; readonly text: string; readonly lines: readonly number[] }
  | { readonly kind: 'no'; readonly why: string };

/**
 * Replaces one text by another, character by character as given, except that line ends follow the file: LF finds CRLF and
 * the other way round, and what is put in has the file's. Says no when the text is absent, not the only one, or nothing would change.
 */
export function replaceText(text: string, { oldText, newText, all }: Replacement): ReplacedText {
  if (oldText === '') return no('old_string is empty; give the text to replace, or use write_file for a new file');
  if (oldText === newText) return no('old_string and new_string are the same; nothing to change');
  const found = findAs(text, oldText);
  if (found === undefined && MARKER.test(oldText)) return no(`old_string is not in the file: ${HIDDEN}; leave that part out of old_string`);
  if (found === undefined) return no(`old_string is not in the file${hintOf(text, oldText)}`);
  const put = found.crlf ? withCrlf(newText) : found.lf ? newText.replaceAll('\r\n', '\n') : newText;
  if (put === found.wanted) return no('old_string and new_string are the same apart from line ends; nothing to change');
  const starts = placesOf(text, found.wanted, all);
  const lines = linesOf(text, starts);
  if (starts.length > 1 && !all) {
    const shown = `${lines.slice(0, 10).join(', ')}${lines.length > 10 ? ', …' : ''}`;
    const times = starts.length < MAX_COUNTED ? starts.length : `at least ${MAX_COUNTED}`;
    return no(
      `old_string is in the file ${times} times (lines ${shown}); add lines around it until it is the only one, or set replace_all`,
    );
  }
  const kept = starts.map((start, i) => text.slice(i === 0 ? 0 : (starts[i - 1] ?? 0) + found.wanted.length, start));
  const rest = text.slice((starts.at(-1) ?? 0) + found.wanted.length);
  return { kind: 'replaced', text: `${kept.map((piece) => piece + put).join('')}${rest}`, lines };
}

/** What stands for a secret in a result that the model was shown. */
const MARKER = /\[redacted [a-zA-Z ]{1,20}\]/;
export const HIDDEN = 'a [redacted …] in what you were shown stands for a secret that is not shown to you';

/** Whether a text would put such a mark where the file has the secret itself. */
export const wouldHide = (before: string | undefined, after: string): boolean =>
  before !== undefined && MARKER.test(after) && !MARKER.test(before);

const no = (why: string): ReplacedText => ({ kind: 'no', why });

type Found = { readonly wanted: string; readonly crlf: boolean; readonly lf: boolean };

function findAs(text: string, oldText: string): Found | undefined {
  const allCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  if (text.includes(oldText)) return { wanted: oldText, crlf: allCrlf, lf: false };
  const crlf = withCrlf(oldText);
  if (text.includes(crlf)) return { wanted: crlf, crlf: true, lf: false };
  const lf = oldText.replaceAll('\r\n', '\n');
  return text.includes(lf) ? { wanted: lf, crlf: false, lf: true } : undefined;
}

const withCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');

const MAX_COUNTED = 1_000;

/** Where it stands. When it must be the only one, overlapping places count too: each would be a different change. */
function placesOf(text: string, wanted: string, all: boolean): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + (all ? wanted.length : 1))) {
    starts.push(at);
    if (!all && starts.length === MAX_COUNTED) break;
  }
  return starts;
}

/** The line of each place; one pass over the text, since there can be very many. */
function linesOf(text: string, starts: readonly number[]): readonly number[] {
  let line = 1;
  let feed = text.indexOf('\n');
  return starts.map((start) => {
    for (; feed >= 0 && feed < start; feed = text.indexOf('\n', feed + 1)) line++;
    return line;
  });
}

const MAX_HINT_CHARS = 500;

/** The place where the same words stand with other white space: the usual mistake. */
function hintOf(text: string, oldText: string): string {
  const wanted = oldText.trim().split('\n').map(words);
  const lines = text.split('\n');
  const simple = lines.map(words);
  const at = simple.findIndex((_, i) =>
    wanted.every((line, j) => (wanted.length === 1 ? simple[i + j]?.includes(line) : simple[i + j] === line)),
  );
  if (at < 0 || wanted.every((line) => line === '')) return '';
  const there = JSON.stringify(lines.slice(at, at + wanted.length).join('\n'));
  const end = there.length > MAX_HINT_CHARS ? '…' : '';
  return `; line ${at + 1} has it with other white space: ${there.slice(0, MAX_HINT_CHARS)}${end}`;
}

const words = (line: string): string => line.trim().replace(/\s+/g, ' ');
