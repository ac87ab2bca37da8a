import { describe, expect, test } from 'vitest';
import { type Fence, type Leases, PREVIOUS_DIGITS, type SyncTarget } from '../../src/sync/port.ts';
import {
  DELETED,
  forkName,
  hashBytes,
  hashOfSegment,
  placeOf,
  replacedOf,
  replacing,
  type Segment,
  type SegmentPlace,
} from '../../src/sync/segment.ts';

const OBJECT = hashBytes(Buffer.from('an object'));

const segmentOf = (seq: number, text: string, previous: SegmentPlace | null, more: Partial<Segment> = {}): Segment => ({
  ...{ chain: 's1', seq, previous, writer: 'laptop-1', first: seq, last: seq, objects: [] },
  bytes: Buffer.from(`${text}\n`),
  ...more,
});

async function readAll(target: SyncTarget, chain: string, from = 1): Promise<readonly Segment[]> {
  const segments: Segment[] = [];
  for await (const segment of target.read(chain, from)) segments.push(segment);
  return segments;
}

/** Without their sizes, which a carried folder does not tell. */
export const namesIn = async (target: SyncTarget) => (await target.list()).map(({ bytes: _, ...name }) => name);

/** Of a chain that nobody else has. */
export async function fenceOf({ acquire }: Pick<SyncTarget, 'acquire'>, chain: string): Promise<Fence> {
  const taken = await acquire(chain);
  if (!('epoch' in taken)) throw new Error(`${taken.holder} has ${chain}`);
  return taken;
}

const send = async (target: SyncTarget, segment: Segment) => target.append(segment, await fenceOf(target, segment.chain));

