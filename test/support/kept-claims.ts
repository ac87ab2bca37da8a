import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isContent } from '../../src/domain/session/change.ts';
import { createChanges } from '../../src/store/changes/changes.ts';
import type { Sandbox } from './sanbot.ts';

/** What the record of a session claims to have and does not. */
export function falseClaims({ home, names }: Sandbox): readonly string[] {
  return names('sessions').flatMap((id) => {
    const folder = join(home, 'sessions', id, 'changes');
    if (!existsSync(folder)) return [];
    const disk = {
      ...{ home, pid: process.pid, platform: process.platform, newId: () => 'claims', now: () => new Date() },
      ...{ probePid: () => undefined, warn: () => undefined },
    };
    const caps = { fileBytes: Number.MAX_SAFE_INTEGER, sessionBytes: Number.MAX_SAFE_INTEGER };
    const changes = createChanges(disk, { folder, caps, gitConfigs: [], searchPath: process.env.PATH ?? '', notBeyond: [], lookMs: 0 });
    const claimed = changes.sets().flatMap((set) => set.changes.map(({ path, before }) => ({ path, entry: before })));
    const entries = claimed.map(({ entry }) => entry);
    const [bytes, areKept] = [changes.read(entries), changes.areKept(entries)];
    return claimed.flatMap(({ path, entry }, i) => {
      // An object of git is never read: it comes back as the file that it is.
      const isThere = entry?.holds?.startsWith('object:') === true ? areKept[i] : bytes[i] !== undefined;
      return entry !== null && isContent(entry.holds) && isThere !== true ? [path] : [];
    });
  });
}
