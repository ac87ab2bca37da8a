/**
 * A folder that other software carries between machines, as a place for segments and objects.
 *
 * Each machine only adds files, each under a name of its own hash, so that no two machines ever write one file. There is no lock, for carriers
 * carry none: two machines that wrote apart are both there afterwards, and a file of which a carrier has brought only a part is left out
 * until it is whole.
 *
 * Which folder it is, and whether it is encrypted, its mark says (mark.ts). Its files are as they are (files.ts), or show nothing but their
 * sizes (sealed-files.ts, loaded only then); what stands here does not know which.
 */

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
import type { FolderFiles } from './files.ts';
import { type Mark, requireMarked } from './mark.ts';

/** `mark` is looked for first. */
export function createFolderTarget(folder: string, mark: Mark, files: FolderFiles): SyncTarget {
  return {
    isCarried: true,
    put: async (sha256, bytes) => {
      if ((await readObject(files, sha256)) === undefined) await files.write(objectPath(sha256), pack(bytes), 'sync.object');
    },
    get: async (sha256) => readObject(files, sha256),
    append: async (segment) => append(files, segment),
    replace: async (segment, name) => {
      const now = { ...name, replaced: replacedOf(segment) };
      if ((await readSegment(files, now)) === undefined) await files.write(segmentPath(now), encodeSegment(segment), 'sync.replace');
      // Two machines may have purged one segment apart, but what was deleted is gone in every form.
      for (const each of await namesOf(files, name.chain))
        if (each.hash === name.hash && each.replaced !== now.replaced)
          if (now.replaced === DELETED || each.replaced === undefined || each.replaced === name.replaced)
            await files.remove(segmentPath(each), 'sync.replaced');
    },
    drop: async (sha256) => files.remove(objectPath(sha256), 'sync.drop'),
    read: (chain, from) => read(files, chain, from),
    list: async () => {
      requireMarked(folder, mark);
      const listed: SegmentName[] = [];
      for (const chain of await files.names(CHAINS)) if (CHAIN.test(chain)) listed.push(...(await segmentsOf(files, chain)));
      return listed;
    },
    acquire: async (chain) => ({ chain, epoch: 0 }),
  };
}

const CHAINS = 'chains';
const SEGMENT = new RegExp(`^(\\d{8})-([0-9a-f]{64})-([0-9a-f]{${PREVIOUS_DIGITS}}|start)(?:-([0-9a-f]{16}))?\\.gz$`);

/** A copy that a carrier made of a conflict, and what it has not finished, have other names. */
const namesOf = async (files: FolderFiles, chain: string): Promise<readonly SegmentName[]> =>
  (await files.names(`${CHAINS}/${chain}`)).flatMap((name): readonly SegmentName[] => {
    const [, seq = '', hash = '', previous = '', replaced] = SEGMENT.exec(name) ?? [];
    const known = { chain, seq: Number(seq), hash, previous: previous === 'start' ? '' : previous };
    return hash === '' ? [] : [replaced === undefined ? known : { ...known, replaced }];
  });

/** What was purged counts no more if a carrier brings it again. */
async function segmentsOf(files: FolderFiles, chain: string): Promise<readonly SegmentName[]> {
  const names = await namesOf(files, chain);
  const purged = new Set(names.flatMap(({ hash, replaced }) => (replaced === undefined ? [] : [hash])));
  return names.filter(({ hash, replaced }) => replaced !== undefined || !purged.has(hash));
}

const segmentPath = ({ chain, seq, hash, previous, replaced }: SegmentName): string =>
  `${CHAINS}/${chain}/${String(seq).padStart(8, '0')}-${hash}-${previous || 'start'}${replaced === undefined ? '' : `-${replaced}`}.gz`;

const objectPath = (sha256: string): string => `objects/${sha256.slice(0, 2)}/${sha256}.gz`;

async function readObject(files: FolderFiles, sha256: string): Promise<Buffer | undefined> {
  const file = await files.read(objectPath(sha256));
  const bytes = file === undefined ? undefined : unpack(file, () => files.tooLarge(objectPath(sha256)));
  return bytes !== undefined && hashBytes(bytes) === sha256 ? bytes : undefined;
}

async function readSegment(files: FolderFiles, name: SegmentName): Promise<Segment | undefined> {
  const file = await files.read(segmentPath(name));
  const segment = file === undefined ? undefined : decodeSegment(file, name, () => files.tooLarge(segmentPath(name)));
  return segment?.seq === name.seq && replacedOf(segment) === name.replaced ? segment : undefined;
}

async function* read(files: FolderFiles, chain: string, from: number): AsyncGenerator<Segment> {
  const names = (await segmentsOf(files, chain)).filter(({ seq }) => seq >= from);
  for (const name of names.toSorted((a, b) => a.seq - b.seq || (a.hash < b.hash ? -1 : 1))) {
    const segment = await readSegment(files, name);
    if (segment !== undefined) yield segment;
  }
}

async function append(files: FolderFiles, segment: Segment): Promise<AppendResult> {
  const { chain, hash } = placeOf(segment);
  const { seq, previous } = segment;
  const name = { chain, hash, seq, previous: previous?.hash.slice(0, PREVIOUS_DIGITS) ?? '' };
  const there = await segmentsOf(files, chain);
  for (const other of there) if (other.hash === hash && (await readSegment(files, other)) !== undefined) return { kind: 'known' };
  const why = await refusal(files, name, { previous, there: there.filter((other) => other.hash !== hash) });
  if (why !== undefined) return { kind: 'refused', why };
  await files.write(segmentPath(name), encodeSegment(segment), 'sync.segment');
  return { kind: 'appended' };
}

type Neighbours = { readonly previous: SegmentPlace | null; readonly there: readonly SegmentName[] };

async function refusal(files: FolderFiles, name: SegmentName, { previous, there }: Neighbours): Promise<'gap' | 'parted' | undefined> {
  if (previous === null) return there.length > 0 ? 'parted' : name.seq === 1 ? undefined : 'gap';
  const isOwn = previous.chain === name.chain;
  const before = (isOwn ? there : await segmentsOf(files, previous.chain)).find(({ hash }) => hash === previous.hash);
  if (before === undefined || before.seq + 1 !== name.seq) return 'gap';
  return (isOwn ? there.some((other) => other.previous === name.previous) : there.length > 0) ? 'parted' : undefined;
}
