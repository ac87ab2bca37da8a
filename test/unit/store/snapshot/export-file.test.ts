import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeRecord } from '../../../../src/store/files/record-line.ts';
import { renameSession } from '../../../../src/store/session/change-session.ts';
import {
  exportedBodies,
  exportedRecords,
  exportedSnapshots,
  exportLines,
  openExportedFile,
} from '../../../../src/store/snapshot/export-file.ts';
import { writeSession } from '../../../../src/store/snapshot/write-session.ts';
import { contextOf, user } from '../../../support/build.ts';
import { failing, headerOf, namesOf, newFolder, said, storeOf, thrownBy } from '../files/world.ts';

/** A session with a title, two bodies, of which one is retired, and a snapshot. */
function exported() {
  const made = storeOf();
  const { disk, paths, store } = made;
  const { log } = store.sessions.create(headerOf('s1'));
  log.append(said('first'));
  log.close();
  renameSession(disk, paths, { sessionId: 's1', title: 'the title' });
  const bodies = store.bodies('s1');
  const [kept, old] = ['kept body', 'old body'].map((text) => bodies.save(text)?.ref);
  if (kept === undefined || old === undefined) throw new Error('not saved');
  bodies.retire(new Set([kept.sha256]));
  const context = contextOf([user('hello')]);
  const meta = store.snapshots.write({ sessionId: 's1', group: 'main', reason: 'clear', model: 'm', tokens: 7, context, bodies: [] });
  const file = join(newFolder(), 's1.sanbot');
  const warned: string[] = [];
  /** Exports it as it is now. */
  const write = () => {
    const source = {
      paths,
      snapshots: store.snapshots,
      at: '2026-03-05T00:00:00.000Z',
      warn: ({ en }: { readonly en: string }) => void warned.push(en),
    };
    writeFileSync(file, Buffer.concat([...exportLines(source, 's1')]));
    return file;
  };
  return { ...made, file, write, warned, kept, old, meta };
}

