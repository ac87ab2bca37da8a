import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { indexProblem } from '../../../../src/store/search/search-tables.ts';
import { says, user } from '../../../support/build.ts';
import { storeOf } from '../files/world.ts';
import { recallIn, session } from './recall-world.ts';

/** An index of 200 messages, all of it in its one file. */
async function builtIndex(): Promise<string> {
  const made = storeOf();
  session(made, 's1', [user('alpha'), ...Array.from({ length: 200 }, (_, i) => says(`beta ${i} ${'数据 '.repeat(i % 20)}`))]).close();
  const { find, index } = recallIn(made);
  await find('alpha');
  change(index, 'PRAGMA wal_checkpoint(TRUNCATE)');
  return index;
}

function change(path: string, sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

test('a sound index has no problem, nor has one that is not there, is of another version, or is being written [O30]', async () => {
  const index = await builtIndex();
  expect(indexProblem(index)).toBeUndefined();
  const writer = new Database(index);
  writer.exec('BEGIN IMMEDIATE');
  expect(indexProblem(index)).toBeUndefined();
  writer.exec('ROLLBACK');
  writer.close();
  change(index, 'PRAGMA user_version = 99');
  expect(indexProblem(index)).toBeUndefined();
  expect(indexProblem(`${index}.none`)).toBeUndefined();
  expect(existsSync(`${index}.none`)).toBe(false);
});

test.each<readonly [string, (path: string) => void]>([
  ['is no database', (path) => overwrite(path, Buffer.from('this is no database '.repeat(1_000)))],
  ['was cut off', (path) => overwrite(path, readFileSync(path).subarray(0, 5_000))],
  ['has pages of something else', (path) => overwrite(path, readFileSync(path).fill(0xff, 4_096, 16 * 4_096))],
  ['has lost a table', (path) => change(path, 'DROP TABLE entries')],
])('an index that %s has a problem, in words [O30]', async (_, damage) => {
  const index = await builtIndex();
  damage(index);
  expect(indexProblem(index)).toMatch(/\w/);
});

function overwrite(path: string, bytes: Buffer): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  writeFileSync(path, bytes, { mode: 0o600 });
}
