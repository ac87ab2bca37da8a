import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../../domain/value/errno.ts';
import { sweepTemporaries, unlinkIfExists, writeFileAtomic } from '../../store/files/atomic-write.ts';
import { type Disk, faultPoint, readOwnFile } from '../../store/files/disk.ts';
import { ifExists, orStoreDamage, orStoreFailure } from '../../store/files/failure.ts';
import { type AppendResult, CHAIN, PREVIOUS_DIGITS, type SegmentName, type SyncTarget } from '../port.ts';
import {
  DELETED,
  decodeSegment,
  encodeSegment,
  hashBytes,
  pack,
  placeOf,
  replacedOf,
  type Segment,
  type SegmentPlace,
  unpack,
} from '../segment.ts';
import { requireMarked } from './mark.ts';

/**
 * A folder that other software carries between machines. Each machine only adds files, each under a name of its own hash, so that no two
 * machines ever write one file. There is no lock, for carriers carry none: two machines that wrote apart are both there afterwards, and
 * a file of which a carrier has brought only a part is left out until it is whole. `id` is that of its mark, which is looked for first.
 */
export function createFolderTarget(disk: Disk, folder: string, id: string): SyncTarget {
  const chains = join(folder, 'chains');
  const objectPath = (sha256: string) => join(folder, 'objects', sha256.slice(0, 2), `${sha256}.gz`);
  return {
    put: async (sha256, bytes) => {
      const path = objectPath(sha256);
      if (readObject(path, sha256) !== undefined) return;
      ensureInTarget(join(folder, 'objects'));
      ensureInTarget(join(folder, 'objects', sha256.slice(0, 2)));
      write(disk, path, pack(bytes), 'sync.object');
    },
    get: async (sha256) => readObject(objectPath(sha256), sha256),
    append: async (segment) => append(disk, chains, segment),
    replace: async (segment, name) => {
      const now = { ...name, replaced: replacedOf(segment) };
      if (readSegment(chains, now) === undefined) write(disk, segmentPath(chains, now), encodeSegment(segment), 'sync.replace');
      const earlier = filesOf(chains, name.chain).filter(({ hash, replaced }) => hash === name.hash && replaced !== now.replaced);
      // Two machines may have purged one segment apart, but what was deleted is gone in every form.
      for (const each of earlier)
        if (now.replaced === DELETED || each.replaced === undefined || each.replaced === name.replaced)
          remove(disk, segmentPath(chains, each), 'sync.replaced');
    },
    drop: async (sha256) => remove(disk, objectPath(sha256), 'sync.drop'),
    read: (chain, from) => read(chains, chain, from),
    list: async () => {
      requireMarked(folder, id);
      return filesIn(chains)
        .filter((name) => CHAIN.test(name))
        .flatMap((chain) => segmentsOf(chains, chain));
    },
    acquire: async (chain) => ({ chain, epoch: 0 }),
  };
}

const SEGMENT = new RegExp(`^(\\d{8})-([0-9a-f]{64})-([0-9a-f]{${PREVIOUS_DIGITS}}|start)(?:-([0-9a-f]{16}))?\\.gz$`);

/** One that cannot be read is not an empty one. */
const filesIn = (folder: string): readonly string[] => orStoreDamage(folder, () => ifExists(() => readdirSync(folder)) ?? []);

/** A copy that a carrier made of a conflict, and what it has not finished, have other names. */
const filesOf = (chains: string, chain: string): readonly SegmentName[] =>
  filesIn(join(chains, chain)).flatMap((name): readonly SegmentName[] => {
    const [, seq = '', hash = '', previous = '', replaced] = SEGMENT.exec(name) ?? [];
    const known = { chain, seq: Number(seq), hash, previous: previous === 'start' ? '' : previous };
    return hash === '' ? [] : [replaced === undefined ? known : { ...known, replaced }];
  });

/** What was purged counts no more if a carrier brings it again. */
function segmentsOf(chains: string, chain: string): readonly SegmentName[] {
  const names = filesOf(chains, chain);
  const purged = new Set(names.flatMap(({ hash, replaced }) => (replaced === undefined ? [] : [hash])));
  return names.filter(({ hash, replaced }) => replaced !== undefined || !purged.has(hash));
}

const segmentPath = (chains: string, { chain, seq, hash, previous, replaced }: SegmentName): string =>
  join(chains, chain, `${String(seq).padStart(8, '0')}-${hash}-${previous || 'start'}${replaced === undefined ? '' : `-${replaced}`}.gz`);

const readWhole = (path: string): Buffer | undefined => orStoreDamage(path, () => readOwnFile(path));

function readObject(path: string, sha256: string): Buffer | undefined {
  const file = readWhole(path);
  const bytes = file === undefined ? undefined : unpack(file);
  return bytes !== undefined && hashBytes(bytes) === sha256 ? bytes : undefined;
}

const readSegment = (chains: string, name: SegmentName): Segment | undefined => {
  const file = readWhole(segmentPath(chains, name));
  const segment = file === undefined ? undefined : decodeSegment(file, name);
  return segment?.seq === name.seq && replacedOf(segment) === name.replaced ? segment : undefined;
};

async function* read(chains: string, chain: string, from: number): AsyncGenerator<Segment> {
  const names = segmentsOf(chains, chain).filter(({ seq }) => seq >= from);
  for (const name of names.toSorted((a, b) => a.seq - b.seq || (a.hash < b.hash ? -1 : 1))) {
    const segment = readSegment(chains, name);
    if (segment !== undefined) yield segment;
  }
}

function append(disk: Disk, chains: string, segment: Segment): AppendResult {
  const { chain, hash } = placeOf(segment);
  const { seq, previous } = segment;
  const name = { chain, hash, seq, previous: previous?.hash.slice(0, PREVIOUS_DIGITS) ?? '' };
  const there = segmentsOf(chains, chain);
  if (there.some((other) => other.hash === hash && readSegment(chains, other) !== undefined)) return { kind: 'known' };
  const why = refusal(chains, name, { previous, there: there.filter((other) => other.hash !== hash) });
  if (why !== undefined) return { kind: 'refused', why };
  ensureInTarget(chains);
  ensureInTarget(join(chains, chain));
  write(disk, segmentPath(chains, name), encodeSegment(segment), 'sync.segment');
  return { kind: 'appended' };
}

/** What a killed exchange left half written goes first. */
function write(disk: Disk, path: string, bytes: Buffer, point: string): void {
  sweepTemporaries(disk, dirname(path));
  writeFileAtomic(disk, path, bytes, { point });
}

function remove(disk: Disk, path: string, point: string): void {
  faultPoint(disk, point);
  orStoreFailure('remove', path, () => unlinkIfExists(path));
}

type Neighbours = { readonly previous: SegmentPlace | null; readonly there: readonly SegmentName[] };

function refusal(chains: string, name: SegmentName, { previous, there }: Neighbours): 'gap' | 'parted' | undefined {
  if (previous === null) return there.length > 0 ? 'parted' : name.seq === 1 ? undefined : 'gap';
  const isOwn = previous.chain === name.chain;
  const before = (isOwn ? there : segmentsOf(chains, previous.chain)).find(({ hash }) => hash === previous.hash);
  if (before === undefined || before.seq + 1 !== name.seq) return 'gap';
  return (isOwn ? there.some((other) => other.previous === name.previous) : there.length > 0) ? 'parted' : undefined;
}

function ensureInTarget(folder: string): void {
  orStoreFailure('make the folder', folder, () => {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  });
}
