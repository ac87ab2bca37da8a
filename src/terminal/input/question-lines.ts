import type { Paint } from '../text/paint.ts';
import { clip, textWidth, wrap } from '../text/text-width.ts';

import { placeInList } from './input-text.ts';

export type OpenQuestion = {
  readonly message: string;
  readonly choices: readonly { readonly name: string; readonly key: string | undefined }[];
  readonly selected: number;
  readonly tip: string;
  readonly isRow?: boolean;
  readonly line?: string;
  readonly none?: string;
};

const MAX_SHOWN_CHOICES = 10;

export function questionLines(
  { message, choices, selected, tip, line, none, isRow = false }: OpenQuestion,
  paint: Paint,
  columns: number,
): readonly string[] {
  const first = Math.max(0, Math.min(selected - Math.floor(MAX_SHOWN_CHOICES / 2), choices.length - MAX_SHOWN_CHOICES));
  const isShort = isRow && choices.reduce((sum, { name }) => sum + textWidth(name) + 4, 0) <= columns;
  const rows = choices.slice(first, first + MAX_SHOWN_CHOICES).flatMap(({ name, key }, at) => {
    const isSelected = first + at === selected;
    const mark = isSelected ? '❯ ' : '  ';
    const named = key === undefined || /^\d\.? /.test(name) ? '' : ` (${key})`;
    // What a key would decide is shown whole; a name in a list is known by its beginning.
    const lines = key === undefined ? [clip(name, columns - 2)] : wrap(`${name}${named}`, columns - 2);
    return lines.map((line, row) => (row === 0 ? mark : '  ') + line).map((line) => (isSelected ? paint.code(line) : line));
  });
  const typed = line === undefined ? [] : wrap(`❯ ${line}▏`, columns);
  const more = choices.length > MAX_SHOWN_CHOICES ? [paint.quiet(clip(`  ${placeInList(selected + 1, choices.length)}`, columns))] : [];
  return [
    ...wrap(message, columns).map((line) => paint.strong(line)),
    ...(isShort ? [rows.join(' ')] : rows),
    ...(none === undefined ? [] : [paint.quiet(clip(`  ${none}`, columns))]),
    ...more,
    ...typed,
    ...wrap(tip, columns).map((line) => paint.quiet(line)),
  ];
}
