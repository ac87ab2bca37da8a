import type { ParsedCommand } from '../../domain/permission.ts';

/**
 * Returns the paths that a command line reads when it does nothing but read and print; undefined when that is not proven. The proof is the
 * table below, program by program and option by option. git is not in it: its settings in a repository can name programs that it runs. Nor
 * is a search of whole folders, which would also print what files of secrets hold.
 */
export function provenPaths(parsed: ParsedCommand): readonly string[] | undefined {
  if (!parsed.isPlain || parsed.commands.length === 0) return undefined;
  const paths: string[] = [];
  for (const { words } of parsed.commands) {
    const read = readPaths(words);
    if (read === undefined) return undefined;
    paths.push(...read);
  }
  return paths;
}

export function readPaths(words: readonly (string | undefined)[]): readonly string[] | undefined {
  const [name, ...rest] = words;
  const program = readingProgram(name);
  const known = rest.filter((word) => word !== undefined);
  return program === undefined || program.unproven === true || known.length < rest.length ? undefined : pathsRead(program, known);
}

/** What is known of a program by its plain name; a path to one is another program. */
export const readingProgram = (name: string | undefined): ReadingProgram | undefined => PROGRAMS.get(name ?? '');

const only = (...allowed: readonly string[]): ReadingProgram => ({ read: (words) => (allowed.includes(words.join(' ')) ? [] : undefined) });

/** Prints lines of a file by their numbers; all else that sed can do is more than reading. */
function sedPaths(words: readonly string[]): readonly string[] | undefined {
  const [first, script, ...paths] = words;
  const isPlain = first === '-n' && /^(?:\d{1,9}|\$)(?:,(?:\d{1,9}|\$))?p$/.test(script ?? '');
  return isPlain && paths.every((path) => !path.startsWith('-')) ? paths : undefined;
}

/** Where to look, and then tests that only compare and print. */
function findPaths(words: readonly string[]): readonly string[] | undefined {
  const first = words.findIndex((word) => /^[-(!)]/.test(word));
  const [paths, tests] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)];
  for (let i = 0; i < tests.length; i++) {
    const test = tests[i] ?? '';
    if (FIND_TESTS.includes(test)) continue;
    if (!FIND_VALUED.includes(test) || ++i >= tests.length) return undefined;
  }
  return paths;
}

const FIND_TESTS = '( ) ! -a -and -o -or -not -print -print0 -prune -empty -depth -true -false -ls -mount -xdev -readable -writable'.split(
  ' ',
);
const FIND_VALUED = '-name -iname -path -ipath -type -maxdepth -mindepth -size -mtime -mmin -ctime -atime -perm -user -group'.split(' ');

/** One test of a file or a text. Names of variables are no texts: a shell evaluates what stands in them. */
const testPaths = (closing: readonly string[]) => (words: readonly string[]) => {
  const [operator = '', operand = '', ...rest] = words;
  if (rest.join(' ') !== closing.join(' ') || words.length !== 2 + closing.length) return undefined;
  if (['-n', '-z'].includes(operator)) return [];
  return ['-e', '-f', '-d', '-s', '-r', '-w', '-x', '-L', '-h'].includes(operator) ? [operand] : undefined;
};

const GREP_LONG =
  'ignore-case extended-regexp fixed-strings line-number invert-match count files-with-matches word-regexp color include exclude'.split(
    ' ',
  );

const RG_LONG =
  'ignore-case fixed-strings line-number count files-with-matches word-regexp glob type max-count max-depth files json sort'.split(' ');

