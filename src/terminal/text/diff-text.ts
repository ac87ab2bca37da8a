import { localize } from '../../domain/language.ts';
import type { Drawing } from './paint.ts';
import { exactText } from './safe-text.ts';
import { wrapRanges } from './text-width.ts';

/**
 * A difference as a person reads it: each line behind its sign and in its colour, its indent as it is, and where a part of the file begins. What
 * could deceive is shown as it is everywhere for what a person allows.
 */
export function diffLines(preview: string, { paint, columns }: Drawing): readonly string[] {
  const lines = preview.replace(/\n$/, '').split('\n');
  return lines.flatMap((line) => {
    const [, start] = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@$/.exec(line) ?? [];
    if (start !== undefined) return [paint.quiet(localize({ en: `… line ${start}`, zh: `… 第 ${start} 行` }))];
    const sign = /^[+\- ]/.exec(line)?.[0];
    const code = sign === undefined ? exactText(line) : exactCode(line.slice(1), sign);
    const text = sign === undefined || (sign === ' ' && code === '') ? code : sign + code;
    const paintLine = sign === '+' ? paint.added : sign === '-' ? paint.removed : paint.plain;
    return wrapRanges(text, columns).map(({ start: from, end }) => paintLine(text.slice(from, end)));
  });
}

/** An indent is no attempt to push something out of sight unless it is deeper than any. */
const MAX_INDENT = 60;

/** Tabs at the beginning as arrows, as wide as most editors have them; of a line that stays, blanks at its end are no news. */
function exactCode(line: string, sign: string): string {
  const indent = /^[\t ]*/.exec(line)?.[0] ?? '';
  const shown = indent.replaceAll('\t', '→   ');
  const isLong = shown.length > MAX_INDENT;
  const rest = exactText(isLong ? line : line.slice(indent.length));
  if (indent.length === line.length) return sign === ' ' || line === '' ? '' : exactText(line);
  return `${isLong ? '' : shown}${sign === ' ' ? rest.replace(/\[\d+ (?:spaces?|个空格)\]$/, '') : rest}`;
}
