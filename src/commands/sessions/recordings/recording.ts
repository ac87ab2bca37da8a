import { type Fields, isObject, isString } from '../../../domain/value/json.ts';

// JSON of unknown shape: each accessor returns what was asked for, or an empty value of that type.

export const objectAt = (value: unknown, key: string): Fields => {
  const field = fieldOf(value, key);
  return isObject(field) ? field : {};
};

export const stringAt = (value: unknown, key: string): string => {
  const field = fieldOf(value, key);
  return isString(field) ? field : '';
};

export const arrayAt = (value: unknown, key: string): readonly unknown[] => {
  const field = fieldOf(value, key);
  return Array.isArray(field) ? field : [];
};

const fieldOf = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

/** A recorded file. Formats made of lines are read a line at a time, so that the size does not matter; the others need the whole text. */
export type Recording = {
  /** The lines without their ends; each call starts with the first one. */
  readonly lines: () => Iterable<string>;
  /** The whole text. Throws `usage` when it is too large for one string. */
  readonly readAll: () => string;
};

export const recordingOf = (text: string): Recording => ({ lines: () => splitLines(text), readAll: () => text });

function* splitLines(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    yield text.slice(start, end);
    start = end + 1;
  }
}

/** Yields the lines that are not blank, with their numbers from 1, one at a time, without a list of all of them. */
export function* linesOf({ lines }: Pick<Recording, 'lines'>): Generator<{ readonly number: number; readonly text: string }> {
  let number = 0;
  for (const raw of lines()) {
    number += 1;
    const text = raw.trim();
    if (text !== '') yield { number, text };
  }
}
