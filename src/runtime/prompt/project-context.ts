import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { rulesAbout } from '../../context/permission/rules.ts';
import type { Instructions, ProjectContext, UnreadFile } from '../../context/prompt/system-prompt.ts';
import type { PermissionSettings } from '../../domain/config/permission-rule.ts';
import type { Bilingual } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { LONGEST_PATTERN_CHARS, redact } from '../../domain/value/redact.ts';
import { NO_TEXT } from '../../domain/value/text-bytes.ts';
import { holdsSecrets } from '../../tools/place/secret-files.ts';
import type { ProcessState, TimeAndChance } from '../environment.ts';
import { branchOf, findRepositoryRoot, readTextOrEmpty } from '../trust/repository.ts';

const INSTRUCTION_FILES = ['SANBOT.md', 'AGENTS.md', 'CLAUDE.md'] as const;
/** Of one file, and of all together: each goes into every request. */
const MAX_FILE_BYTES = 32 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024;

/**
 * Where a session works, read from disk: the repository's root and branch, and, where they may be obeyed, the instruction files from the
 * root down to the working folder. Starts no program, and follows no link out of the repository: its files are somebody else's.
 */
export function projectContext(
  environment: ProcessState & Pick<TimeAndChance, 'now'>,
  { withInstructions, isLeftOut }: { readonly withInstructions: boolean; readonly isLeftOut?: IsLeftOut },
): ProjectContext {
  const cwd = environment.cwd();
  const root = findRepositoryRoot(cwd);
  const unread: UnreadFile[] = [];
  const instructions = withInstructions ? instructionFiles(cwd, { root: root ?? cwd, isLeftOut, unread }) : [];
  return {
    cwd,
    platform: environment.platform,
    date: environment.now().toISOString().slice(0, 10),
    repository: root === undefined ? undefined : { root, branch: branchOf(root) },
    instructions,
    ...(unread.length === 0 ? {} : { unread }),
  };
}

/** True for a file that a rule of the person forbids to read, or says to ask about. */
export type IsLeftOut = (path: string) => boolean;

/** The folder that counts as one project. */
export const projectFolder = ({ cwd, repository }: ProjectContext): string => repository?.root ?? cwd;

/** The instruction files from the root of the repository down to the working folder, as far as there is room. */
export function instructionFiles(
  cwd: string,
  { root = findRepositoryRoot(cwd) ?? cwd, isLeftOut, unread }: InstructionOptions = {},
): readonly Instructions[] {
  const folderNames = relative(root, cwd)
    .split(sep)
    .filter((part) => part !== '');
  const folders = [root, ...folderNames.map((_, at) => join(root, ...folderNames.slice(0, at + 1)))];
  return filesIn(folders, { cwd, root, known: [], isLeftOut, unread });
}

/** These are somebody else's: their instructions are not about this project. */
const FOREIGN_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git']);
const MAX_DEPTH = 20;

/** The instruction files of each folder from below the working folder down to a path, without those that say what one above says. */
export function instructionFilesBelow(
  cwd: string,
  path: string,
  isLeftOut?: IsLeftOut,
): readonly { readonly folder: string; readonly files: readonly Instructions[] }[] {
  const root = realpathOf(cwd);
  const names = relative(root, resolve(root, path)).split(sep);
  if (names[0] === '' || names[0] === '..' || names.length > MAX_DEPTH || names.some((name) => FOREIGN_FOLDERS.has(name))) return [];
  const above = instructionFiles(cwd, { isLeftOut }).map(({ text }) => text);
  return names.flatMap((_, at) => {
    const folder = join(root, ...names.slice(0, at + 1));
    const unread: UnreadFile[] = [];
    const read = filesIn([folder], { cwd: root, root, known: above, isLeftOut, unread });
    const files = [...read, ...unread.map(({ path, why }) => ({ path, text: `Not read: ${why.en}.`, cut: false, garbled: true }))];
    above.push(...files.map(({ text }) => text));
    return files.length === 0 ? [] : [{ folder, files }];
  });
}

/** The path itself for a folder that is gone. */
export const realpathOf = (folder: string): string => orUndefined(() => realpathSync(folder)) ?? folder;

type FileRoom = {
  readonly cwd: string;
  readonly root: string /** Texts that need not be said again. */;
  readonly known: readonly string[];
} & InstructionOptions;

type InstructionOptions = {
  readonly root?: string;
  readonly isLeftOut?: IsLeftOut | undefined;
  /** Takes those that cannot be read, or have no room. */
  readonly unread?: UnreadFile[] | undefined;
};

