import type { ParsedCommand, ViewedCommand } from '../../domain/permission.ts';
import { pathsRead, type ReadingProgram, readingProgram, readPaths } from './reading-programs.ts';

type Viewed = Pick<ViewedCommand, 'paths'> & Partial<ViewedCommand>;

/**
 * Returns what a command line reads when all of it is in a table: what is proven to only read anywhere, and what does so in a read-only view
 * of the folder: searches of whole folders, git that looks, versions of programs. Undefined for all else.
 */
export function viewedCommand({ isPlain, commands }: ParsedCommand): ViewedCommand | undefined {
  if (!isPlain || commands.length === 0) return undefined;
  const found: Viewed[] = [];
  let folder: string | undefined;
  for (const [at, command] of commands.entries()) {
    const words = command.words.filter((word) => word !== undefined);
    const [name = '', ...rest] = words;
    if (name === 'cd' && at === 0 && rest.length === 1 && isPlainPath(rest[0])) {
      folder = rest[0] ?? '';
      found.push({ paths: [folder] });
      continue;
    }
    const isIn = command.folder === undefined ? undefined : folder;
    // After the first word of all, a change of the folder may or may not happen.
    if (command.folder === null || (command.folder !== undefined && folder === undefined)) return undefined;
    const viewed = viewedWords(name, rest);
    if (viewed === undefined) return undefined;
    const from = (path: string): string => (isIn === undefined || path.startsWith('/') ? path : `${isIn}/${path}`);
    const { paths, searched = [], repositories = [] } = viewed;
    found.push({ ...viewed, paths: paths.map(from), searched: searched.map(from), repositories: repositories.map(from) });
  }
  return {
    paths: found.flatMap(({ paths }) => paths),
    searched: found.flatMap(({ searched = [] }) => searched),
    repositories: found.flatMap(({ repositories = [] }) => repositories),
    showsFiles: found.some(({ showsFiles }) => showsFiles === true),
    showsObjects: found.some(({ showsObjects }) => showsObjects === true),
    folder,
  };
}

