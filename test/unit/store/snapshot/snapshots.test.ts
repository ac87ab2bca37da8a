import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NewSnapshot, SnapshotLookup } from '../../../../src/agent/ports/disk.ts';
import { bodyRefOf, encodeBody } from '../../../../src/store/session/bodies/body-text.ts';
import { planRetention, type StoredSnapshot } from '../../../../src/store/snapshot/retention.ts';
import { answers, calls, contextOf, says, user } from '../../../support/build.ts';
import { unsealed } from '../../../support/unsealed.ts';
import { failing, modeOf, namesOf, START, storeOf, systemError, thrownBy, type WorldOptions } from '../files/world.ts';

const bodyOf = (text: string) => ({ ref: bodyRefOf(encodeBody(text)), text });

const snapshotOf = (more: Partial<NewSnapshot> = {}): NewSnapshot => ({
  sessionId: 's1',
  group: 'main',
  reason: 'compaction',
  model: 'offline',
  tokens: 123,
  context: contextOf([user('hello'), calls({ id: 't1' }), answers({ id: 't1' }), says('done')]),
  bodies: [bodyOf('the body')],
  ...more,
});

function snapshotsOf(options: WorldOptions = {}) {
  const made = storeOf(options);
  return { ...made, snapshots: made.store.snapshots, folder: made.paths.summaries('main') };
}

const whyAltered = (found: SnapshotLookup): string => (found.kind === 'altered' ? found.why.en : `not altered: ${found.kind}`);

describe('a snapshot', () => {
  test('gives back the messages to the byte, the rest of the context, and the bodies [B9, C91]', () => {
    const { snapshots } = snapshotsOf();
    const odd = { ...says('x'), z: 1, a: { future: [1, null] }, content: [{ signature: 's', thinking: '', type: 'thinking' }] };
    const snapshot = snapshotOf({
      context: contextOf([user('half \ud83d \u2028'), odd], { system: 'frozen', shortTermSummary: 'short', anchorFloor: 2 }),
      bodies: [bodyOf('one\ntwo'), bodyOf('half \ud83d')],
    });
    const meta = snapshots.write(snapshot);
    const found = snapshots.read(meta.id);
    if (found.kind !== 'found') throw new Error(JSON.stringify(found));
    expect(JSON.stringify(found.context.messages)).toBe(JSON.stringify(snapshot.context.messages));
    expect(found.context).toEqual(snapshot.context);
    expect(found.bodies).toEqual(snapshot.bodies);
    expect(found.meta).toEqual(meta);
  });

  test('says in its meta what it is, with the hash of its bytes', () => {
    const { snapshots, paths } = snapshotsOf();
    const meta = snapshots.write(snapshotOf());
    expect(meta).toMatchObject({
      id: 's1-20260304T050607000Z',
      sessionId: 's1',
      reason: 'compaction',
      messages: 4,
      bodies: 1,
      tokens: 123,
    });
    const bytes = readFileSync(paths.snapshot('main', meta.id));
    expect(meta).toMatchObject({ bytes: bytes.length, sha256: bodyRefOf(bytes).sha256 });
    expect([modeOf(paths.snapshot('main', meta.id)), modeOf(paths.snapshotMeta('main', meta.id))]).toEqual(['600', '600']);
  });

  test('has an id that sorts by time though two come in one millisecond or the clock goes back [B17, D-36, D-37]', () => {
    let time = START.getTime();
    const { snapshots } = snapshotsOf({ now: () => new Date(time) });
    const ids = [0, 0, -3_600_000, 1, 86_400_000, -86_400_000].map((jump) => {
      time += jump;
      return snapshots.write(snapshotOf()).id;
    });
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
    expect(snapshots.list('s1').map(({ id }) => id)).toEqual(ids);
  });

  test('of a group lies in that group and is found by its id alone', () => {
    const { snapshots, paths } = snapshotsOf();
    const { id } = snapshots.write(snapshotOf({ group: 'team' }));
    expect(existsSync(paths.snapshot('team', id))).toBe(true);
    expect(snapshots.read(id).kind).toBe('found');
  });

  test('stands in its place in time among those of all groups', () => {
    const { snapshots } = snapshotsOf();
    const ids = ['team', 'main', 'team', 'main'].map((group) => snapshots.write(snapshotOf({ group })).id);
    expect(snapshots.list().map(({ id }) => id)).toEqual(ids);
  });

  test('is not there before it is whole, and leaves nothing, whichever step fails [B15, F5, D-13]', () => {
    const points: string[] = [];
    snapshotsOf({ at: (point) => void points.push(point) }).snapshots.write(snapshotOf());
    expect(points).toEqual(expect.arrayContaining(['snapshot.write', 'snapshot.sync', 'snapshot.link', 'meta.rename', 'meta.syncFolder']));
    for (let k = 0; k < points.length; k++) {
      let count = 0;
      let broken = true;
      const at = () => {
        if (broken && count++ === k) throw systemError('ENOSPC');
        return undefined;
      };
      const { snapshots, folder } = snapshotsOf({ at });
      expect(
        thrownBy(() => snapshots.write(snapshotOf())),
        points[k],
      ).toMatchObject({ code: 'store_failed' });
      expect(snapshots.list(), points[k]).toEqual([]);
      expect(existsSync(folder) ? namesOf(folder) : [], points[k]).toEqual([]);
      broken = false;
      expect(snapshots.read(snapshots.write(snapshotOf()).id).kind).toBe('found');
    }
  });
});

