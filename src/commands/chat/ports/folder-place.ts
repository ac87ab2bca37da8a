import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import type { SessionsPort } from '../../../terminal/chat/history-port.ts';

type Place = ReturnType<SessionsPort['place']>;

/** A folder in short, and the branch that git has there. Reads a file or two, runs nothing and never throws. */
export function folderPlace(cwd: string, home: string): Place {
  const below = relative(home, cwd);
  const isBelow = !below.startsWith('..') && !isAbsolute(below);
  return { folder: isBelow ? join('~', below) : cwd, branch: branchOf(cwd) };
}

const MAX_FOLDERS = 64;

function branchOf(cwd: string): string | undefined {
  for (let folder = cwd, left = MAX_FOLDERS; left > 0; folder = dirname(folder), left -= 1) {
    const head = headIn(join(folder, '.git'));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? (head.trim().slice(0, 7) || undefined);
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}

/** A work tree beside others, and a submodule, have a file that says where the rest of theirs is. */
function headIn(git: string): string | undefined {
  const direct = orUndefined(() => readFileSync(join(git, 'HEAD'), 'utf8'));
  if (direct !== undefined) return direct;
  const [, elsewhere] = /^gitdir: (.+)$/m.exec(orUndefined(() => readFileSync(git, 'utf8')) ?? '') ?? [];
  return elsewhere === undefined ? undefined : orUndefined(() => readFileSync(join(resolve(dirname(git), elsewhere), 'HEAD'), 'utf8'));
}
