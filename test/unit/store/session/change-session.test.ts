import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deleteSession, findLeftovers, renameSession, sweepDeleted } from '../../../../src/store/session/change-session.ts';
import { contextOf, user } from '../../../support/build.ts';
import { failing, headerOf, namesOf, storeOf, thrownBy, type WorldOptions } from '../files/world.ts';

/** Two sessions that were closed. */
function twoSessions(options: WorldOptions = {}) {
  const made = storeOf(options);
  for (const id of ['s1', 's2']) made.store.sessions.create(headerOf(id)).log.close();
  return { ...made, remove: (id = 's1') => deleteSession(made.disk, made.paths, id) };
}

describe('a new title', () => {
  test('of one line is in the log and in its file', () => {
    const { disk, paths, store } = twoSessions();
    expect(renameSession(disk, paths, { sessionId: 's1', title: ' the\n\tnew  one ' })).toBe('the new one');
    expect(readFileSync(paths.title('s1'), 'utf8')).toBe('the new one');
    const { log, records } = store.sessions.open('s1');
    log.close();
    expect(records).toMatchObject([{ type: 'title', title: 'the new one' }]);
  });

  test('has 1 to 200 characters, and a session', () => {
    const { disk, paths } = twoSessions();
    const rename = (title: string, sessionId = 's1') => renameSession(disk, paths, { sessionId, title });
    expect(rename('😀'.repeat(200))).toBe('😀'.repeat(200));
    for (const title of ['', ' \n', 'x'.repeat(201)])
      expect(
        thrownBy(() => rename(title)),
        title,
      ).toMatchObject({ code: 'usage' });
    expect(thrownBy(() => rename('one', 's3'))).toMatchObject({ code: 'not_found', hint: expect.stringContaining('s1') });
  });

  test('is refused while another process has the session open', () => {
    const { disk, paths, store } = twoSessions();
    const { log } = store.sessions.open('s1');
    expect(thrownBy(() => renameSession(disk, paths, { sessionId: 's1', title: 'one' }))).toMatchObject({ code: 'session_locked' });
    log.close();
    expect(renameSession(disk, paths, { sessionId: 's1', title: 'one' })).toBe('one');
    expect(renameSession(disk, paths, { sessionId: 's1', title: 'two' })).toBe('two');
  });
});

describe('a session that is deleted', () => {
  test('leaves neither its folder nor a line in the list, and no other session is touched', () => {
    const { paths, store, remove, told } = twoSessions();
    expect(store.sessions.list()).toHaveLength(2);
    remove();
    expect(namesOf(paths.sessions)).toEqual(['s2']);
    expect(store.sessions.list().map(({ sessionId }) => sessionId)).toEqual(['s2']);
    expect(told).toEqual([]);
    expect(thrownBy(() => remove())).toMatchObject({ code: 'not_found' });
  });

  test('is left alone while a process has it open', () => {
    const { paths, store, remove } = twoSessions();
    const { log } = store.sessions.open('s1');
    expect(thrownBy(() => remove())).toMatchObject({ code: 'session_locked' });
    log.close();
    expect(namesOf(paths.sessions)).toEqual(['s1', 's2']);
  });

  test('and cannot lose its name is as it was, and can be opened', () => {
    const { paths, store, remove } = twoSessions({ at: failing('delete.rename', 'EACCES') });
    expect(thrownBy(() => remove())).toMatchObject({ code: 'store_failed', cause: { code: 'EACCES' } });
    expect(namesOf(paths.sessions)).toEqual(['s1', 's2']);
    store.sessions.open('s1').log.close();
  });

  test('and cannot be removed whole is gone as a session, told, and swept later', () => {
    const { disk, paths, store, remove, told } = twoSessions({ at: failing('delete.remove', 'EACCES', 1) });
    remove();
    expect(told).toEqual([expect.stringContaining('sanbot clean tries again')]);
    expect(store.sessions.list().map(({ sessionId }) => sessionId)).toEqual(['s2']);
    expect(namesOf(paths.sessions)).toEqual([expect.stringMatching(/^\.s1\..*\.deleted$/), 's2']);
    const atWork = `.s3.${process.ppid}.id.deleted`;
    for (const name of [atWork, `.s4.${0x3fffffff}.id.deleted`, '.s5.deleted']) mkdirSync(join(paths.sessions, name));
    sweepDeleted(disk, paths);
    expect(namesOf(paths.sessions)).toEqual([atWork, 's2']);
  });
});

test('what a session leaves behind is counted: its snapshots, memories and pages, and none of another', () => {
  const { disk, paths, store } = twoSessions();
  const at = '2026-03-04T05:06:07.000Z';
  for (const [sessionId, texts] of [
    ['s1', ['The port is 8080', 'The team is in Graz']],
    ['s2', ['The host is otter']],
  ] as const) {
    const context = contextOf([user('hello')]);
    store.snapshots.write({ sessionId, group: 'main', reason: 'compaction', model: 'm', tokens: 7, context, bodies: [] });
    store.memories('main').add(texts.map((text) => ({ kind: 'facts' as const, text, sessionId, messageId: text, at })));
  }
  store.memories('main').addDaily('2026-03-05', '- 09:00 asked <!-- session s1 message m -->\n');
  store.memories('main').addDaily('2026-03-06', '- 09:00 asked <!-- session s2 message m -->\n');
  const [meta] = store.snapshots.list('s1');
  expect(findLeftovers(disk, paths, 's1')).toEqual({
    snapshots: 1,
    snapshotBytes: meta?.bytes,
    archives: [],
    memories: 2,
    summaries: [],
    daily: [paths.daily('main', '2026-03-05')],
  });
});