describe('an exported session', () => {
  test('is one file with its title, records, bodies and snapshots, from which it is made anew elsewhere', () => {
    const { write, warned, paths, kept, old, meta } = exported();
    const file = openExportedFile(write());
    expect(warned).toEqual([]);
    expect(file).toMatchObject({ sessionId: 's1', group: 'main', sessionFolder: join(paths.session('s1'), '/'), title: 'the title' });
    expect([...exportedSnapshots(file)].map(({ meta: found }) => found)).toEqual([meta]);
    const other = storeOf();
    const log = [...exportedRecords(file)].map((record) => encodeRecord(Object(record)));
    const [bodies, retired] = [false, true].map((isRetired) => [...exportedBodies(file, { retired: isRetired })]);
    expect([bodies, retired]).toEqual([[{ ref: kept, text: 'kept body' }], [{ ref: old, text: 'old body' }]]);
    writeSession(other.disk, other.paths, { sessionId: 's1', log, bodies: bodies ?? [], retired: retired ?? [], title: file.title });
    expect(readFileSync(other.paths.log('s1'), 'utf8')).toBe(readFileSync(paths.log('s1'), 'utf8'));
    expect(other.store.sessions.list()).toMatchObject([{ sessionId: 's1', title: 'the title' }]);
    expect([kept, old].map((ref) => other.store.bodies('s1').read(ref))).toEqual(['kept body', 'old body']);
    expect(namesOf(other.paths.offloaded('s1'))).toHaveLength(1);
  });

  test('of nothing but a header is three lines', () => {
    const { paths, store } = storeOf();
    store.sessions.create(headerOf('s1')).log.close();
    const lines = [...exportLines({ paths, snapshots: store.snapshots, at: '', warn: () => undefined }, 's1')];
    expect(lines.map((line) => JSON.parse(Buffer.from(line).toString()).type)).toEqual(['sanbot-export', 'record', 'end']);
  });

  test('has no line for an empty one, and tells of each that is damaged', () => {
    const { file, write, warned, paths, store, kept, meta } = exported();
    appendFileSync(paths.log('s1'), '\n');
    appendFileSync(paths.retiredBodies('s1'), '\n');
    const before = readFileSync(write(), 'utf8').split('\n').length;
    expect(warned).toEqual([]);
    appendFileSync(paths.log('s1'), 'torn\n');
    appendFileSync(paths.retiredBodies('s1'), '{}\n');
    appendFileSync(store.bodies('s1').path(kept), 'x');
    appendFileSync(paths.snapshot('main', meta.id), 'x');
    expect(readFileSync(write(), 'utf8').split('\n')).toHaveLength(before - 2);
    expect(warned).toEqual([
      `Line 5 of ${paths.log('s1')} is damaged and left out.`,
      `${store.bodies('s1').path(kept)} is not what its name says and left out.`,
      `Line 3 of ${paths.retiredBodies('s1')} is damaged and left out.`,
      `Snapshot ${meta.id} is not as it was written and left out.`,
    ]);
    expect([...exportedBodies(openExportedFile(file), { retired: false })]).toEqual([]);
  });

  test.each<readonly [string, (lines: readonly string[]) => readonly string[], string]>([
    ['is empty', () => [''], 'it is not an exported session'],
    ['lacks its end', (lines) => lines.slice(0, -2), 'its end is missing'],
    ['goes on behind its end', (lines) => [...lines.slice(0, -1), '{}', ''], 'something follows its end, in line 9'],
    ['lacks a line', (lines) => lines.toSpliced(2, 1), 'its bytes are not those that were exported'],
    ['holds a line that is none', (lines) => lines.with(2, 'x'), 'line 3 is damaged'],
    ['holds a line of something else', (lines) => lines.with(2, '{"type":"other"}'), 'line 3 is not a part of a session'],
    ['is of a newer version', (lines) => lines.with(0, '{"type":"sanbot-export","v":2}'), 'a newer SanBot wrote it (version 2)'],
    ['names a session that can be none', (lines) => lines.with(0, head({ sessionId: '../s1' })), 'no session can be called "../s1"'],
    ['names a group that can be none', (lines) => lines.with(0, head({ group: '..' })), 'no group can be called ".."'],
    ['does not say where it was', (lines) => lines.with(0, head({ sessionFolder: '/' })), 'it does not say where it was'],
  ])('that %s is not opened [S-36]', (_, change, why) => {
    const { write, file } = exported();
    write();
    writeFileSync(file, change(readFileSync(file, 'utf8').split('\n')).join('\n'));
    expect(thrownBy(() => openExportedFile(file))).toMatchObject({ code: 'store_damaged', message: expect.stringContaining(why) });
  });

  test('that is not there is told from one that is damaged', () => {
    expect(thrownBy(() => openExportedFile(join(newFolder(), 'none')))).toMatchObject({ code: 'not_found' });
  });
});

const head = (more: Record<string, unknown>): string =>
  JSON.stringify({ type: 'sanbot-export', v: 1, sessionId: 's1', group: 'main', sessionFolder: '/home/s1/', ...more });

describe('a session that is written at once', () => {
  const none = { sessionId: 's1', log: [encodeRecord({ n: 0 })], bodies: [], retired: [], title: undefined };

  test('has no file for what it does not hold', () => {
    const { disk, paths } = storeOf();
    writeSession(disk, paths, none);
    expect(namesOf(paths.session('s1'))).toEqual(['log.jsonl', 'offloaded']);
    expect(thrownBy(() => writeSession(disk, paths, none))).toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('exists'),
    });
    expect(namesOf(paths.sessions)).toEqual(['s1']);
  });

  test('is not made at all when a step fails, or a body is not what its hash says [S-36, D-26]', () => {
    const body = { ref: { sha256: 'a'.repeat(64), bytes: 3, lines: 1 }, text: 'one' };
    for (const [session, point] of [
      [{ ...none, bodies: [body] }, ''],
      [{ ...none, retired: [body] }, ''],
      [none, 'place.folder'],
      [none, 'rewrite.write'],
      [none, 'place.rename'],
    ] as const) {
      const { disk, paths } = storeOf({ at: failing(point, 'EIO') });
      const code = point === '' ? 'store_damaged' : 'store_failed';
      expect(thrownBy(() => writeSession(disk, paths, session))).toMatchObject({ code });
      expect(namesOf(paths.sessions)).toEqual([]);
    }
  });
});
