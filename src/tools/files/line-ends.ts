import { encodeText, type TextForm } from '../../domain/value/text-bytes.ts';

export type LineEnds = 'none' | 'lf' | 'crlf' | 'mixed';

/** A line ends with a line feed, with or without a carriage return before it; a carriage return alone ends none. */
export function lineEndsOf(text: string): LineEnds {
  const hasCrlf = text.includes('\r\n');
  if (/(?<!\r)\n/.test(text)) return hasCrlf ? 'mixed' : 'lf';
  return hasCrlf ? 'crlf' : 'none';
}

const withLf = (text: string): string => text.replaceAll('\r\n', '\n');
const withCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');

/**
 * A text with the line ends of what it replaces: all of one kind, or each line's own where there are both. A line that is new ends as the
 * one before it does, the first one as `first`. Where there were no lines it stays as it is.
 */
export function withEndsOf(before: string, after: string, first?: '\n' | '\r\n'): string {
  const ends = lineEndsOf(before);
  if (ends === 'lf') return withLf(after);
  if (ends === 'crlf') return withCrlf(after);
  if (ends === 'none') return first === undefined ? after : first === '\n' ? withLf(after) : withCrlf(after);
  return lineEndsOf(after) === 'mixed' ? after : withOwnEnds(before.split('\n'), withLf(after).split('\n'), first);
}

function withOwnEnds(before: readonly string[], after: readonly string[], first: string | undefined): string {
  const plain = before.map((line) => line.replace(/\r$/, ''));
  const endAt = (at: number | undefined): string | undefined =>
    at !== undefined && at < before.length - 1 ? (before[at]?.endsWith('\r') === true ? '\r\n' : '\n') : undefined;
  let end = first ?? endAt(0) ?? '\n';
  const ends = linesBefore(plain, after).map((at) => {
    end = endAt(at) ?? end;
    return end;
  });
  return after.map((line, at) => (at === after.length - 1 ? line : `${line}${ends[at]}`)).join('');
}

/** For each line which one it was before: those at both ends that are the same, and between them the next that is, or as many as there were. */
function linesBefore(before: readonly string[], after: readonly string[]): readonly (number | undefined)[] {
  const shorter = Math.min(before.length, after.length);
  const shift = before.length - after.length;
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const places = new Map<string, number[]>();
  for (let at = before.length - tail - 1; at >= start; at--) {
    const line = before[at] ?? '';
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else known.push(at);
  }
  return after.map((line, at) => {
    if (at < start || shift === 0) return at;
    return at >= after.length - tail ? at + shift : places.get(line)?.pop();
  });
}

const NAMES: Readonly<Record<LineEnds, string>> = { none: 'none', lf: 'LF', crlf: 'CRLF', mixed: 'both kinds' };

/**
 * How a text that takes the place of another is written: in its form and with its line ends, except that carriage returns that are given stay
 * in a file that had none; and for a model what of that was not as given, or is not as it was.
 */
export function writtenOver(before: { readonly text: string; readonly form: TextForm }, given: string) {
  const { form } = before;
  const own = form.mark && given.startsWith('\ufeff') ? given.slice(1) : given;
  const ends = lineEndsOf(before.text);
  const text = ends === 'lf' ? own : withEndsOf(before.text, own);
  const kept = [
    form.encoding === 'utf-8' ? '' : form.encoding.toUpperCase(),
    form.mark ? 'byte order mark' : '',
    text === own ? '' : ends === 'mixed' ? 'line ends of both kinds' : `${NAMES[ends]} line ends`,
  ].filter((part) => part !== '');
  const endsNow = lineEndsOf(text);
  const notes = [
    kept.length === 0 ? '' : `kept: ${kept.join(', ')}`,
    endsNow === ends || endsNow === 'none' || ends === 'none' ? '' : `line ends as given, ${NAMES[endsNow]}; they were ${NAMES[ends]}`,
    before.text.endsWith('\n') && text !== '' && !text.endsWith('\n') ? 'no line feed at the end, which it had' : '',
  ];
  return { text, bytes: encodeText(text, form), notes: notes.filter((note) => note !== '') };
}