/** Each file stands before those that it imports, and none twice. */
function filesIn(folders: readonly string[], { cwd, root, known, isLeftOut, unread }: FileRoom): readonly Instructions[] {
  const files: Instructions[] = [];
  let remainingBytes = MAX_TOTAL_BYTES;
  const add = (path: string, depth: number): void => {
    if (!isInProject(path, root) || holdsSecrets(realpathOf(path))) return;
    if (isLeftOut !== undefined && [path, realpathOf(path)].some(isLeftOut)) return;
    const leave = (why: Bilingual) => unread?.push({ path: relative(cwd, path), why });
    if (remainingBytes <= 0) {
      leave(NO_ROOM);
      return;
    }
    const maxBytes = Math.min(MAX_FILE_BYTES, remainingBytes);
    // Masked before it is cut: of half a key nobody could tell that it is one. A letter may take two bytes in UTF-16.
    let garbled = false;
    const written = readTextOrEmpty(path, 2 * (maxBytes + LONGEST_PATTERN_CHARS), () => {
      garbled = true;
    });
    const text = redact(written);
    // AGENTS.md and CLAUDE.md often are the same file.
    if (text.includes('\0')) {
      leave(NO_TEXT);
      return;
    }
    if (text.trim() === '' || known.includes(text) || files.some((other) => other.text === text)) return;
    const bytes = Buffer.from(text, 'utf8');
    const keptText = bytes.length > maxBytes ? new TextDecoder('utf-8').decode(bytes.subarray(0, maxBytes), { stream: true }) : text;
    remainingBytes -= Math.min(bytes.length, maxBytes);
    const cut = Math.max(bytes.length, Buffer.byteLength(written)) > maxBytes;
    files.push({ path: relative(cwd, path), text: keptText, cut, garbled });
    if (depth < MAX_IMPORT_DEPTH) for (const imported of importsIn(keptText, path).filter(mayBeImported)) add(imported, depth + 1);
  };
  for (const path of folders.flatMap((folder) => INSTRUCTION_FILES.map((name) => join(folder, name)))) add(path, 0);
  return files;
}

const NO_ROOM: Bilingual = { en: 'those before it take all the room', zh: '前面的文件已占满空间' };

/** What holds keys goes into no prompt, nor what belongs to somebody else; a link counts as what it leads to. */
const mayBeImported = (path: string): boolean =>
  [path, realpathOf(path)].every((each) => !holdsSecrets(each) && !each.split(sep).some((name) => FOREIGN_FOLDERS.has(name)));

/** False for a link that leads out of the repository, and for what is not there. */
export function isInProject(path: string, root: string): boolean {
  const inside = orUndefined(() => relative(realpathSync(root), realpathSync(path)));
  return inside !== undefined && inside !== '..' && !inside.startsWith(`..${sep}`) && !inside.startsWith(sep);
}

/** An import may import others, so deep. */
const MAX_IMPORT_DEPTH = 5;
/** Of one file. */
const MAX_IMPORTS = 50;

/**
 * The paths that an instruction file imports, absolute, in order: each @path that stands after white space or at the start of a line, and
 * neither in a block of code nor between backticks. Whether there is such a file is not looked at.
 */
export function importsIn(text: string, file: string): readonly string[] {
  const paths = linesOutsideCode(text).flatMap((line) =>
    [...line.replace(/`[^`\n]*`/g, '` `').matchAll(/(?:^|\s)@([^\s@`"'<>()[\]{}]{1,500})/g)].map(([, path = '']) =>
      path.replace(/[.,;:!?]+$/, ''),
    ),
  );
  const inProject = paths.filter((path) => path !== '' && !path.startsWith('~') && !path.startsWith('/'));
  return [...new Set(inProject.map((path) => join(dirname(file), path)))].slice(0, MAX_IMPORTS);
}

function linesOutsideCode(text: string): readonly string[] {
  let fence: string | undefined;
  return text.split('\n').filter((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) {
      fence = mark;
      return mark === undefined;
    }
    if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    return false;
  });
}

/** What SanBot reads of a project without a call is left out where a rule forbids to read it, or says to ask: nobody is asked then. */
export const leftOutBy =
  (rules: Pick<PermissionSettings, 'deny' | 'ask'>, folder: string): IsLeftOut =>
  (path) =>
    rulesAbout(rules, { tool: 'read_file', cwd: realpathOf(folder), paths: [path] }) !== undefined;
