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
    const bytes = changes.read(claimed.map(({ entry }) => entry));
    return claimed.flatMap(({ path, entry }, i) => (entry !== null && isContent(entry.holds) && bytes[i] === undefined ? [path] : []));
  });
}
