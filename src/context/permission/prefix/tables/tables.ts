/**
 * What is known to be harmless behind the beginning of a command: text tables by families of programs, read once, when the first is asked
 * for. A table has one line for each subcommand, `PROGRAM WORDS, OTHER WORDS:`, where `*` stands for any characters; an indented line goes
 * on with the one before. Behind the colon stand, parted by blanks,
 *
 * - options that change nothing but how the program does what it does: `-v`; with a value `-n=`, which may also be the next word; with one
 *   that can only be in the same word `--color[=]`; `-#` for a number. The value is a word or a path in the folder, with `=*` any text, with
 *   `=a|b` one of these. `*` at the end of a name stands for more letters. An option that has several letters and one dash makes all
 *   options of its line whole words; elsewhere short ones may be written together.
 * - `@name`: the options of a group, a line that begins so.
 * - what other words may be, by the kinds of `words.ts`, the last one for all that follow; files without any.
 * - `!word` and `!-o` for words and options without a value of which is known that they do harm.
 *
 * What stands on a line holds for the lines of its subcommands too. A line that ends in `--` is for what comes behind these.
 *
 * A line says what is harmless whatever its words are, and promises nothing of what a project's own files do. Options and subcommands that
 * do harm are left out; what is left out asks.
 */

import { lazily } from '../../../../domain/value/word-list.ts';
import { type OptionLine, readOptionTables } from '../option-table.ts';
import { BUILDS } from './builds.ts';
import { EVERYDAY } from './everyday.ts';
import { GIT } from './git.ts';
import { JAVASCRIPT } from './javascript.ts';
import { LANGUAGES } from './languages.ts';
import { REMOTE } from './remote.ts';

/** By the names of programs. */
export const optionTables: () => ReadonlyMap<string, OptionLine> = lazily(() =>
  readOptionTables([GIT, JAVASCRIPT, LANGUAGES, BUILDS, REMOTE, EVERYDAY]),
);

/** What is known of a program by its name. */
export const tableOf = (program: string): OptionLine | undefined => optionTables().get(program);