describe('reading a snapshot', () => {
  test.each([
    '../../etc',
    '..',
    '/etc/passwd',
    'a/b',
    'a\\b',
    'CON',
    'con',
    'x\0y',
    's1',
    'S1-20260304T050607000Z',
    '../s1-20260304T050607000Z',
    's1-20261399T050607000Z',
    `${'a'.repeat(10_000)}`,
    '\u001b[2J',
  ])('called %j is refused before any file is touched [S-35, B18]', (id) => {
    const { snapshots, paths } = snapshotsOf();
    expect(snapshots.read(id)).toEqual({ kind: 'missing', nearest: [] });
    expect(existsSync(paths.home)).toBe(false);
  });

  test('that is not there names the nearest ones', () => {
    const { snapshots } = snapshotsOf();
    const { id } = snapshots.write(snapshotOf());
    expect(snapshots.read(id.replace('0607', '0608'))).toEqual({ kind: 'missing', nearest: [id] });
  });

  test('by a mistyped name finds the nearest, and never leaves the home [S-35]', () => {
    const { snapshots } = snapshotsOf();
    const { id } = snapshots.write(snapshotOf());
    expect(snapshots.read(id.toUpperCase())).toEqual({ kind: 'missing', nearest: [id] });
    expect(snapshots.read(`../session-summaries/${id}`)).toMatchObject({ kind: 'missing' });
  });

  test('whose bytes were changed is refused [S-38, B9, D-11]', () => {
    const { snapshots, paths } = snapshotsOf();
    const { id } = snapshots.write(snapshotOf());
    const path = paths.snapshot('main', id);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('hello', 'hallo'));
    expect(whyAltered(snapshots.read(id))).toMatch(/sha256 differs/);
    writeFileSync(path, '\0'.repeat(413));
    expect(whyAltered(snapshots.read(id))).toMatch(/sha256 differs/);
    rmSync(path);
    expect(whyAltered(snapshots.read(id))).toMatch(/its messages are gone/);
  });

  test('with a body that is not what its hash says is refused [S-36]', () => {
    const { snapshots } = snapshotsOf();
    const { id } = snapshots.write(snapshotOf({ bodies: [{ ref: bodyOf('right').ref, text: 'wrong' }] }));
    expect(whyAltered(snapshots.read(id))).toMatch(/is not what its hash says/);
  });

  test('whose meta is missing, torn or that of another is refused [B15]', () => {
    const { snapshots, paths, told } = snapshotsOf();
    const { id } = snapshots.write(snapshotOf());
    const meta = paths.snapshotMeta('main', id);
    const text = unsealed(readFileSync(meta, 'utf8'));
    writeFileSync(meta, text.slice(0, 50));
    expect(whyAltered(snapshots.read(id))).toMatch(/meta file is damaged/);
    writeFileSync(meta, text.replaceAll(id, 's1-20260304T050607999Z'));
    expect(whyAltered(snapshots.read(id))).toMatch(/another snapshot/);
    writeFileSync(meta, '');
    expect(snapshots.list()).toEqual([]);
    expect(told).toEqual([expect.stringContaining(id)]);
    rmSync(meta);
    expect(whyAltered(snapshots.read(id))).toMatch(/never finished/);
  });

  test.each([
    ['names another id', (text: string) => text.replaceAll('s1-20260304T050607000Z', '../../../.bashrc')],
    ['names another session', (text: string) => text.replace('"sessionId":"s1"', '"sessionId":"s2"')],
    ['has lost a message', (text: string) => text.split('\n').toSpliced(2, 1).join('\n')],
    ['has a line of no known kind', (text: string) => `${text}{"type":"file","path":"../../x"}\n`],
    ['has a body that its hash does not fit', (text: string) => text.replace('the body', 'a body')],
    ['was written by a newer version', (text: string) => text.replace('"v":1', '"v":2')],
  ])('that %s is refused even with a fitting hash [S-36, S-38, D-41]', (_, change) => {
    const { snapshots, paths } = snapshotsOf();
    const { id } = snapshots.write(snapshotOf());
    const changed = change(unsealed(readFileSync(paths.snapshot('main', id), 'utf8')));
    writeFileSync(paths.snapshot('main', id), changed);
    const meta = JSON.parse(unsealed(readFileSync(paths.snapshotMeta('main', id), 'utf8')));
    writeFileSync(paths.snapshotMeta('main', id), JSON.stringify({ ...meta, sha256: bodyRefOf(Buffer.from(changed)).sha256 }));
    expect(snapshots.read(id).kind).toBe('altered');
  });

  test('that is a link is refused [S-37]', () => {
    const { snapshots, paths } = snapshotsOf();
    const { id } = snapshots.write(snapshotOf());
    const path = paths.snapshot('main', id);
    renameSync(path, `${path}.moved`);
    symlinkSync(`${path}.moved`, path);
    expect(whyAltered(snapshots.read(id))).toMatch(/cannot be read/);
  });
});

