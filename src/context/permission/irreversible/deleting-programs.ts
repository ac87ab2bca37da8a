import type { LostCopies, LostPaths, LostToArchive } from '../../../domain/permission.ts';
import { literalPattern, type ShellPattern, type SimpleCommand } from '../../../domain/permission.ts';
import { type Argument, type CalledProgram, calledProgram, patternsFor, type SortedArguments, sortArguments } from './called-program.ts';
import { gitLosses } from './git-losses.ts';
import { destroysRecords } from './remote-acts.ts';

export type Lost = LostPaths | LostCopies | LostToArchive;

type Program = {
  /** The options that take the next word, parted by blanks. */
  readonly valued?: string;
  /** Words like `-name` are one option. */
  readonly isLong?: true;
  readonly lost: (sorted: SortedArguments, called: CalledProgram) => readonly Lost[];
};

/** The paths that a program deletes or overwrites with these words. */
export function lostPaths(called: CalledProgram): readonly Lost[] {
  if (called.name === 'git') return gitLosses(called);
  const program = called.name.startsWith('mkfs') ? OPERANDS_OVERWRITTEN : PROGRAMS.get(called.name);
  return program?.lost(sortArguments(called.rest, program.valued, program.isLong), called) ?? [];
}

const lostOperands = (args: readonly Argument[], command: SimpleCommand, act: LostPaths['act']): readonly LostPaths[] => {
  const patterns = args.flatMap((each) => patternsFor(each, command));
  return patterns.length === 0 ? [] : [{ kind: 'paths', act, patterns }];
};

const has = ({ options }: SortedArguments, ...names: readonly string[]): boolean => names.some((name) => options.includes(name));

const OPERANDS_DELETED: Program = { lost: ({ operands }, { command }) => lostOperands(operands, command, 'delete') };
const OPERANDS_OVERWRITTEN: Program = { lost: ({ operands }, { command }) => lostOperands(operands, command, 'overwrite') };

/** The value of an option that names a file to write. */
const output = (...names: readonly string[]): Program => ({
  valued: names.join(' '),
  lost: ({ values }, { command }) =>
    lostOperands(
      names.flatMap((name) => values.get(name) ?? []),
      command,
      'overwrite',
    ),
});

const SPARING: readonly string[] = ['-n', '--no-clobber', '-b', '--backup'];

/** Programs that put files in the place of others: the last operand, or what -t names. */
const copying = (valued: string, mayOverwrite: (sorted: SortedArguments) => boolean, links = false): Program => ({
  valued: `-t --target-directory -S --suffix ${valued}`,
  lost: (sorted, { command }) => {
    const { operands, values } = sorted;
    const named = values.get('-t') ?? values.get('--target-directory');
    const target = named ?? operands.at(-1);
    const sources = (named === undefined ? operands.slice(0, -1) : operands).flatMap((each) => patternsFor(each, command));
    const [destination] = target === undefined ? [] : patternsFor(target, command);
    if (destination === undefined || sources.length === 0 || !mayOverwrite(sorted)) return [];
    const isWhole = has(sorted, '-T', '--no-target-directory') || (links && has(sorted, '-n', '--no-dereference'));
    return [{ kind: 'copies', sources, destination, ...(isWhole && { isWhole }), ...(links && { links }) }];
  },
});

/** Changes files in their place; what is given after -i keeps the old ones beside. */
function editedInPlace({ rest, command }: CalledProgram, { flag, valued, scripts }: InPlace): readonly LostPaths[] {
  const suffixes = rest.flatMap(({ word = '' }) => flag.exec(word)?.slice(1, 2) ?? []);
  if (suffixes.length === 0 || suffixes.some((suffix) => suffix !== '')) return [];
  const { operands, options } = sortArguments(rest, valued);
  // What BSD's sed takes for no suffix.
  const files = operands[0]?.word === '' ? operands.slice(1) : operands;
  return lostOperands(scripts.some((name) => options.includes(name)) ? files : files.slice(1), command, 'overwrite');
}

type InPlace = { readonly flag: RegExp; readonly valued: string; readonly scripts: readonly string[] };

const SED: InPlace = {
  flag: /^(?:-[nErsuz]*i|--in-place=?)(.*)$/,
  valued: '-e -f -l --expression --file --line-length',
  scripts: ['-e', '-f', '--expression', '--file'],
};
const PERL: InPlace = { flag: /^-[pnlwas0-9]*i(.*)$/, valued: '-e -E -I -M -m', scripts: ['-e', '-E'] };

