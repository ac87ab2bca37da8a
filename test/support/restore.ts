import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import type { Changes } from '../../src/store/changes/changes.ts';
import { newFolder, worldOf } from '../unit/store/files/world.ts';
import { openRecord } from './change-records.ts';
import { folders } from './destructive.ts';

/** A repository, and what opens the changes of a session in it as each process does. */
export function place(kind = 'a repository') {
  const all = realpathSync(newFolder());
  const root = join(all, 'w');
  mkdirSync(root);
  folders[kind]?.(root);
  const { disk, paths } = worldOf({ now: () => new Date() });
  const folder = join(paths.home, 'changes');
  const open = (): Changes => openRecord(disk, folder);
  return { all, root, folder, open };
}
