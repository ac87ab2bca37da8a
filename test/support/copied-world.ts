import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copySync, removeSync } from 'fs-extra/esm';
import { createSandbox, type Sandbox } from './sanbot.ts';
import { unsealed } from './unsealed.ts';

/** Makes a folder the copy of another, permissions included: copySync leaves those of a folder that is there already. */
export function copyTree(from: string, to: string): void {
  removeSync(to);
  copySync(from, to);
}

/**
 * A world of its own with the same home and folder. At another path it would be another folder's session; so what names the folder in
 * its logs is moved along.
 */
export function copyOfWorld(world: Sandbox, env: Readonly<Record<string, string>>): Sandbox {
  const copy = createSandbox(env);
  copyTree(world.home, copy.home);
  copyTree(world.cwd, copy.cwd);
  for (const id of copy.names('sessions')) {
    for (const name of ['log.jsonl', 'changes/log.jsonl']) {
      const log = join(copy.home, `sessions/${id}`, name);
      if (existsSync(log)) writeFileSync(log, unsealed(readFileSync(log, 'utf8')).replaceAll(world.cwd, copy.cwd));
    }
  }
  return copy;
}

/** A world that the program made once, put back as it was, at the same place, for each test of a file that asks. */
export function madeOnce<T extends { readonly world: Sandbox }>(make: () => Promise<T>): () => Promise<T> {
  let made: T | undefined;
  return async () => {
    const saved = (world: Sandbox): string => join(world.home, '..', 'saved');
    if (made === undefined) {
      made = await make();
      copyTree(made.world.home, saved(made.world));
    }
    copyTree(saved(made.world), made.world.home);
    return made;
  };
}
