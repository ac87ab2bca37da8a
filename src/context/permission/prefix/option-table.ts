/**
 * What is known to be harmless behind the beginning of a command. A table has one line for each subcommand, `PROGRAM WORDS, OTHER WORDS:`,
 * where `*` stands for any characters; an indented line goes on with the one before. Behind the colon stand, parted by blanks,
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
 */
export type Option = { readonly value: 'none' | 'next' | 'attached'; readonly kind: string; readonly asks: boolean };

export type Line = {
  readonly options: ReadonlyMap<string, Option>;
  readonly kinds: readonly string[];
  readonly refused: ReadonlySet<string>;
  readonly isLong: boolean;
  readonly below: ReadonlyMap<string, Line>;
  /** False where a subcommand has to follow of which a table knows. */
  readonly isLine: boolean;
};

type Draft = { tokens: string[]; readonly below: Map<string, Draft>; isLine: boolean };

/** Reads tables; the first words of their lines are the keys of what comes out. A group stands before its lines. */
export function readOptionTables(texts: readonly string[]): ReadonlyMap<string, Line> {
  const groups = new Map<string, readonly string[]>();
  const root: Draft = emptyDraft();
  for (const line of texts
    .join('\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')) {
    const at = line.indexOf(': ');
    if (at < 0) continue;
    const tokens = line
      .slice(at + 2)
      .split(/\s+/)
      .filter((token) => token !== '')
      .flatMap((token) => groups.get(token) ?? [token]);
    if (line.startsWith('@')) groups.set(line.slice(0, at), tokens);
    else for (const words of line.slice(0, at).split(', ')) addLine(root, words.trim().split(' '), tokens);
  }
  return finished(root, NOTHING).below;
}

const emptyDraft = (): Draft => ({ tokens: [], below: new Map(), isLine: false });

function addLine(root: Draft, words: readonly string[], tokens: readonly string[]): void {
  let draft = root;
  for (const word of words) {
    const next = draft.below.get(word) ?? emptyDraft();
    draft.below.set(word, next);
    draft = next;
  }
  draft.tokens.push(...tokens);
  draft.isLine = true;
}

const NOTHING: Line = { options: new Map(), kinds: ['none'], refused: new Set(), isLong: false, below: new Map(), isLine: false };

function finished({ tokens, below, isLine }: Draft, above: Line): Line {
  const isOption = (token: string): boolean => /^!?-/.test(token);
  const options = new Map([...above.options, ...tokens.filter(isOption).map(readOption)]);
  const kinds = tokens.filter((token) => !isOption(token) && !token.startsWith('!'));
  const line = {
    options,
    kinds: kinds.length > 0 ? kinds : isLine ? ['files'] : ['none'],
    refused: new Set(tokens.filter((token) => /^![^-]/.test(token)).map((token) => token.slice(1))),
    isLong: [...options.keys()].some((name) => /^-[^-]{2}/.test(name)),
    below: new Map<string, Line>(),
    isLine,
  };
  for (const [word, draft] of below) line.below.set(word, finished(draft, word === '--' ? NOTHING : line));
  return line;
}

function readOption(token: string): readonly [string, Option] {
  const [, asks, name = '', attached, , kind] = /^(!?)(.+?)(\[)?(=(.*?)\]?)?$/.exec(token) ?? [];
  const value = attached !== undefined ? 'attached' : kind === undefined ? 'none' : 'next';
  return [name, { value, kind: kind || 'files', asks: asks === '!' }];
}

/** The line of the subcommand that a word names. */
export const lineBelow = ({ below }: Pick<Line, 'below'>, word: string): Line | undefined => below.get(word) ?? patternIn(below, word);

/** The option that a word is, with the value that stands in it; undefined for one that is not known. */
export type Given = Option & { readonly text?: string };

/** The options of one word, which are several where short ones are written together; undefined when one of them is not known. */
export function optionsOf({ options, isLong }: Line, word: string): readonly Given[] | undefined {
  const at = word.indexOf('=');
  const [name, text] = at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
  const known = options.get(name) ?? (text === undefined ? patternIn(options, name) : undefined);
  if (known !== undefined && (text === undefined || known.value !== 'none')) return [{ ...known, ...(text !== undefined && { text }) }];
  if (/^-\d{1,9}$/.test(word) && options.has('-#')) return [NUMBER];
  return word.startsWith('--') ? undefined : isLong ? withText(options, word) : letters(options, word);
}

const NUMBER: Given = { value: 'none', kind: 'files', asks: false };

/** `-Isrc`: a capital letter with its value. A small one begins the name of another option too often: `-o` and `-overlay`. */
function withText(options: Line['options'], word: string): readonly Given[] | undefined {
  const option = options.get(word.slice(0, 2));
  return option === undefined || option.value === 'none' || !/^-[A-Z]/.test(word) ? undefined : [{ ...option, text: word.slice(2) }];
}

function letters(options: Line['options'], word: string): readonly Given[] | undefined {
  const given: Given[] = [];
  for (let i = 1; i < word.length; i++) {
    const option = options.get(`-${word.charAt(i)}`);
    if (option === undefined) return undefined;
    const text = word.slice(i + 1);
    given.push(option.value === 'none' || text === '' ? option : { ...option, text });
    if (option.value !== 'none') break;
  }
  return given;
}

function patternIn<Value>(entries: ReadonlyMap<string, Value>, word: string): Value | undefined {
  for (const [pattern, value] of entries)
    if (pattern.endsWith('*') && word.startsWith(pattern.slice(0, -1)) && /^[\w+-]*$/.test(word)) return value;
  return undefined;
}