/** Nothing that the shell would complete, or take for an option or the folder before. */
const isPlainPath = (path = ''): boolean => /^[^-~\\*?[]/.test(path) && !/[\\*?[]/.test(path);

function viewedWords(name: string, rest: readonly string[]): Viewed | undefined {
  if (VERSIONS.has([name, ...rest].join(' '))) return { paths: [] };
  if (name === 'git') return viewedGit(rest);
  if (name === 'find' && rest.includes('-exec')) return viewedFind(rest);
  const own = name === 'awk' ? awkPaths(rest) : name === 'jq' ? jqPaths(rest) : undefined;
  if (own !== undefined) return { paths: own };
  const search = SEARCHES.get(name);
  const paths = search === undefined ? undefined : searchedPaths(name, search, rest);
  if (paths !== undefined) return { paths, searched: paths };
  const read = readPaths([name, ...rest]);
  return read === undefined ? undefined : { paths: read };
}

/** Of programs that let no file of the folder choose another one in their place. */
const VERSIONS: ReadonlySet<string> = new Set([
  ...'node npm python python3 git bash gcc g++ clang make cmake java jq rg tmux'.split(' ').map((name) => `${name} --version`),
  ...'node -v,npm -v,python -V,python3 -V,rg -V,java -version'.split(','),
]);

const GREP = readingProgram('grep');
const RG = readingProgram('rg');
const MORE_GREP =
  'recursive exclude-dir perl-regexp only-matching no-filename with-filename files-without-match max-count context quiet null no-messages';
const MORE_RG =
  'hidden no-ignore no-heading heading context after-context before-context smart-case multiline only-matching type-not color';

const SEARCHES: ReadonlyMap<string, ReadingProgram> = new Map([
  ['grep', { ...GREP, flags: `${GREP?.flags ?? ''}r`, long: [...(GREP?.long ?? []), ...MORE_GREP.split(' ')] }],
  ['rg', { texts: 1, flags: `${RG?.flags ?? ''}`, valued: RG?.valued ?? '', long: [...(RG?.long ?? []), ...MORE_RG.split(' ')] }],
]);

/** The folders and files that are searched; undefined where it is no search of folders, or more than that. */
function searchedPaths(name: string, program: ReadingProgram, words: readonly string[]): readonly string[] | undefined {
  const isWide = name === 'rg' || words.some((word) => word === '--recursive' || /^-[A-Za-z]*r/.test(word));
  const paths = isWide ? pathsRead(program, words) : undefined;
  // What looks like the pattern may be the value of a long option, and a path the pattern.
  return paths !== undefined && (paths.length === 0 || words.some((word) => /^--[^=]+$/.test(word))) ? ['.', ...paths] : paths;
}

/** Files of which each is given to a program that only reads it: regular ones, since of a link that would read where it leads. */
function viewedFind(words: readonly string[]): Viewed | undefined {
  const at = words.indexOf('-exec');
  const [tests, [name = '', ...rest], end = ''] = [words.slice(0, at), words.slice(at + 1, -1), words.at(-1)];
  const isOfFiles =
    tests.some((word, i) => word === '-type' && tests[i + 1] === 'f') && !tests.some((word) => /^(?:[(),!]|-o|-or|-not)$/.test(word));
  const read = rest.at(-1) === '{}' ? readPaths([name, ...rest.slice(0, -1), FOUND]) : undefined;
  const paths = readPaths(['find', ...tests]);
  if (!isOfFiles || !/^[;+]$/.test(end) || read?.join() !== FOUND || paths === undefined || paths.some((path) => path.startsWith('@')))
    return undefined;
  const searched = paths.length === 0 ? ['.'] : paths;
  return { paths: searched, searched };
}

const FOUND = './found';

/** A program that prints: it names no other file, and nothing that it prints goes into one, or to another program. */
function awkPaths(words: readonly string[]): readonly string[] | undefined {
  let first = 0;
  for (; words[first]?.startsWith('-F') === true; first++) if (words[first] === '-F') first++;
  const [program = '', ...paths] = words.slice(first);
  const text = program.replace(/\|\||>=/g, ' ');
  const isSafe = !/[|@`]|\\\r?\n|system|getline|ARG[VC]|SYMTAB|PROCINFO|ENVIRON/.test(text);
  const isOnlyCompared = !text.includes('>') || /^[^{}"/#]*(?:\{[^{}>#]*\}[^{}"/#]*)*$/.test(text);
  return isSafe && isOnlyCompared && !program.startsWith('-') && paths.every((path) => !/^-|=/.test(path)) ? paths : undefined;
}

const JQ: ReadingProgram = {
  ...{ flags: 'rcsneSMCjaR', texts: 1 },
  long: 'raw-output compact-output slurp null-input exit-status sort-keys color-output monochrome-output tab join-output raw-input'.split(
    ' ',
  ),
};

const jqPaths = (words: readonly string[]): readonly string[] | undefined =>
  words.some((word) => /\b(?:import|include|modulemeta)\b|\$ENV|(?<![.\w])env\b/.test(word)) ? undefined : pathsRead(JQ, words);

/** Options of git itself, then a subcommand with its own. */
function viewedGit(words: readonly string[]): Viewed | undefined {
  let [at, folder] = [0, '.'];
  for (; words[at]?.startsWith('-') === true; at++) {
    if (words[at] === '-C' && folder === '.' && isPlainPath(words[at + 1])) folder = words[++at] ?? '.';
    else if (words[at] !== '--no-pager' && words[at] !== '-P') return undefined;
  }
  const name = words[at] ?? '';
  const command = Object.hasOwn(GIT, name) ? GIT[name] : undefined;
  const operands = command === undefined ? undefined : pathsRead(command, words.slice(at + 1));
  if (command === undefined || operands === undefined) return undefined;
  const isFrom = (path: string): string => (folder === '.' || path.startsWith('/') ? path : `${folder}/${path}`);
  // `HEAD:src/a` names a file of a commit, and so do `:src/a` and `:0:src/a` one of the index.
  const paths = operands.flatMap((word) => word.split(':').map((_, at, parts) => parts.slice(at).join(':')));
  return {
    paths: [folder, ...paths.filter((path) => path !== '').map(isFrom)],
    repositories: [folder],
    showsFiles: command.showsFiles === true,
    showsObjects: command.showsFiles === true && operands.some((word) => /(?:^|[.^]|-g)[0-9a-f]{4,64}(?![\w/-])/i.test(word)),
  };
}

type GitCommand = ReadingProgram & { readonly showsFiles?: true };

const split = (...texts: readonly string[]): readonly string[] => texts.join(' ').split(' ');
const DIFF = `stat shortstat numstat dirstat name-only name-status summary patch no-patch raw color no-color unified word-diff diff-filter
  ignore-all-space ignore-space-change ignore-blank-lines ignore-space-at-eol find-renames no-renames minimal patience histogram
  function-context abbrev full-index relative exit-code quiet check compact-summary patch-with-stat no-prefix`.replace(/\s+/g, ' ');
const LOG =
  `oneline graph all decorate no-decorate abbrev-commit no-abbrev-commit pretty format author committer grep since until after before
  max-count skip first-parent merges no-merges reverse follow date date-order topo-order branches tags remotes relative-date left-right
  left-only right-only cherry cherry-pick cherry-mark all-match regexp-ignore-case extended-regexp fixed-strings invert-grep boundary
  ancestry-path count no-walk`.replace(/\s+/g, ' ');
const LISTS = 'all remotes list show-current verbose column no-column color no-color sort format merged no-merged contains points-at';

const only = (words: RegExp): ReadingProgram => ({ read: (all) => (words.test(all.join(' ')) ? [] : undefined) });

/** Subcommands that look, with the options that only look: none that writes a file or starts a program. */
const GIT: Readonly<Record<string, GitCommand>> = {
  status: {
    flags: 'sbvuzno',
    long: split('short branch porcelain long verbose untracked-files ignored no-renames renames column show-stash ahead-behind'),
  },
  log: { flags: 'psugiEFPcmzwbMC', valued: 'nSG', long: split(DIFF, LOG), counts: true, showsFiles: true },
  show: { flags: 'psugiwbcmzMC', valued: 'n', long: split(DIFF, LOG), counts: true, showsFiles: true },
  diff: { flags: 'puwbRszWMC', valued: 'SG', long: split(DIFF, 'cached staged merge-base'), showsFiles: true },
  blame: { flags: 'lstfewbnMC', valued: 'L', long: split('show-email date since porcelain line-porcelain root') },
  grep: {
    flags: 'niwEFPGlLcqhHpW',
    valued: 'ABCm',
    texts: 1,
    long: split(
      'ignore-case line-number count files-with-matches word-regexp extended-regexp fixed-strings perl-regexp heading break cached context color no-color show-function max-depth',
    ),
    showsFiles: true,
  },
  shortlog: { flags: 'sne', long: split('summary numbered email all no-merges since until') },
  'rev-list': { flags: '', valued: 'n', long: split(LOG), counts: true },
  'rev-parse': {
    flags: '',
    long: split(
      'show-toplevel abbrev-ref short verify git-dir git-common-dir is-inside-work-tree is-bare-repository show-prefix show-cdup symbolic-full-name all branches tags remotes quiet',
    ),
  },
  'ls-files': {
    flags: 'mcdotuz',
    long: split('others modified deleted cached exclude-standard unmerged error-unmatch full-name ignored directory'),
  },
  describe: { long: split('tags always abbrev long exact-match all match candidates first-parent') },
  'merge-base': { flags: 'a', long: split('is-ancestor all fork-point octopus independent') },
  'check-ignore': { flags: 'vqnz', long: split('verbose quiet non-matching no-index') },
  reflog: only(/^(?:-\d+|show|-n \d+)?$/),
  branch: { read: (words) => (words.every((word) => /^-[arvl]{1,4}$/.test(word) || isListed(word)) ? [] : undefined) },
  tag: { read: (words) => (words.every((word) => word === '-l' || isListed(word)) ? [] : undefined) },
  remote: only(/^(?:-v|--verbose)?$/),
  stash: only(/^list$/),
  worktree: only(/^list$/),
};

const isListed = (word: string): boolean => word.startsWith('--') && LISTS.split(' ').includes(word.slice(2).replace(/=.*$/s, ''));
