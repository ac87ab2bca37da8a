import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { orUndefined } from '../../src/domain/value/or-undefined.ts';
import { diagnose } from '../../src/store/doctor/doctor.ts';
import { bodyRefOf } from '../../src/store/session/bodies/body-text.ts';
import { openExportedFile } from '../../src/store/snapshot/export-file.ts';
import { answers, calls, contextOf, user } from '../support/build.ts';
import { isDrawn } from '../support/share.ts';
import { headerOf, said, storeOf } from '../unit/store/files/world.ts';
import { CODE, smallHome } from './small-home.ts';

type Target = { readonly kind: string; readonly path: string; readonly isNoticed: () => boolean };

type Flip = { readonly at: number; readonly bit: number };

/** The flips that are tried: one bit of every fortieth byte and of the ends of lines with their checksums, and those that are drawn. */
function flipsIn(bytes: Buffer): readonly Flip[] {
  const isNearEnd = (at: number) => {
    const end = bytes.indexOf(0x0a, at);
    return end >= 0 && end - at <= 20;
  };
  return [...bytes.keys()].flatMap((at) => {
    const isTold = at % 40 === 0 || isNearEnd(at);
    return [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => isDrawn(8 * at + bit) || (isTold && bit === at % 8)).map((bit) => ({ at, bit }));
  });
}

test('every flipped bit of a session and of its export is noticed by doctor or by an import, and those behind the newest checkpoint when it is opened [D-09, D-44]', () => {
  const home = smallHome();
  const { paths, store, world } = home;
  const doctor = (path: string) => () =>
    diagnose(world, { sessionId: undefined, repair: false }).findings.some((finding) => finding.path === path);
  expect(diagnose(world, { sessionId: undefined, repair: false }).findings.filter(({ kind }) => kind !== 'body_orphan')).toEqual([]);
  expect(openExportedFile(home.exported).sessionId).toBe('s1');
  const inHome = (kind: string, path: string): Target => ({ kind, path, isNoticed: doctor(path) });
  const targets: readonly Target[] = [
    inHome('log', paths.log('s1')),
    inHome('bodies', paths.retiredBodies('s1')),
    inHome('body', paths.body('s1', home.kept)),
    inHome('version of a file', paths.version('s1', bodyRefOf(Buffer.from(CODE)).sha256)),
    inHome('snapshot', paths.snapshot('main', home.snapshot.id)),
    inHome('meta', paths.snapshotMeta('main', home.snapshot.id)),
    { kind: 'export', path: home.exported, isNoticed: () => orUndefined(() => openExportedFile(home.exported)) === undefined },
    {
      kind: 'opened log',
      path: paths.log('s1'),
      isNoticed: () => {
        const opened = orUndefined(() => store.sessions.open('s1'));
        opened?.log.close();
        return opened === undefined || opened.warnings.length > 0;
      },
    },
  ];
  const missed: string[] = [];
  let flips = 0;
  const counts = targets.map(({ kind, path, isNoticed }) => {
    const intact = readFileSync(path);
    const newestCheckpoint = intact.lastIndexOf('\n', intact.lastIndexOf('{"type":"checkpoint"'));
    const tried = flipsIn(intact).filter(({ at }) => kind !== 'opened log' || at > newestCheckpoint);
    for (const { at, bit } of tried) {
      const bytes = Buffer.from(intact);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      writeFileSync(path, bytes);
      if (!isNoticed()) missed.push(`${kind}: byte ${at}, bit ${bit}: ${intact.toString('utf8', Math.max(0, at - 20), at + 20)}`);
    }
    writeFileSync(path, intact);
    flips += tried.length;
    return `${kind} ${tried.length}`;
  });
  console.log(`flips noticed: ${flips - missed.length} of ${flips} (${counts.join(', ')})`);
  expect(missed).toEqual([]);
}, 1_200_000);

test('a damaged newest checkpoint gives way to the one before it and what follows, and every result is there as a file', () => {
  const { store, paths, world, told } = storeOf();
  const { log } = store.sessions.create(headerOf('s1'));
  const bodies = store.bodies('s1');
  const body = bodies.save('a large result\n');
  if (body === undefined) throw new Error('a body was not stored');
  const { ref, path } = body;
  log.append({ type: 'message', message: user('before') });
  log.append({ type: 'message', message: calls({ id: 't1' }) });
  log.append({ type: 'message', message: { ...answers({ id: 't1' }), stubs: [{ toolUseId: 't1', tool: 'read_file', body: ref }] } });
  log.append({ type: 'checkpoint', reason: 'repeat', context: contextOf([user('older')]) });
  log.append({ type: 'message', message: { ...answers({ id: 't1' }), stubs: [{ toolUseId: 't1', tool: 'read_file', body: ref }] } });
  log.append({ type: 'checkpoint', reason: 'compaction', context: contextOf([user('newest')]) });
  bodies.retire(new Set());
  expect(() => readFileSync(path)).toThrow(/ENOENT/);
  log.append(said('after'));
  log.close();
  const text = readFileSync(paths.log('s1'), 'utf8');
  writeFileSync(paths.log('s1'), text.replace('newest', 'newesu'));

  const opened = store.sessions.open('s1');
  opened.log.close();
  expect(opened.records.map(({ type }) => type)).toEqual(['checkpoint', 'message', 'message']);
  expect(opened.warnings).toEqual([{ en: expect.stringContaining('A damaged line was skipped'), zh: expect.stringContaining('损坏的行') }]);
  expect(readFileSync(path, 'utf8')).toBe('a large result\n');

  // The doctor takes the line out, and leaves the same behind.
  bodies.retire(new Set());
  const { findings, repaired } = diagnose(world, { sessionId: 's1', repair: true });
  expect(repaired).toEqual([expect.objectContaining({ path: paths.log('s1') })]);
  expect(findings).toEqual([]);
  expect(readFileSync(path, 'utf8')).toBe('a large result\n');
  expect(told).toEqual([]);
});

test('a header with a flipped bit is refused, and a repair writes it again with the system prompt of a checkpoint', () => {
  const { store, paths, world } = storeOf();
  const { log } = store.sessions.create(headerOf('s1', { cwd: '/work' }));
  log.append(said('first'));
  log.append({ type: 'checkpoint', reason: 'repeat', context: contextOf([user('first')]) });
  log.close();
  const text = readFileSync(paths.log('s1'), 'utf8');
  writeFileSync(paths.log('s1'), text.replace('You are SanBot.', 'You are SanBov.'));
  expect(() => store.sessions.open('s1')).toThrow(/does not match its checksum/);
  expect(diagnose(world, { sessionId: 's1', repair: true }).findings).toEqual([]);
  const opened = store.sessions.open('s1');
  opened.log.close();
  expect(opened.header).toMatchObject({ cwd: '/work', context: { system: 'You are SanBot.' } });
  expect(opened.records.map(({ type }) => type)).toEqual(['checkpoint']);
});