/** What the port of a target promises, of every one that there is. `create` gives an empty one. */
export const promisesOfTarget = (name: string, create: () => SyncTarget | Promise<SyncTarget>) =>
  describe(name, () => {
    test('gives an object back by its hash, and nothing for one that was never put', async () => {
      const target = await create();
      const bytes = Buffer.from('第一行\nsecond\u0000');
      await target.put(hashBytes(bytes), bytes);
      await target.put(hashBytes(bytes), bytes);
      expect(await target.get(hashBytes(bytes))).toEqual(bytes);
      expect(await target.get('0'.repeat(64))).toBeUndefined();
    });

    test('keeps segments in their order, from any on, and takes the same one twice without a change', async () => {
      const target = await create();
      const one = segmentOf(1, 'one', null, { objects: [OBJECT] });
      const two = segmentOf(2, 'two', placeOf(one), { writer: 'desktop-2' });
      expect(await send(target, one)).toEqual({ kind: 'appended' });
      expect(await send(target, two)).toEqual({ kind: 'appended' });
      expect(await send(target, one)).toEqual({ kind: 'known' });
      expect(await readAll(target, 's1')).toEqual([one, two]);
      expect(await readAll(target, 's1', 2)).toEqual([two]);
      for (const { bytes } of await target.list()) expect([undefined, 'one\n'.length]).toContain(bytes);
      expect(await readAll(target, 'other')).toEqual([]);
      expect(await namesIn(target)).toEqual([
        { ...placeOf(one), seq: 1, previous: '' },
        { ...placeOf(two), seq: 2, previous: hashOfSegment(one).slice(0, PREVIOUS_DIGITS) },
      ]);
    });

    test('refuses a gap, a segment that follows another, and a second beginning, and keeps what was there', async () => {
      const target = await create();
      const one = segmentOf(1, 'one', null);
      const two = segmentOf(2, 'two', placeOf(one));
      await send(target, one);
      await send(target, two);
      const lost = placeOf(segmentOf(2, 'never sent', placeOf(one)));
      expect(await send(target, segmentOf(3, 'three', lost))).toEqual({ kind: 'refused', why: 'gap' });
      expect(await send(target, segmentOf(4, 'four', placeOf(two)))).toEqual({ kind: 'refused', why: 'gap' });
      expect(await send(target, segmentOf(2, 'another two', placeOf(one)))).toEqual({ kind: 'refused', why: 'parted' });
      expect(await send(target, segmentOf(1, 'another one', null))).toEqual({ kind: 'refused', why: 'parted' });
      expect(await send(target, segmentOf(2, 'two', null, { chain: 's2' }))).toEqual({ kind: 'refused', why: 'gap' });
      expect(await readAll(target, 's1')).toEqual([one, two]);
      expect(await readAll(target, 's2')).toEqual([]);
    });

    test('takes a fork that follows a segment of another chain, and refuses a second one there', async () => {
      const target = await create();
      const one = segmentOf(1, 'one', null);
      const fork = segmentOf(2, 'apart', placeOf(one), { chain: forkName('s1', hashOfSegment(one)) });
      await send(target, one);
      await send(target, segmentOf(2, 'two', placeOf(one)));
      expect(await send(target, fork)).toEqual({ kind: 'appended' });
      expect(await send(target, { ...fork, bytes: Buffer.from('other\n') })).toEqual({ kind: 'refused', why: 'parted' });
      expect(await send(target, { ...fork, seq: 3, previous: placeOf(fork), bytes: Buffer.from('on\n') })).toEqual({ kind: 'appended' });
      expect((await readAll(target, fork.chain)).map(({ bytes }) => bytes.toString())).toEqual(['apart\n', 'on\n']);
    });

    test('puts purged lines in the place of a segment, so that what follows still follows, and gives neither the old ones nor a dropped object back', async () => {
      const target = await create();
      const one = segmentOf(1, 'the secret', null, { objects: [OBJECT] });
      const two = segmentOf(2, 'two', placeOf(one));
      await send(target, one);
      await send(target, two);
      const bytes = Buffer.from('the [purged]\n');
      const purged = {
        ...one,
        bytes,
        objects: [],
        replaced: { hash: placeOf(one).hash, sha256: hashBytes(bytes), gone: [OBJECT], was: [] },
      };
      const name = { ...placeOf(one), seq: 1, previous: '' };
      for (let time = 0; time < 2; time++) await target.replace(purged, name);
      expect(await readAll(target, 's1')).toEqual([purged, two]);
      expect(await namesIn(target)).toEqual([
        { ...name, replaced: hashBytes(bytes).slice(0, 16) },
        { ...placeOf(two), seq: 2, previous: placeOf(one).hash.slice(0, PREVIOUS_DIGITS) },
      ]);
      expect(await send(target, one)).toEqual({ kind: 'known' });
      expect(await readAll(target, 's1')).toEqual([purged, two]);
      expect(await send(target, segmentOf(3, 'three', placeOf(two)))).toEqual({ kind: 'appended' });
      const object = Buffer.from('the secret');
      await target.put(hashBytes(object), object);
      for (let time = 0; time < 2; time++) await target.drop(hashBytes(object));
      expect(await target.get(hashBytes(object))).toBeUndefined();
    });

    test('keeps nothing of lines that were deleted but their place, in whatever form they stood', async () => {
      const target = await create();
      const one = segmentOf(1, 'the secret', null, { objects: [OBJECT] });
      await send(target, one);
      const name = { ...placeOf(one), seq: 1, previous: '' };
      const purged = replacing(one, Buffer.from('the [purged]\n'), [OBJECT]);
      await target.replace(purged, name);
      const deleted = replacing(purged, Buffer.alloc(0), [OBJECT]);
      for (let time = 0; time < 2; time++) await target.replace(deleted, { ...name, replaced: replacedOf(purged) });
      expect(await readAll(target, 's1')).toEqual([deleted]);
      expect(await namesIn(target)).toEqual([{ ...name, replaced: DELETED }]);
      expect(await send(target, one)).toEqual({ kind: 'known' });
      expect(await readAll(target, 's1')).toEqual([deleted]);
    });

    test('refuses the earlier holder of a chain after another has written it', async () => {
      const target = await create();
      const one = segmentOf(1, 'one', null);
      const earlier = await fenceOf(target, 's1');
      await target.append(one, earlier);
      expect(await send(target, segmentOf(2, 'by the other', placeOf(one)))).toEqual({ kind: 'appended' });
      const late = await target.append(segmentOf(2, 'by the one that slept', placeOf(one)), earlier);
      expect(late.kind).toBe('refused');
      expect((await readAll(target, 's1')).map(({ bytes }) => bytes.toString())).toEqual(['one\n', 'by the other\n']);
    });
  });

