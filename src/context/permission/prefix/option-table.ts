/** An option of a table; `asks` where it is known to do harm. */
export type Option = { readonly value: 'none' | 'next' | 'attached'; readonly kind: string; readonly asks: boolean };

export type OptionLine = {
  readonly options: ReadonlyMap<string, Option>;
  readonly kinds: readonly string[];
  readonly refused: ReadonlySet<string>;
  readonly isLong: boolean;
  readonly below: ReadonlyMap<string, OptionLine>;
  /** False where a subcommand has to follow of which a table knows. */
  readonly isLine: boolean;
};

type Draft = { tokens: string[]; readonly below: Map<string, Draft>; isLine: boolean };

/** Reads tables; the first words of their lines are the keys of what comes out. A group stands before its lines. */
export function readOptionTables(texts: readonly string[]): ReadonlyMap<string, OptionLine> {
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

const NOTHING: OptionLine = { options: new Map(), kinds: ['none'], refused: new Set(), isLong: false, below: new Map(), isLine: false };

function finished({ tokens, below, isLine }: Draft, above: OptionLine): OptionLine {
  const isOption = (token: string): boolean => /^!?-/.test(token);
  const options = new Map([...above.options, ...tokens.filter(isOption).map(readOption)]);
  const kinds = tokens.filter((token) => !isOption(token) && !token.startsWith('!'));
  const line = {
    options,
    kinds: kinds.length > 0 ? kinds : isLine ? ['files'] : ['none'],
    refused: new Set(tokens.filter((token) => /^![^-]/.test(token)).map((token) => token.slice(1))),
    isLong: [...options.keys()].some((name) => /^-[^-]{2}/.test(name)),
    below: new Map<string, OptionLine>(),
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
export const lineBelow = ({ below }: Pick<OptionLine, 'below'>, word: string): OptionLine | undefined =>
  below.get(word) ?? patternIn(below, word);

/** The option that a word is, with the value that stands in it; undefined for one that is not known. */
export type Given = Option & { readonly text?: string };

/** The options of one word, which are several where short ones are written together; undefined when one of them is not known. */
export function optionsOf({ options, isLong }: OptionLine, word: string): readonly Given[] | undefined {
  const at = word.indexOf('=');
  const [name, text] = at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
  const known = options.get(name) ?? (text === undefined ? patternIn(options, name) : undefined);
  if (known !== undefined && (text === undefined || known.value !== 'none')) return [{ ...known, ...(text !== undefined && { text }) }];
  if (/^-\d{1,9}$/.test(word) && options.has('-#')) return [NUMBER];
  return word.startsWith('--') ? undefined : isLong ? withText(options, word) : letters(options, word);
}

const NUMBER: Given = { value: 'none', kind: 'files', asks: false };

/** `-Isrc`: a capital letter with its value. A small one begins the name of another option too often: `-o` and `-overlay`. */
function withText(options: OptionLine['options'], word: string): readonly Given[] | undefined {
  const option = options.get(word.slice(0, 2));
  return option === undefined || option.value === 'none' || !/^-[A-Z]/.test(word) ? undefined : [{ ...option, text: word.slice(2) }];
}

function letters(options: OptionLine['options'], word: string): readonly Given[] | undefined {
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
