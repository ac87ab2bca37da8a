import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failing, headerOf, said, storeOf } from '../files/world.ts';

const ID = 's1';

/** A session that was called "old", then "新"; what a crash between the record and the file would leave is up to the test. */
function renamed() {
  const { store, paths, disk } = storeOf();
  const { log } = store.sessions.create(headerOf(ID));
  for (const title of ['old', '新']) log.append({ type: 'title', title });
  log.append(said('hello'));
  log.close();
  return { paths, home: disk.home, title: paths.title(ID), open: () => store.sessions.open(ID) };
}

test.each([
  ['is not there', undefined],
  ['holds the title before', 'old'],
])('a title file that %s is brought up to the log when the session is opened [D-01, D-03]', (_, before) => {
  const { title, open } = renamed();
  if (before !== undefined) writeFileSync(title, before);
  const { log, warnings } = open();
  log.close();
  expect({ text: readFileSync(title, 'utf8'), warnings }).toEqual({ text: '新', warnings: [] });
});

test('a title file that cannot be written, or is something else, keeps no session from opening: it is told [D-12, D-19]', () => {
  const { title, home, open } = renamed();
  const full = storeOf({ home, at: failing('title.write', 'ENOSPC') });
  const opened = full.store.sessions.open(ID);
  opened.log.close();
  expect(opened.warnings).toMatchObject([{ en: expect.stringContaining('the disk is full') }]);
  rmSync(title, { force: true });
  mkdirSync(title);
  const again = open();
  again.log.close();
  expect(again.warnings).toMatchObject([{ en: expect.stringContaining('it is not a plain file') }]);
});