type Hub = {
  readonly as: (holder: string) => { readonly target: SyncTarget; readonly leases: Leases };
  /** So much time passes for the hub, and for nobody else. */
  readonly pass: (ms: number) => Promise<void>;
};

/** What a hub promises of sessions that are open. */
export const promisesOfLeases = (name: string, create: () => Hub | Promise<Hub>) =>
  describe(name, () => {
    const one = segmentOf(1, 'one', null);
    const held = async ({ hold }: Leases, chain: string) => fenceOf({ acquire: hold }, chain);

    test('gives a session to one holder, and tells others who has it, until it is given back', async () => {
      const hub = await create();
      const [a, b] = [hub.as('a'), hub.as('b')];
      const fence = await held(a.leases, 's1');
      for (const ask of [b.leases.hold, b.target.acquire]) expect(await ask('s1')).toEqual({ holder: 'a', since: expect.any(Date) });
      expect(await a.target.append(one, fence)).toEqual({ kind: 'appended' });
      expect(await fenceOf(b.target, 's2')).toMatchObject({ chain: 's2' });
      await a.leases.release(fence);
      expect(await held(b.leases, 's1')).toMatchObject({ chain: 's1' });
      expect(await b.leases.lastHolder('s1')).toMatchObject({ holder: 'b' });
      expect(await b.leases.lastHolder('s2')).toBeUndefined();
    });

    test('lets an exchange of the same home write beside the process that holds a session', async () => {
      const hub = await create();
      const [process, sync] = [hub.as('a'), hub.as('a')];
      const fence = await held(process.leases, 's1');
      expect(await send(sync.target, one)).toEqual({ kind: 'appended' });
      expect(await process.target.append(segmentOf(2, 'two', placeOf(one)), fence)).toEqual({ kind: 'appended' });
    });

    test('refuses a holder that was silent for too long and whose session somebody else took, at its first write', async () => {
      const hub = await create();
      const [a, b] = [hub.as('a'), hub.as('b')];
      const late = await held(a.leases, 's1');
      await hub.pass((await a.leases.ms()) + 1);
      expect(await held(b.leases, 's1')).toMatchObject({ chain: 's1' });
      expect(await a.target.append(one, late)).toEqual({ kind: 'refused', why: 'fenced' });
      expect(await a.leases.renew(late)).toBe(false);
      await a.leases.release(late);
      expect(await a.target.acquire('s1')).toMatchObject({ holder: 'b' });
    });

    test('keeps a session for whoever renews it in time, and for one that was silent while nobody wanted it', async () => {
      const hub = await create();
      const [a, b] = [hub.as('a'), hub.as('b')];
      const fence = await held(a.leases, 's1');
      const ms = await a.leases.ms();
      for (let round = 0; round < 3; round++) {
        await hub.pass(ms * 0.8);
        expect(await a.leases.renew(fence)).toBe(true);
      }
      expect(await b.leases.hold('s1')).toMatchObject({ holder: 'a' });
      await hub.pass(ms * 10);
      expect(await a.target.append(one, fence)).toEqual({ kind: 'appended' });
      expect(await a.leases.renew(fence)).toBe(true);
      expect(await b.leases.hold('s1')).toMatchObject({ holder: 'a' });
    });
  });