/** What lies below the places that find looks at, where it deletes it or hands it to a program that does. */
function findLosses({ rest, command }: CalledProgram): readonly LostPaths[] {
  const first = rest.findIndex(({ word = '' }) => /^[-(!]/.test(word));
  const tests = first < 0 ? [] : rest.slice(first);
  const roots = (first < 0 ? rest : rest.slice(0, first)).flatMap((each) => patternsFor(each, command));
  const action = tests.findIndex(({ word = '' }) => /^-(?:delete|(?:exec|ok)(?:dir)?)$/.test(word));
  const act = actOf(tests.slice(action).map(({ word }) => word));
  if (action < 0 || act === undefined || tests.some(({ word }) => word === '-empty')) return [];
  const before = tests.slice(0, action);
  const names = before.slice(before.findLastIndex(({ word = '' }) => /^-o(?:r)?$/.test(word)) + 1).flatMap(({ word }, at, all) => {
    const isName = word === '-name' || word === '-iname';
    const isNot = all[at - 1]?.word === '!' || all[at - 1]?.word === '-not';
    return isName && !isNot && all[at + 1]?.word !== undefined ? [all[at + 1]?.word ?? ''] : [];
  });
  return [{ kind: 'paths', act, patterns: roots.length === 0 ? ['.'] : roots, ...(names.length > 0 && { names }) }];
}

function actOf([action, ...words]: readonly (string | undefined)[]): LostPaths['act'] | undefined {
  if (action === '-delete') return 'delete';
  const end = words.findIndex((word) => word === ';' || word === '+');
  const called = calledProgram({ words: words.slice(0, end < 0 ? words.length : end) });
  const lost = called && lostPaths(called).find((each) => each.kind === 'paths' && each.patterns.some((pattern) => pattern.includes('{}')));
  return lost?.kind === 'paths' ? lost.act : undefined;
}

function rsyncLosses(sorted: SortedArguments, { command }: CalledProgram): readonly LostCopies[] {
  const { operands, options } = sorted;
  const [target, ...sources] = operands.toReversed();
  if (target === undefined || isRemotePath(target.word) || has(sorted, '-n', '--dry-run', '-b', '--backup')) return [];
  const [destination] = patternsFor(target, command);
  const isDeleting = options.some((option) => /^--del(?:ete|$)/.test(option));
  if (destination === undefined || (!isDeleting && has(sorted, '--ignore-existing'))) return [];
  const local = sources.filter(({ word }) => !isRemotePath(word)).flatMap((each) => patternsFor(each, command));
  return [{ kind: 'copies', sources: local, destination, syncs: isDeleting ? 'adds and deletes' : 'adds' }];
}

/** HOST:PATH, as ssh has it, or an address. */
export const isRemotePath = (word: string | undefined): boolean => word !== undefined && /^(?:[^/:]+:|\w+:\/\/)/.test(word);

type Extraction = { readonly archive: Argument | undefined; readonly into: Argument | undefined; readonly members: readonly Argument[] };

/** What comes out of an archive, into the folder of the command where none is named. */
function extracted({ archive, into, members }: Extraction, command: SimpleCommand, strip = 0): readonly LostToArchive[] {
  const [from] = archive === undefined || archive.word === '-' ? [] : patternsFor(archive, command);
  const [destination] = into === undefined ? ['.'] : patternsFor(into, command);
  if (from === undefined || destination === undefined) return [];
  return [{ kind: 'archive', archive: from, destination, members: members.flatMap(({ word }) => word ?? []), strip }];
}

const TAR_VALUED = '-f -C --file --directory --exclude --strip-components -T -X --files-from --exclude-from';
const TAR_SPARING = ['-k', '--keep-old-files', '--skip-old-files', '-O', '--to-stdout', '--to-command', '--transform', '--xform'];

/** The archive that tar makes, or what it takes out of one: `-cf FILE`, `xf FILE`, `--file=FILE`. */
function tarLosses({ rest, command }: CalledProgram): readonly Lost[] {
  const [letters] = rest;
  const isBare = letters?.word !== undefined && /^[a-zA-Z]+$/.test(letters.word);
  const dashed = isBare ? [{ ...letters, word: `-${letters.word}` }, ...rest.slice(1)] : rest;
  const sorted = sortArguments(dashed, TAR_VALUED);
  const { values } = sorted;
  const archive = values.get('-f') ?? values.get('--file');
  if (has(sorted, '-c', '--create')) return archive === undefined ? [] : lostOperands([archive], command, 'overwrite');
  if (!has(sorted, '-x', '--extract', '--get') || has(sorted, ...TAR_SPARING)) return [];
  const into = values.get('-C') ?? values.get('--directory');
  return extracted({ archive, into, members: sorted.operands }, command, Number(values.get('--strip-components')?.word ?? 0));
}

/** Without -o it asks first, or overwrites nothing where nobody answers. */
function unzipLosses(sorted: SortedArguments, { command }: CalledProgram): readonly Lost[] {
  if (!has(sorted, '-o') || has(sorted, '-n', '-p', '-c', '-l', '-t', '-v', '-Z')) return [];
  const [archive, ...members] = sorted.operands;
  return extracted({ archive, into: sorted.values.get('-d'), members }, command);
}

function databaseLosses({ operands, values }: SortedArguments, { command }: CalledProgram): readonly LostPaths[] {
  const [file, ...texts] = operands;
  const statements = [...[...texts, ...values.values()].flatMap(({ word }) => word ?? []), command.input ?? ''];
  return file !== undefined && statements.some(destroysRecords) ? lostOperands([file], command, 'overwrite') : [];
}

/** `of=FILE` among the words of dd. */
const writtenByDd = ({ rest }: CalledProgram): readonly ShellPattern[] =>
  rest.flatMap(({ word = '' }) => (word.startsWith('of=') ? [literalPattern(word.slice(3))] : []));

const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['rm', OPERANDS_DELETED],
  ['unlink', OPERANDS_DELETED],
  ['srm', OPERANDS_DELETED],
  ['shred', { ...OPERANDS_OVERWRITTEN, valued: '-n -s --iterations --size --random-source' }],
  ['sponge', OPERANDS_OVERWRITTEN],
  ['wipefs', { ...OPERANDS_OVERWRITTEN, valued: '-t -o --types --offset' }],
  ['blkdiscard', OPERANDS_OVERWRITTEN],
  [
    'truncate',
    {
      valued: '-s -r --size --reference',
      lost: ({ operands, values }, { command }) => {
        const size = values.get('-s') ?? values.get('--size');
        return size?.word?.startsWith('+') === true ? [] : lostOperands(operands, command, 'overwrite');
      },
    },
  ],
  ['tee', { lost: (sorted, { command }) => (has(sorted, '-a', '--append') ? [] : lostOperands(sorted.operands, command, 'overwrite')) }],
  [
    'dd',
    {
      lost: (_, called) => {
        const patterns = writtenByDd(called);
        return patterns.length === 0 ? [] : [{ kind: 'paths', act: 'overwrite', patterns }];
      },
    },
  ],
  ['mv', copying('', (sorted) => !has(sorted, ...SPARING))],
  ['cp', copying('', (sorted) => !has(sorted, ...SPARING))],
  ['install', copying('-m -o -g --mode --owner --group', (sorted) => !has(sorted, '-d', ...SPARING))],
  ['ln', copying('', (sorted) => has(sorted, '-f', '--force') && !has(sorted, '-b', '--backup'), true)],
  ['sed', { lost: (_, called) => editedInPlace(called, SED) }],
  ['gsed', { lost: (_, called) => editedInPlace(called, SED) }],
  ['perl', { lost: (_, called) => editedInPlace(called, PERL) }],
  ['ruby', { lost: (_, called) => editedInPlace(called, PERL) }],
  ['find', { lost: (_, called) => findLosses(called) }],
  [
    'rsync',
    { valued: '-e -f -T -M --rsh --filter --exclude --include --exclude-from --include-from --files-from --port', lost: rsyncLosses },
  ],
  ['tar', { lost: (_, called) => tarLosses(called) }],
  ['bsdtar', { lost: (_, called) => tarLosses(called) }],
  ['unzip', { valued: '-d -x -P', lost: unzipLosses }],
  ['curl', output('-o', '--output')],
  ['wget', output('-O', '--output-document')],
  ['sort', output('-o', '--output')],
  ['sqlite3', { isLong: true, valued: '-cmd -init -separator -newline -nullvalue', lost: databaseLosses }],
  ['duckdb', { isLong: true, valued: '-cmd -init -c', lost: databaseLosses }],
]);