describe('the outcome of a change', () => {
  test('is noted in the meta, with whatever a newer version wrote there, and the hash still fits [D-41]', () => {
    const { snapshots, paths } = snapshotsOf();
    const { id } = snapshots.write(snapshotOf());
    const path = paths.snapshotMeta('main', id);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(unsealed(readFileSync(path, 'utf8'))), future: { kept: true } }));
    const outcome = { at: START.toISOString(), messages: 2, tokensAfter: 9, line: 'compacted' };
    snapshots.recordOutcome(id, outcome);
    expect(snapshots.list('s1')).toEqual([expect.objectContaining({ outcome, future: { kept: true } })]);
    expect(snapshots.read(id).kind).toBe('found');
  });

  test('that cannot be noted is told and leaves the meta as it was', () => {
    const { snapshots, told } = snapshotsOf({ at: failing('outcome.write', 'ENOSPC') });
    const meta = snapshots.write(snapshotOf());
    snapshots.recordOutcome(meta.id, { at: '', messages: 0, tokensAfter: 0, line: '' });
    snapshots.recordOutcome('s9-20260304T050607000Z', { at: '', messages: 0, tokensAfter: 0, line: '' });
    snapshots.recordOutcome('../../x', { at: '', messages: 0, tokensAfter: 0, line: '' });
    expect(told).toHaveLength(3);
    expect(snapshots.list()).toEqual([meta]);
  });
});

