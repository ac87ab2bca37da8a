import { isVersionsLog } from '../store/files/paths.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { Agreement, LogPart } from './home.ts';
import { isTold } from './journal.ts';
import { forkName, hashOfSegment, type Segment } from './segment.ts';

/** Lines that are sent at once, so that no log is held in memory. */
const MAX_SEGMENT_BYTES = 1024 * 1024;
const MAX_OBJECTS = 32;
const MAX_VERSION_BYTES = 32 * 1024 * 1024;

const isMuch = ({ objects, versionBytes }: LogPart): boolean => objects.length > MAX_OBJECTS || versionBytes > MAX_VERSION_BYTES;

/** Sends the next lines. Those that parted from what is there go as a fork. */
export async function sendNext(
  state: ExchangeState,
  log: string,
  { now, isParted }: { readonly now: Agreement; readonly isParted: boolean },
) {
  const { home, target, tree, report } = state;
  if (now.hash !== null && tree.isDeleted(now.hash)) return undefined;
  if (isVersionsLog(log) && state.takesVersions !== true) return undefined;
  let part = home.read(log, now.end, MAX_SEGMENT_BYTES);
  // Who receives them has them in memory together.
  while (part !== undefined && isMuch(part) && part.bytes.indexOf(0x0a) < part.bytes.length - 1)
    part = home.read(log, now.end, Math.floor(part.bytes.length / 2));
  if (part === undefined) return undefined;
  const { dropped, versionBytes: _, ...lines } = part;
  const previous = now.hash === null ? null : { chain: now.chain, hash: now.hash };
  const hash = hashOfSegment({ previous, bytes: part.bytes });
  const base = previous === null ? log : now.chain;
  const fork = forkName(base, hash);
  const first = await target.acquire(isParted ? fork : base);
  const fence = !('epoch' in first) && state.forksIfHeld === true ? await target.acquire(fork) : first;
  if (!('epoch' in fence)) report.elsewhere.push({ session: log, ...fence });
  if (!('epoch' in fence)) return undefined;
  const { chain } = fence;
  const objects: string[] = [];
  for (const sha256 of part.objects) {
    const bytes = home.object(log, sha256);
    if (bytes === undefined) continue;
    await target.put(sha256, bytes);
    objects.push(sha256);
  }
  for (const sha256 of dropped) await target.drop(sha256);
  const segment: Segment = { ...lines, chain, seq: now.seq + 1, previous, writer: home.writer, objects };
  const outcome = await target.append(segment, fence);
  // Somebody was quicker: the next exchange sees what is there.
  if (outcome.kind === 'refused') report.waiting.add(log);
  if (outcome.kind === 'refused') return undefined;
  if (outcome.kind === 'appended' && isTold(log, part.bytes)) {
    report.sent += 1;
    report.sentBytes += part.bytes.length;
  }
  tree.add({ chain, hash, seq: segment.seq, previous: previous?.hash.slice(0, 16) ?? '' });
  return { ...now, chain, hash, seq: segment.seq, end: now.end + part.bytes.length };
}
