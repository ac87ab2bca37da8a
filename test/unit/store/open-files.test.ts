import { mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orUndefined } from '../../../src/domain/value/or-undefined.ts';
import { editUserConfig, readConfigFiles } from '../../../src/store/config-file.ts';
import { diagnose } from '../../../src/store/doctor/doctor.ts';
import { searchSessions } from '../../../src/store/search/search-sessions.ts';
import { deleteSession, renameSession } from '../../../src/store/session/change-session.ts';
import { allRecords, peekSession } from '../../../src/store/session/peek-session.ts';
import { exportLines, openExportedFile } from '../../../src/store/snapshot/export-file.ts';
import { contextOf, user } from '../../support/build.ts';
import { failing, headerOf, said, storeOf } from './files/world.ts';

/** Files of the home that this process has open, where the system tells. */
const openIn = (home: string): readonly string[] =>
  readdirSync('/proc/self/fd')
    .map((name) => orUndefined(() => readlinkSync(join('/proc/self/fd', name))) ?? '')
    .filter((path) => path.startsWith(home));

/** Everything that a home is for, once. */
function use({ disk, paths, store, world }: ReturnType<typeof storeOf>): void {
  const { log } = store.sessions.create(headerOf('s1'));
  try {
    log.append(said('one'));
  } finally {
    log.close();
  }
  const bodies = store.bodies('s1');
  bodies.save('kept');
  const snapshot = { sessionId: 's1', group: 'main', model: 'm', tokens: 7, context: contextOf([user('a')]), bodies: [] };
  const { id } = store.snapshots.write({ ...snapshot, reason: 'clear' });
  bodies.retire(new Set());
  store.snapshots.read(id);
  store.memories('main').addDaily('2026-03-05', '- one\n');
  store.events.append({ v: 1, at: '2026-03-04T05:06:07.000Z', sessionId: 's1', type: 'one' });
  store.events.read({}, () => undefined);
  store.sessions.list();
  store.sessions.open('s1').log.close();
  renameSession(disk, paths, { sessionId: 's1', title: 'title' });
  peekSession(paths, 's1');
  expect([...allRecords(paths, 's1'), ...searchSessions(paths, 'one')].length).toBeGreaterThan(2);
  editUserConfig(disk, world.home, (text) => text);
  readConfigFiles(world.home, world.home);
  expect([...exportLines({ paths, snapshots: store.snapshots, at: '', warn: disk.warn }, 's1')].length).toBeGreaterThan(3);
  expect(() => openExportedFile(paths.log('s1'))).toThrow();
  diagnose(world, { sessionId: undefined, repair: true });
  deleteSession(disk, paths, 's1');
}

test.runIf(process.platform === 'linux')('what a home is used for leaves no file open, nor does a step that fails', () => {
  const made = storeOf();
  use(made);
  expect(openIn(made.paths.home)).toEqual([]);
  for (const point of ['create.write', 'append.write', 'body.write', 'bodies.write', 'snapshot.write', 'meta.write', 'rewrite.write']) {
    const broken = storeOf({ at: failing(point, 'EIO') });
    orUndefined(() => use(broken));
    expect(openIn(broken.paths.home), point).toEqual([]);
  }
});

test.runIf(process.platform === 'linux')('a folder in the place of a log leaves no file open', () => {
  const { paths, store } = storeOf();
  mkdirSync(paths.log('s1'), { recursive: true });
  for (const look of [() => peekSession(paths, 's1'), () => store.sessions.open('s1').log.close()]) expect(look).toThrow();
  expect(openIn(paths.home)).toEqual([]);
});