const PROGRAMS: ReadonlyMap<string, ReadingProgram> = new Map<string, ReadingProgram>([
  ['ls', { flags: 'aAlhrtSR1FdGgnopsiUcuxCmQbBkqNvXZ', long: ['all', 'almost-all', 'color', 'human-readable', 'reverse', 'recursive'] }],
  ['cat', { flags: 'nbsAETvet', long: ['number', 'show-all', 'squeeze-blank', 'number-nonblank', 'show-ends', 'show-tabs'] }],
  ['head', { flags: 'qvz', valued: 'nc', long: ['lines', 'bytes', 'quiet', 'verbose'], counts: true }],
  ['tail', { flags: 'qvz', valued: 'nc', long: ['lines', 'bytes', 'quiet', 'verbose'], counts: true }],
  ['tac', {}],
  ['nl', { valued: 'bhfnwvis' }],
  ['rev', {}],
  ['wc', { flags: 'lwcmL', long: ['lines', 'words', 'bytes', 'chars', 'max-line-length'] }],
  ['cut', { flags: 'sz', valued: 'dfcb', long: ['delimiter', 'fields', 'characters', 'bytes', 'complement', 'output-delimiter'] }],
  ['paste', { flags: 'sz', valued: 'd' }],
  ['fold', { flags: 'sb', valued: 'w' }],
  ['fmt', { flags: 'su', valued: 'w' }],
  ['column', { flags: 't', valued: 's' }],
  ['tr', { flags: 'cdst', texts: 'all', most: 2 }],
  ['sort', { flags: 'nrufbhVsMgdiCcmz', valued: 'kt', long: ['numeric-sort', 'reverse', 'unique', 'ignore-case', 'key', 'version-sort'] }],
  ['uniq', { flags: 'cduiD', valued: 'fsw', long: ['count', 'repeated', 'unique', 'ignore-case'], most: 1 }],
  ['comm', { flags: '123z' }],
  ['cmp', { flags: 'bls', valued: 'n' }],
  ['diff', { flags: 'uqywbBias', valued: 'U', long: ['unified', 'brief', 'side-by-side', 'color', 'ignore-all-space'] }],
  ['grep', { flags: 'iEFPGnvcloLwxhHsqab', valued: 'mABC', long: GREP_LONG, texts: 1 }],
  ['rg', { flags: 'iFnvclowxHsSPIUN', valued: 'mABCgtT', long: RG_LONG, texts: 1, unproven: true }],
  ['find', { read: findPaths }],
  ['tree', { flags: 'adfhFDsugpCn', valued: 'LIP', long: ['dirsfirst', 'noreport'] }],
  ['stat', { flags: 'Lft', valued: 'c', long: ['format', 'printf', 'terse'] }],
  ['file', { flags: 'bihLN', long: ['brief', 'mime', 'mime-type', 'mime-encoding'] }],
  ['du', { flags: 'shackmb', valued: 'd', long: ['summarize', 'human-readable', 'max-depth', 'all', 'total'] }],
  ['df', { flags: 'hTikm' }],
  ['od', { flags: 'cxbdo', valued: 'AtNjw' }],
  ['hexdump', { flags: 'Cbcdox', valued: 'ns' }],
  ['xxd', { flags: 'bpui', valued: 'lsgc', most: 1 }],
  [
    'strings',
    { read: (words) => (words.some((word) => word.startsWith('@')) ? undefined : pathsRead({ flags: 'a', valued: 'nt' }, words)) },
  ],
  ...['md5sum', 'sha1sum', 'sha256sum', 'sha512sum', 'b2sum', 'cksum'].map((name): [string, ReadingProgram] => [name, { flags: 'bt' }]),
  ['readlink', { flags: 'fnemq' }],
  ['realpath', { flags: 'emqs' }],
  ['basename', { texts: 'all', most: 2 }],
  ['dirname', { texts: 'all' }],
  ['pwd', only('', '-P', '-L')],
  ['whoami', only('')],
  ['uname', { flags: 'asnrvmpio', most: 0 }],
  ['date', { read: (words) => (words.every((word) => word === '-u' || word.startsWith('+')) ? [] : undefined) }],
  ['echo', { read: () => [] }],
  ['seq', { texts: 'all' }],
  ['true', { texts: 'all' }],
  ['false', { texts: 'all' }],
  ['which', { flags: 'a', texts: 'all' }],
  ['sed', { read: sedPaths }],
  ['test', { read: testPaths([]) }],
  ['[', { read: testPaths([']']) }],
]);

/**
 * What is known of a program that only reads: every option that it may get, and nothing else. An option that is not here is no reading,
 * whatever it does.
 */
export type ReadingProgram = {
  /** Letters of short options without and with a value. */
  readonly flags?: string;
  readonly valued?: string;
  /** Long options, without the dashes; one that takes a value has it after an equals sign. */
  readonly long?: readonly string[];
  /** What the other words are: `texts` then paths. Left out: all of them are paths. */
  readonly texts?: number | 'all';
  /** At most so many words beside the options. */
  readonly most?: number;
  /** A number alone is an option: head -20. */
  readonly counts?: true;
  /** It reads more than its words name: a rule may cover it, but it proves nothing. */
  readonly unproven?: true;
  /** For what the letters cannot say. Returns the paths that are read. */
  readonly read?: (words: readonly string[]) => readonly string[] | undefined;
};

/** Returns the paths that a program reads when called with these words, its name left out; undefined when it may do anything else. */
export function pathsRead(program: ReadingProgram, words: readonly string[]): readonly string[] | undefined {
  if (program.read !== undefined) return program.read(words);
  const operands: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') {
      operands.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const option = knownOption(program, word);
    if (option === undefined) return undefined;
    if (option === 'takes_next' && ++i >= words.length) return undefined;
  }
  // rg lists what it would search.
  const texts = words.includes('--files') ? 0 : program.texts;
  if (program.most !== undefined && operands.length > program.most) return undefined;
  return texts === 'all' ? [] : operands.slice(texts ?? 0).filter((path) => path !== '-');
}

function knownOption({ flags = '', valued = '', long = [], counts }: ReadingProgram, word: string): 'whole' | 'takes_next' | undefined {
  if (counts === true && /^-\d{1,9}$/.test(word)) return 'whole';
  if (word.startsWith('--')) return long.includes(word.slice(2).replace(/=.*$/s, '')) ? 'whole' : undefined;
  for (let i = 1; i < word.length; i++) {
    const letter = word.charAt(i);
    // What follows in the same word is its value.
    if (valued.includes(letter)) return i === word.length - 1 ? 'takes_next' : 'whole';
    if (!flags.includes(letter)) return undefined;
  }
  return 'whole';
}
