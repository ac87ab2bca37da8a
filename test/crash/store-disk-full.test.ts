import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import { driver } from '../support/sanbot.ts';
import { headerOf } from '../unit/store/files/world.ts';
import { newHome, storeIn } from './store-world.ts';

type Found = {
  readonly levels: number;
  readonly errors: number;
  readonly messages: readonly string[];
  readonly violations: readonly string[];
};

/** Runs a script of the child under a shell, with what the shell does before. */
function run(shell: readonly string[], work: { readonly folder: string; readonly script: string }): Found {
  const [program = 'sh', ...before] = shell;
  const result = spawnSync(program, [...before, process.execPath, driver, 'fulldisk', JSON.stringify(work)], {
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (result.status !== 0) throw new Error(`${result.stderr}${result.error ?? ''}`);
  return JSON.parse(result.stdout);
}

const canMount = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;

/** In a mount namespace of its own, as anybody may make one on most systems. */
function onSmallDisk(context: TestContext, options: string, script: string): Found {
  if (!canMount) context.skip('this system lets no ordinary user mount a disk of its own (unshare -Urm)');
  const folder = dirname(newHome());
  return run(['unshare', '-Urm', 'sh', '-c', `mount -t tmpfs -o ${options} none "$0" && exec "$@"`, folder], { folder, script });
}

describe('a disk that is full', () => {
  test('at any write: what was acknowledged stays, what was not is not half there, and work goes on when space is free [D-12, D-13, D-14]', (context) => {
    const { levels, errors, messages, violations } = onSmallDisk(context, 'size=4m', 'bytes');
    console.log(`full disk, the store: ${levels} of ${levels} levels, ${errors} writes refused, problems: ${violations.length}`);
    expect(violations).toEqual([]);
    expect(messages).toEqual(['the disk is full']);
    expect(errors).toBeGreaterThan(100);
  });

  test('of files though not of bytes says so [D-16]', (context) => {
    const found = onSmallDisk(context, 'size=4m,nr_inodes=40', 'inodes');
    expect(found).toMatchObject({ violations: [], errors: 2, messages: [expect.stringContaining('no more files')] });
  });
});

test('a limit of file size stops the log at a record’s end and leaves other files as they were [D-15]', () => {
  const folder = dirname(newHome());
  const found = run(['bash', '-c', 'ulimit -f 8; exec "$0" "$@"'], { folder, script: 'limit' });
  expect(found).toMatchObject({ violations: [], errors: 2, messages: ['the file would be larger than this account may write'] });
});

test('a read-only disk is told as such, and what is on it can still be listed [D-29]', (context) => {
  if (!canMount) context.skip('this system lets no ordinary user mount a disk of its own (unshare -Urm)');
  const home = newHome();
  const folder = dirname(home);
  mkdirSync(`${folder}/view`);
  storeIn(home).store.sessions.create(headerOf('s1')).log.close();
  const mount = 'mount --bind "$0" "$0/view" && mount -o remount,bind,ro "$0/view" && exec "$@"';
  const found = run(['unshare', '-Urm', 'sh', '-c', mount, folder], { folder: `${folder}/view`, script: 'readonly' });
  expect(found).toMatchObject({ violations: [], errors: 2, messages: ['the file system is read-only'] });
});
