import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folders } from '../../support/destructive.ts';
import { holdsForEach } from '../../support/each-row.ts';
import { undoWorld } from '../../support/undoing.ts';

/** All of what git keeps below a folder, objects too: kind, permission bits, time of change and bytes of each path. */
function ofGit(all: string): Readonly<Record<string, string>> {
  const paths = readdirSync(all, { recursive: true, encoding: 'utf8' }).filter((path) => /(?:^|\/)\.git(?:\/|$)/.test(path));
  return Object.fromEntries(
    paths.map((path) => {
      const stats = lstatSync(join(all, path));
      const bytes = stats.isFile() ? readFileSync(join(all, path)) : stats.isSymbolicLink() ? readlinkSync(join(all, path)) : '';
      return [path, `${stats.mode.toString(8)} ${stats.mtimeMs} ${createHash('sha256').update(bytes).digest('hex')}`];
    }),
  );
}

const kinds = Object.keys(folders).filter((kind) => kind !== 'no repository');

test('what git keeps is equal before and after commands that leave it alone, lists, previews, kills and the doctor', async () => {
  await holdsForEach(kinds, String, async (kind) => {
    const { all, root, world, turn, asks, restore, line } = undoWorld(kind, 'binary');
    const before = ofGit(all);
    expect((await asks('echo x > new.txt; rm src/f1.txt')).out).toMatch(/^exit 0$/m);
    expect(ofGit(all)).toEqual(before);
    const session = world.names('sessions')[0] ?? '';
    for (const args of [
      ['changes', '--session', session],
      [...restore().filter((word) => word !== '--yes'), '--dry-run'],
    ])
      expect((await world.run(args, { cwd: root })).code, args.join(' ')).toBe(0);
    const checked = await world.run(['doctor'], { cwd: root });
    expect(checked.code, checked.out).toBe(0);
    expect(ofGit(all)).toEqual(before);
    for (const step of ['60', '90', '120']) expect((await line([step, ...turn('echo y > new.txt')])).signal).toBe('SIGKILL');
    expect(ofGit(all)).toEqual(before);
  });
}, 600_000);
