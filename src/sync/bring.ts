import { logRecordSchema } from '../domain/session/record.ts';
import { isObject } from '../domain/value/json.ts';
import { readRecord, titleIn } from '../store/files/record-line.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { Agreement, EndAt } from './home.ts';
import { isDropped } from './journal.ts';
import type { SegmentName, SyncTarget } from './port.ts';
import { placeOf, replacedOf, type Segment } from './segment.ts';

export async function fetchSegment(target: SyncTarget, { chain, seq, hash, replaced }: SegmentName): Promise<Segment | undefined> {
  for await (const segment of target.read(chain, seq)) {
    if (segment.seq > seq) return undefined;
    if (placeOf(segment).hash === hash && replacedOf(segment) === replaced) return segment;
  }
  return undefined;
}

/** Those of a segment, or those `wanted` of them. Undefined while one is not there yet. */
export async function fetchObjects(
  target: SyncTarget,
  segment: Segment,
  wanted: readonly string[] = segment.objects,
): Promise<ReadonlyMap<string, Buffer> | undefined> {
  const fetched = new Map<string, Buffer>();
  for (const sha256 of wanted) {
    const bytes = await target.get(sha256);
    if (bytes !== undefined) fetched.set(sha256, bytes);
    else if (!(await isDropped(target, segment, sha256))) return undefined;
  }
  return fetched;
}

/** Less than this is not left for later. */
const WORTH_BYTES = 256 * 1024;
/** More than this at the end is not held in memory. */
const MAX_END_BYTES = 64 * 1024 * 1024;

/**
 * Begins a session here with what its context needs: its header, its newest checkpoint, what follows, and the objects to which these refer.
 * False where it has to come whole, for it is short, a fork, or purged, or the target does not know how long its segments are.
 */
export async function bringEnd({ home, target, tree, agreements, report }: ExchangeState, log: string): Promise<boolean> {
  const last = tree.all().findLast(({ chain }) => chain === log);
  const way = wayTo(tree, last?.hash);
  const [first] = way;
  const parts: Segment[] = [];
  let start = -1;
  for (let size = 0; start < 0; ) {
    const name = way[way.length - 1 - parts.length];
    const segment = name === undefined || name === first ? undefined : await fetchSegment(target, name);
    size += segment?.bytes.length ?? 0;
    if (segment === undefined || size > MAX_END_BYTES) return false;
    parts.unshift(segment);
    start = checkpointIn(segment.bytes);
  }
  const to = sizeOf(way.slice(0, -parts.length)) + start;
  if (first === undefined || last === undefined || to < WORTH_BYTES) return false;
  const beginning = await fetchSegment(target, first);
  const header = beginning?.bytes.subarray(0, beginning.bytes.indexOf(0x0a) + 1) ?? Buffer.alloc(0);
  const said = readRecord(header);
  // The header of a fork is another here than there.
  if (!isObject(said) || said.sessionId !== log || to - header.length < WORTH_BYTES) return false;
  const tail = Buffer.concat(parts.map(({ bytes }, at) => (at === 0 ? bytes.subarray(start) : bytes)));
  const objects = new Map<string, Buffer>();
  for (const segment of parts) {
    const wanted = segment.objects.filter((sha256) => !objects.has(sha256) && tail.includes(sha256));
    const fetched = await fetchObjects(target, segment, wanted);
    if (fetched === undefined) return false;
    for (const [sha256, bytes] of fetched) objects.set(sha256, bytes);
  }
  const at = { chain: log, hash: last.hash, seq: last.seq, end: to + tail.length };
  home.appendEnd(log, { header, tail, to, at, objects });
  report.received += 1;
  const digest = home.digest(log, at.end);
  if (digest !== undefined) agreements.set(log, { ...at, digest, file: home.stat(log).file });
  return true;
}

/** Brings what is missing of a session. False where it cannot be had from this target, or not now. */
export async function bringRest(state: ExchangeState, log: string): Promise<boolean> {
  const { home, target, tree, agreements } = state;
  const rest = home.rest(log);
  if (rest === undefined) return true;
  const known = knownOf(state, log, rest.at);
  if (known === undefined) agreements.delete(log);
  else agreements.set(log, known);
  // A target that was put back to an earlier state may still have it.
  const isThere = known?.hash != null && tree.has(known.hash);
  const way = wayTo(tree, isThere ? known.hash : tree.all().findLast(({ chain }) => chain === log)?.hash);
  let [at, title]: [number, string | undefined] = [0, undefined];
  for (const name of way) {
    if (at >= rest.to) break;
    const segment = await fetchSegment(target, name);
    const objects = segment === undefined ? undefined : await fetchObjects(target, segment);
    if (segment === undefined || objects === undefined) return false;
    home.fill(log, at, segment.bytes, objects);
    title = titleIn(segment.bytes) ?? title;
    at += segment.bytes.length;
  }
  if (at < rest.to) return false;
  home.filled(log, title);
  const digest = known === undefined ? undefined : home.digest(log, known.end);
  if (known !== undefined && digest !== undefined) agreements.set(log, { ...known, digest, file: home.stat(log).file });
  return true;
}

/** How far both agree; where that was lost by a kill, up to where the session ended when it came. */
function knownOf({ home, tree, agreements }: ExchangeState, log: string, at: EndAt): Agreement | undefined {
  const agreed = agreements.get(log);
  if (agreed !== undefined && home.digest(log, agreed.end) === agreed.digest) return agreed;
  const digest = tree.has(at.hash) ? home.digest(log, at.end) : undefined;
  return digest === undefined ? undefined : { ...at, digest };
}

/** The segments up to this one, the first of them first; none where one was purged or is not there, or its length is not known. */
function wayTo(tree: ExchangeState['tree'], hash: string | undefined): readonly SegmentName[] {
  const way = hash === undefined ? [] : [...tree.backFrom(hash)].reverse();
  const isWhole = way[0]?.previous === '' && way.every(({ bytes, replaced }) => bytes !== undefined && replaced === undefined);
  return isWhole ? way : [];
}

const sizeOf = (names: readonly SegmentName[]): number => names.reduce((sum, { bytes = 0 }) => sum + bytes, 0);

/** Where the line of the newest checkpoint begins that can be read; less than 0 where there is none. */
function checkpointIn(bytes: Buffer): number {
  for (let at = bytes.length; ; ) {
    at = at === 0 ? -1 : bytes.lastIndexOf('"type":"checkpoint"', at - 1);
    if (at < 0) return -1;
    const start = bytes.lastIndexOf(0x0a, at) + 1;
    const record = logRecordSchema.safeParse(readRecord(bytes.subarray(start, bytes.indexOf(0x0a, at) + 1)));
    if (record.success && record.data.type === 'checkpoint') return start;
  }
}
