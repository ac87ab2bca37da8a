/**
 * Says whether what stands behind an allowed beginning is known to be harmless: the options of a table, and words that stay in the working
 * folder. What the person allowed word for word is not looked at; it only says how to read what follows.
 *
 * A program without a table gets files of the folder, a script of the project any word, and neither an option: nobody's manual says what
 * `--fast` does there, and in `manage.py test --settings x` it names a module to run. The yes to one option can be kept as a longer beginning.
 */

import { type Given, lineBelow, type OptionLine, optionsOf } from './option-table.ts';
import { isOfKind } from './words.ts';

/** The words behind the name of a program; those before `from` are allowed. */
export type Rest = { readonly words: readonly string[]; readonly from: number };

/** True when the words lead to a subcommand that a table has. */
export function isListed(line: OptionLine, words: readonly string[]): boolean {
  let at = line;
  for (const word of words) {
    const below = lineBelow(at, word);
    if (below === undefined) break;
    at = below;
  }
  return at.isLine;
}

export function coversRest(start: OptionLine, { words, from }: Rest): boolean {
  let line = start;
  let operands = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const isAllowed = i < from;
    if (word === '--') return coversOperands(line, { words: words.slice(i + 1), from: Math.max(0, from - i - 1) }, operands);
    if (word.startsWith('-') && word !== '-') {
      const given = optionsOf(line, word);
      // It cannot be told whether the next word is its value.
      if (given === undefined) {
        if (!isAllowed || (i === from - 1 && i + 1 < words.length)) return false;
        if (isGroup(line) && i + 1 < from && lineBelow(line, words[i + 1] ?? '') === undefined) i++;
        continue;
      }
      if (!isAllowed && !given.every(isHarmless)) return false;
      if (given.at(-1)?.value !== 'next' || given.at(-1)?.text !== undefined) continue;
      const value = words[++i];
      if (i >= from && (value === undefined || value.startsWith('-') || !isOfKind(value, given.at(-1)?.kind ?? ''))) return false;
      continue;
    }
    const below = operands === 0 ? lineBelow(line, word) : undefined;
    if (below !== undefined) line = below;
    else if (!isAllowed && !isOperand(line, word, operands++)) return false;
    else if (isAllowed && operands++ === 0 && isGroup(line)) return words.length <= from;
  }
  return line.isLine;
}

/** True for the name of a program that needs a subcommand. */
const isGroup = ({ below, kinds }: OptionLine): boolean => below.size > 0 && kinds[0] === 'none';

const isHarmless = ({ asks, kind, text }: Given): boolean => !asks && (text === undefined || isOfKind(text, kind));

const isOperand = ({ kinds, refused }: OptionLine, word: string, at: number): boolean =>
  !refused.has(word) && isOfKind(word, kinds[at] ?? kinds.at(-1) ?? 'none');

function coversOperands(line: OptionLine, { words, from }: Rest, before: number): boolean {
  const behind = line.below.get('--');
  if (behind !== undefined) return coversRest(behind, { words, from });
  return words.every((word, i) => i < from || (!word.startsWith('-') && isOperand(line, word, before + i)));
}
