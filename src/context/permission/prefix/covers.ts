/**
 * Says whether what stands behind an allowed beginning is known to be harmless: the options of a table, and words that stay in the working
 * folder. What the person allowed word for word is not looked at; it only says how to read what follows.
 *
 * A program without a table gets files of the folder, a script of the project any word, and neither an option: nobody's manual says what
 * `--fast` does there, and in `manage.py test --settings x` it names a module to run. The yes to one option can be kept as a longer beginning.
 */

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
const lineBelow = ({ below }: Pick<OptionLine, 'below'>, word: string): OptionLine | undefined => below.get(word) ?? patternIn(below, word);

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

/**
 * True for a word that can only name something in the working folder, or be a plain word: not where another folder begins, in no part of a
 * list either; no option, no file to read more words from, no address of a host, no setting (`CC=x`), nothing that a shell would evaluate,
 * and nothing of git's own folder. A pattern may stay below the folder that it is in.
 */
export const isInside = (word: string): boolean =>
  /^[\p{L}\p{M}\p{N}_.*([][\p{L}\p{M}\p{N}_.*()[\],/#@+~ -]*$/u.test(word) &&
  !/[, ][/~]|(?:^|[, /])(?:\.\.|\.[^/]*\*[^/]*|\.git|[.[\]]*\[[.[\]]*)(?:$|[, /])/i.test(word);

/** The same, or a name that has parts: test:unit. */
export const isTarget = (word: string): boolean => isInside(word) || /^[\w-]+(?::[\w-]+)+$/.test(word);

/** The same, where it can be nothing but the path of a file: no name of another program, subcommand or machine, and nothing that is fetched from one. */
export const isFile = (word: string): boolean =>
  isInside(word) && /^\S*[./]\S*$|^\d+$/.test(word) && !/^(?:[\w-]+\.)+(?:com|org|net|io|dev|sh|ai|co|app|cloud|run)\//i.test(word);

/** What looks like a file behind them is a machine, an address or what is fetched and run; or it is a file, and its content is gone. */
export const TAKES_NO_FILES: ReadonlySet<string> = new Set(
  `ftp sftp tftp telnet ping ping6 dig nslookup host whois traceroute mtr mail mailx mutt sendmail msmtp swaks lp lpr cookiecutter degit tiged giget
  copier apptainer singularity earthly ansible-galaxy luarocks opam nimble raco flatpak snap dpkg rpm insmod wine wipe srm shred unlink
  trash trash-put sponge mkfs fdisk parted losetup setfacl`
    .trim()
    .split(/\s+/),
);

/** What a word may be, by its kind; a kind that is not here is a choice of words parted by `|`. */
const KINDS: ReadonlyMap<string, (word: string) => boolean> = new Map([
  ['files', isInside],
  ['targets', isTarget],
  ['*', () => true],
  ['text', () => true],
  ['none', () => false],
  // A text where some program of that name takes a file instead.
  ['phrase', (word) => !/^[-/~@]|:\/\/|(?:^|\/)\.\.(?:\/|$)/.test(word)],
  // What a build or a script of the project makes, and not what it puts elsewhere or takes away.
  ['parts', (word) => isTarget(word) && !/install|deploy|publish|upload|release|destroy|drop|purge|wipe/i.test(word)],
  // Without a colon, and from no folder.
  ['names', (word) => /^@?\w[\w.@/-]*$/.test(word) && isInside(word.replace(/^@/, ''))],
  ['words', (word) => /^\w[\w.-]*$/.test(word)],
  // What git reads as a commit, a range or a file of one: HEAD~2, main..x, stash@{0}, v1^{}, ^main, -. To push or fetch, `a:b` is something else.
  ['refs', (word) => isRevision(word)],
  ['revs', (word) => isRevision(word) || (/^[\w.@^~/{}-]+:/.test(word) && isInside(word.replace(/^[^:]*:/, '')))],
  // A test in a file: a.py::TestA::test_b[x-1], a_spec.rb:12, module::test.
  ['ids', (word) => !word.includes('://') && isInside(word.replace(/\[[\w ./-]*\]$/, '').replace(/::?/g, '/'))],
  // A task of a project: :app:test.
  ['tasks', (word) => /^:?[\w.-]+(?::[\w.-]+)*$/.test(word)],
  // What a cluster has, but for its secrets.
  ['resources', (word) => /^\w[\w.,/-]*$/.test(word) && !/secret/i.test(word) && isInside(word)],
  // A part of a service's address, with a query.
  ['routes', (word) => /^\/?[\w{][\w{}.-]*(?:\/[\w{}.%:-]+)*\/?(?:\?[\w=&.%+,:-]*)?$/.test(word) && !/\/\.\.(?:\/|$)/.test(word)],
  // What jq and yq do with what it reads, but for what stands in the environment or in other files.
  ['filters', (word) => !/env|import|include|input_filename|load|^-/i.test(word)],
  // Letters as tar takes them without a dash, but for those that name a program or leave the folder.
  ['letters', (word) => isInside(word) && !/^[A-Za-z]*[IFPTCXV][A-Za-z]*$/.test(word)],
]);

const isRevision = (word: string): boolean =>
  word === '-' ||
  isInside(
    word
      .replace(/@?\{[\w -]*\}/g, 'x')
      .replaceAll('^', '')
      .replace(/^@/, 'x'),
  );

export const isOfKind = (word: string, kind: string): boolean => KINDS.get(kind)?.(word) ?? kind.split('|').includes(word);

export const isKind = (kind: string): boolean => KINDS.has(kind) || kind.includes('|');
