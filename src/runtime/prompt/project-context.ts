import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Instructions, ProjectContext } from '../../context/prompt/system-prompt.ts';
import { readText } from '../../store/files/read-text.ts';
import type { World } from '../world.ts';

const NAMES = ['SANBOT.md', 'AGENTS.md', 'CLAUDE.md'] as const;
/** Of one file, and of all together: each goes into every request. */
const FILE_BYTES = 32 * 1024;
const ALL_BYTES = 64 * 1024;
const MOST_FOLDERS = 40;

/**
 * Where a session works, read from disk: the repository's root and branch, and the instruction files from the root down to the working
 * folder. Starts no program, and follows no link out of the repository: its files are somebody else's.
 */
export function projectContext(world: World): ProjectContext {
  const cwd = world.cwd();
  const root = rootOf(cwd);
  return {
    cwd,
    platform: world.platform,
    date: world.now().toISOString().slice(0, 10),
    repository: root === undefined ? undefined : { root, branch: branchOf(root) },
    instructions: instructionFiles(cwd, root ?? cwd),
  };
}

/** The folder that counts as one project. */
export const projectFolder = ({ cwd, repository }: ProjectContext): string => repository?.root ?? cwd;

function rootOf(cwd: string): string | undefined {
  let folder = cwd;
  for (let level = 0; level < MOST_FOLDERS; level++) {
    if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
  return undefined;
}

/** Of a plain repository, and of a worktree, whose .git is a file that names its folder. */
function branchOf(root: string): string | undefined {
  const folder = join(root, '.git');
  const link = lstatSync(folder, { throwIfNoEntry: false })?.isFile() ? /^gitdir: (.+)$/m.exec(textIn(folder))?.[1] : undefined;
  const head = textIn(join(link === undefined ? folder : join(link.startsWith('/') ? '' : root, link.trim()), 'HEAD'));
  return /^ref: refs\/heads\/([\w./+@-]{1,200})\s*$/.exec(head)?.[1];
}

function instructionFiles(cwd: string, root: string): readonly Instructions[] {
  const parts = relative(root, cwd)
    .split(sep)
    .filter((part) => part !== '');
  const folders = [root, ...parts.map((_, at) => join(root, ...parts.slice(0, at + 1)))];
  const found: Instructions[] = [];
  let left = ALL_BYTES;
  for (const path of folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))) {
    if (left <= 0 || !isWithin(path, root)) continue;
    const most = Math.min(FILE_BYTES, left);
    const text = textIn(path, most + 1);
    // AGENTS.md and CLAUDE.md often are the same file.
    if (text.trim() === '' || found.some((other) => other.text === text)) continue;
    const bytes = Buffer.from(text, 'utf8');
    const kept = bytes.length > most ? new TextDecoder('utf-8').decode(bytes.subarray(0, most), { stream: true }) : text;
    left -= Math.min(bytes.length, most);
    found.push({ path: relative(cwd, path), text: kept, cut: bytes.length > most });
  }
  return found;
}

/** False for a link that leads out of the repository, and for what is not there. */
function isWithin(path: string, root: string): boolean {
  try {
    const way = relative(realpathSync(root), realpathSync(path));
    return way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep);
  } catch {
    return false;
  }
}

/** Empty for what is missing, unreadable or no plain file: a project's file must not stop a session. */
function textIn(path: string, maxBytes = 4096): string {
  try {
    return readText(path, maxBytes) ?? '';
  } catch {
    return '';
  }
}
