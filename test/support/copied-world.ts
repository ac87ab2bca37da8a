import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from './sanbot.ts';

/** Copies a folder with the permissions of all folders in it, which Node 22 does not copy. */
export function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const name of ['.', ...readdirSync(from, { recursive: true, encoding: 'utf8' })])
    chmodSync(join(to, name), statSync(join(from, name)).mode);
}

/**
 * A world of its own with the same home and folder. At another path it would be another folder's session; so what names the folder in
 * the log is moved along.
 */
export function copyOfWorld(world: Sandbox, env: Readonly<Record<string, string>>): Sandbox {
  const copy = createSandbox(env);
  copyTree(world.home, copy.home);
  copyTree(world.cwd, copy.cwd);
  for (const id of copy.names('sessions')) {
    const log = join(copy.home, `sessions/${id}/log.jsonl`);
    writeFileSync(log, readFileSync(log, 'utf8').replaceAll(world.cwd, copy.cwd));
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
    rmSync(made.world.home, { recursive: true });
    copyTree(saved(made.world), made.world.home);
    return made;
  };
}
