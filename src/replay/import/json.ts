/** Reading of JSON of unknown shape: each accessor gives what was asked for, or the empty form of it. */
export type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
export const recordAt = (value: unknown, key: string): Json => {
  const found = isRecord(value) ? value[key] : undefined;
  return isRecord(found) ? found : {};
};
export const textAt = (value: unknown, key: string): string => {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : '';
};
export const listAt = (value: unknown, key: string): readonly unknown[] => {
  const found = isRecord(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
};
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export type Line = { readonly number: number; readonly text: string };

/** The lines that are not blank, numbered from 1, one after the other: no list of all of them is made. */
export function* linesOf({ lines }: Pick<Recording, 'lines'>): Generator<Line> {
  let number = 0;
  for (const raw of lines()) {
    number += 1;
    const text = raw.trim();
    if (text !== '') yield { number, text };
  }
}

/** A recorded file. A format of lines is read a line at a time, so that its size does not matter; the others need the whole. */
export type Recording = {
  /** Without their ends, from the first one on each time. */
  readonly lines: () => Iterable<string>;
  /** Throws `usage` when it is too large for one string. */
  readonly whole: () => string;
};

export const recordingOf = (text: string): Recording => ({ lines: () => splitLines(text), whole: () => text });

function* splitLines(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    yield text.slice(start, end);
    start = end + 1;
  }
}