describe('retention', () => {
  const DAY = 86_400_000;
  const days = (count: number) => new Date(START.getTime() + count * DAY);

  test('removes what is old, oldest first, but never the newest of a session [B12, N4]', () => {
    let time = START;
    const { snapshots, folder } = snapshotsOf({ now: () => time });
    const write = (sessionId: string, day: number) => {
      time = days(day);
      return snapshots.write(snapshotOf({ sessionId })).id;
    };
    const [a1, b1, a2, a3] = [write('a', 0), write('b', 1), write('a', 2), write('a', 9)];
    time = days(12);
    const limits = { days: 7, maxBytes: 1_000_000_000, keep: new Set<string>() };
    expect(snapshots.planRetention(limits).map(({ id, why }) => [id, why])).toEqual([
      [a1, 'age'],
      [a2, 'age'],
    ]);
    expect(snapshots.list()).toHaveLength(4);
    expect(snapshots.retain({ ...limits, keep: new Set([a2]) }).map(({ id }) => id)).toEqual([a1]);
    expect(snapshots.list().map(({ id }) => id)).toEqual([b1, a2, a3]);
    expect(namesOf(folder)).toHaveLength(6);
  });

  test('removes what is over the cap of bytes, and 0 means all but the newest [O23, N6]', () => {
    let time = START;
    const { snapshots } = snapshotsOf({ now: () => time });
    const ids = [0, 1, 2, 3].map((minute) => {
      time = new Date(START.getTime() + minute * 60_000);
      return snapshots.write(snapshotOf()).id;
    });
    const [step] = snapshots.planRetention({ days: 7, maxBytes: 0, keep: new Set() });
    expect(step?.bytes).toBeGreaterThan(500);
    const all = (step?.bytes ?? 0) * 4;
    expect(snapshots.planRetention({ days: 7, maxBytes: all, keep: new Set() })).toEqual([]);
    expect(snapshots.planRetention({ days: 7, maxBytes: all - 1, keep: new Set() }).map(({ id }) => id)).toEqual([ids[0]]);
    expect(snapshots.retain({ days: 7, maxBytes: 0, keep: new Set() }).map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(snapshots.retain({ days: 0, maxBytes: 0, keep: new Set() })).toEqual([]);
  });

  test('leaves snapshots from the future alone, and those that are being written [D-36, C-15]', () => {
    let time = days(30);
    const { snapshots, folder, paths } = snapshotsOf({ now: () => time });
    snapshots.write(snapshotOf());
    snapshots.write(snapshotOf());
    time = START;
    const unfinished = snapshots.write(snapshotOf({ sessionId: 'b' })).id;
    rmSync(paths.snapshotMeta('main', unfinished));
    expect(snapshots.planRetention({ days: 0, maxBytes: 1_000_000_000, keep: new Set() })).toEqual([]);
    expect(snapshots.planRetention({ days: 7, maxBytes: 0, keep: new Set() }).every(({ why }) => why === 'size')).toBe(true);
    time = days(40);
    expect(snapshots.retain({ days: 7, maxBytes: 1_000_000_000, keep: new Set() }).map(({ id }) => id)).toContain(unfinished);
    expect(namesOf(folder)).toHaveLength(2);
  });

  test('tells what it cannot remove and goes on', () => {
    let time = START;
    const { snapshots, told } = snapshotsOf({ now: () => time, at: failing('retain.unlink', 'EACCES', 1) });
    for (const minute of [0, 1, 2]) {
      time = new Date(START.getTime() + minute * 60_000);
      snapshots.write(snapshotOf());
    }
    expect(snapshots.retain({ days: 7, maxBytes: 0, keep: new Set() })).toHaveLength(1);
    expect(told).toEqual([expect.stringContaining('permission denied')]);
    expect(snapshots.list()).toHaveLength(2);
  });

  test('keeps its promises for any set of snapshots and limits', () => {
    const stored = fc.array(
      fc.record({ session: fc.constantFrom('a', 'b', 'c'), day: fc.nat(20), bytes: fc.nat(100), complete: fc.boolean() }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(stored, fc.nat(10), fc.nat(1500), (made, limit, maxBytes) => {
        const all = made.map(({ session, day, bytes, complete }, i): StoredSnapshot => {
          const timestamp = new Date(days(day).getTime() + i).toISOString().replace(/[-:.]/g, '');
          return { id: `${session}-${timestamp}`, sessionId: session, timestamp, bytes, complete };
        });
        const gone = planRetention(all, { days: limit, maxBytes, keep: new Set(), now: days(15) });
        const left = all.filter(({ id }) => !gone.some((step) => step.id === id));
        for (const session of ['a', 'b', 'c']) {
          const newest = all
            .filter((each) => each.sessionId === session && each.complete)
            .toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1))
            .at(-1);
          if (newest !== undefined) expect(left).toContain(newest);
        }
        const age = ({ id }: { readonly id: string }) => 15 - (made[all.findIndex((each) => each.id === id)]?.day ?? 0);
        for (const step of gone) if (step.why === 'age') expect(age(step)).toBeGreaterThanOrEqual(limit);
        const mayGo = left.filter(
          (each) =>
            each.complete && all.some((other) => other.sessionId === each.sessionId && other.complete && other.timestamp > each.timestamp),
        );
        expect(left.reduce((sum, { bytes }) => sum + bytes, 0) <= maxBytes || mayGo.length === 0).toBe(true);
      }),
    );
  });
});

test('a snapshots folder that others can enter is made private again, and told [S-33]', () => {
  const { snapshots, folder, told } = snapshotsOf();
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  chmodSync(dirname(dirname(folder)), 0o755);
  appendFileSync(`${folder}/note.txt`, 'mine');
  snapshots.write(snapshotOf());
  expect([modeOf(folder), modeOf(dirname(dirname(folder)))]).toEqual(['700', '700']);
  expect(told).toHaveLength(2);
});
