import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { errnoOf } from '../domain/value/errno.ts';
import { parseJson } from '../domain/value/json.ts';

/** Where a segment stands: its chain, and the hash of everything up to its end. */
export type SegmentPlace = { readonly chain: string; readonly hash: string };

/** A folder that others may write names what is read and taken away by it: nothing but a hash leads nowhere else. */
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

const placeSchema = z.object({ chain: z.string(), hash: z.string() });

const segmentSchema = z.object({
  v: z.literal(1),
  chain: z.string(),
  /** One more than that of the segment before; 1 for the first. */
  seq: z.int().positive(),
  /** The segment that it follows, perhaps in the chain that this one parted from; null for the beginning of a log. */
  previous: placeSchema.nullable(),
  writer: z.string(),
  /** The numbers of its first and its last record. */
  first: z.int().nonnegative(),
  last: z.int().nonnegative(),
  /** The objects that its lines refer to and that were put before it. */
  objects: z.array(sha256Schema).readonly(),
  /**
   * Of lines that were purged or deleted: the hash of the place that they keep, so that the chain still follows, that of the new lines, and
   * the objects that went. `was`: each form that stood there, without the header.
   */
  replaced: z
    .object({
      hash: sha256Schema,
      sha256: sha256Schema,
      gone: z.array(sha256Schema).readonly(),
      was: z.array(z.object({ bytes: z.int().nonnegative(), sha256: sha256Schema })).readonly(),
    })
    .optional(),
});

/** A run of whole lines of one log, as they are on the disk of the machine that wrote them. */
export type Segment = Readonly<Omit<z.infer<typeof segmentSchema>, 'v'>> & { readonly bytes: Buffer };

export const hashBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The same lines after the same lines have the same hash, whoever sent them. */
export const hashOfSegment = ({ previous, bytes }: Pick<Segment, 'previous' | 'bytes'>): string =>
  hashBytes(Buffer.from(`${previous?.hash ?? 'start'} ${hashBytes(bytes)}`));

export const placeOf = (segment: Segment): SegmentPlace => ({
  chain: segment.chain,
  hash: segment.replaced?.hash ?? hashOfSegment(segment),
});

/** What tells apart the lines that came in the place of others. */
export const replacedOf = ({ replaced }: Segment): string | undefined => replaced?.sha256.slice(0, 16);

/** What stands in `replaced` for lines that were deleted: the hash of nothing. */
export const DELETED = hashBytes(Buffer.alloc(0)).slice(0, 16);

/** Other lines in the place of these. `bytes` is empty for lines that were deleted. */
export function replacing(segment: Segment, bytes: Buffer, objects: readonly string[]): Segment {
  const { replaced, previous } = segment;
  const kept = new Set(objects);
  const gone = new Set([...(replaced?.gone ?? []), ...segment.objects.filter((sha256) => !kept.has(sha256))]);
  const body = segment.bytes.subarray(previous === null ? segment.bytes.indexOf(0x0a) + 1 : 0);
  const was = [...(replaced?.was ?? []), { bytes: body.length, sha256: hashBytes(body) }];
  const place = { hash: placeOf(segment).hash, sha256: hashBytes(bytes), gone: [...gone], was };
  return { ...segment, bytes, objects, replaced: place };
}

/** The name of the chain, and of the session, that goes its own way from a segment on; the same on every machine. */
export const forkName = (chain: string, hash: string): string => `${forkStem(chain)}-${hash.slice(0, 8)}`;

export const forkStem = (chain: string): string => chain.slice(0, chain.lastIndexOf('~') + 55);

/** More than any result, snapshot or run of lines has: what is larger, or unpacks to more, is nothing of ours and is not held in memory. */
export const MAX_PLAIN_BYTES = 256 * 1024 * 1024;

export const pack = (bytes: Uint8Array): Buffer => gzipSync(bytes);

/** Undefined for what is not whole: a carrier may still be at it. */
export function unpack(file: Buffer, onTooLarge?: () => void): Buffer | undefined {
  try {
    return gunzipSync(file, { maxOutputLength: MAX_PLAIN_BYTES });
  } catch (error) {
    if (errnoOf(error) === 'ERR_BUFFER_TOO_LARGE') onTooLarge?.();
    return undefined;
  }
}

/** A line that describes the segment, then its lines. */
export const encodeSegment = ({ bytes, ...about }: Segment): Buffer =>
  pack(Buffer.concat([Buffer.from(`${JSON.stringify({ v: 1, ...about })}\n`), bytes]));

/** Undefined for a file that is not the whole segment of this hash. */
export function decodeSegment(file: Buffer, { chain, hash }: SegmentPlace, onTooLarge?: () => void): Segment | undefined {
  const plain = unpack(file, onTooLarge);
  const end = plain?.indexOf(0x0a) ?? -1;
  if (plain === undefined || end < 0) return undefined;
  const parsed = segmentSchema.safeParse(parseJson(plain.subarray(0, end)));
  if (!parsed.success) return undefined;
  const { v: _, ...about } = parsed.data;
  const segment = { ...about, bytes: plain.subarray(end + 1) };
  const isWhole = segment.replaced === undefined || segment.replaced.sha256 === hashBytes(segment.bytes);
  return segment.chain === chain && placeOf(segment).hash === hash && isWhole ? segment : undefined;
}
