import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Changes } from '../../src/store/changes/changes.ts';
import type { Store } from '../../src/store/store.ts';
import { run } from './destructive.ts';

export const changeLimits = { keep: 7, fileBytes: 64 << 20, sessionBytes: 512 << 20, homeBytes: 2 * 1024 ** 3 };

let serial = 0;

/** A working folder with what it takes to run commands there as the agent does, for a session of a store. */
export function workFolder(top: string) {
  const root = join(top, 'work');
  mkdirSync(root);
  const real = realpathSync(root);
  return {
    root: real,
    open: (store: Store, sessionId: string, limits: Partial<typeof changeLimits> = {}): Promise<Changes> =>
      store.changes(sessionId, {
        gitConfigs: [],
        searchPath: process.env.PATH ?? '',
        notBeyond: [realpathSync(top)],
        limits: { ...changeLimits, ...limits },
      }),
    act: (changes: Changes, command: string) => {
      serial += 1;
      const running = changes.begin(real, { id: `call-${serial}`, title: command, record: serial });
      run(real, command);
      return running.end();
    },
  };
}
