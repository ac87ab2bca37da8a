import type { WireMessage } from '../../domain/session/message.ts';
import { sharedStart } from '../../domain/value/memoize.ts';

/** An entry that the provider may have: it ends after this message, was last marked then, and lives so long after it. */
type Entry = { readonly index: number; readonly markedAt: number; readonly ttlMs: number };

/** What the provider may have in its cache of a conversation: its messages as they were last sent, and where entries end, in order. */
export type SentLog = { readonly messages: readonly WireMessage[]; readonly entries: readonly Entry[] };

export type CacheTime = {
  readonly now: number;
  readonly ttlMs: number;
};

/** A provider looks for an entry this many blocks before a breakpoint, and a few are left for what is merged into a message. */
const LOOK_BACK_BLOCKS = 16;

/**
 * Chooses the one free breakpoint: the last living entry before a change of the past; else the middle, for the next such change; or the end
 * of the last request, when more was added than a provider looks back over. Undefined when nothing is known of what was sent.
 */
export function planCachePoint(
  log: SentLog | undefined,
  next: readonly WireMessage[],
  { now, ttlMs }: CacheTime,
): { readonly point: number | undefined; readonly log: SentLog } {
  const newest = next.length - 1;
  const changedAt = log === undefined ? undefined : firstChange(log.messages, next);
  const entries = (log?.entries ?? []).filter(
    ({ index, markedAt, ttlMs: life }) => index < (changedAt ?? next.length) && now - markedAt < life,
  );
  const last = entries.at(-1)?.index;
  const addedBlocks = next.slice((last ?? -1) + 1).reduce((sum, { content }) => sum + content.length, 0);
  const middle = next.findLastIndex(({ role }, index) => role === 'user' && index <= newest / 2);
  const point = changedAt !== undefined || addedBlocks > LOOK_BACK_BLOCKS || middle <= 0 ? last : middle;
  const marked = [newest, ...(point === undefined ? [] : [point])];
  const all = [...entries.filter(({ index }) => !marked.includes(index)), ...marked.map((index) => ({ index, markedAt: now, ttlMs }))];
  return { point, log: { messages: next, entries: all.sort((a, b) => a.index - b.index) } };
}

/** The first message that is not as it was sent; more at the end of the last one is no change. Blocks never change, so they are compared by identity. */
function firstChange(sent: readonly WireMessage[], next: readonly WireMessage[]): number | undefined {
  const from = sharedStart(sent, next);
  const changed = sent.slice(from).findIndex(({ role, content }, at) => {
    const i = from + at;
    const message = next[i];
    const isSame = message?.role === role && content.every((block, at) => block === message.content[at]);
    return !isSame || (message.content.length > content.length && i < sent.length - 1);
  });
  return changed === -1 ? undefined : from + changed;
}
