import { hash as hashOf } from 'node:crypto';
import type { Usage } from '../../src/domain/session/message.ts';
import type { SentRequest } from './check-request.ts';
import { jsonWithoutMarksAndMedia } from './sent-json.ts';

/** What one request costs, by how its tokens came to the model. */
export type Billed = {
  readonly usage: Usage;
  /** Of the tokens written to the cache, those kept for an hour. */
  readonly hourTokens: number;
  /** Of the tokens that were not read from the cache, those that a request before had sent already: they were paid for again. */
  readonly againTokens: number;
  /** Those that no request before had. */
  readonly newTokens: number;
  /** What does not begin as the request before did: a server that keeps one prefix in memory reads it. */
  readonly unsharedTokens: number;
};

export type BilledCache = { readonly send: (request: SentRequest, output: readonly unknown[]) => Billed };

/** How far back from a breakpoint the provider looks for an entry, in blocks. */
const LOOK_BACK_BLOCKS = 20;
/** Shorter prefixes are not kept. */
const MIN_ENTRY_TOKENS = 1_024;
const FIVE_MINUTES = 300_000;
const ONE_HOUR = 3_600_000;

type BillingOptions = { readonly count: (text: string) => number; readonly now: () => number; readonly automatic?: boolean };

/**
 * The provider's prompt cache as it is documented, with what it bills. An entry is made at each breakpoint of a request; a request reads
 * the longest entry at one of its breakpoints or at most 20 blocks before one, and writes what follows up to its last breakpoint. Entries
 * live for five minutes or an hour, anew each time they are read. The order is tools, system, messages; the settings of thinking and of
 * tool choice are part of every entry that has messages. Where it is `automatic`, every block ends an entry, and what is not read is input.
 */
export function createBilledCache({ count, now, automatic = false }: BillingOptions): BilledCache {
  const entries = new Map<string, { ttl: number; until: number }>();
  const sent = new Set<string>();
  let before: ReadonlySet<string> = new Set();
  const sizes = new Map<string, number>();
  const sizeOf = (key: string, text: string): number => {
    const size = sizes.get(key) ?? count(text);
    sizes.set(key, size);
    return size;
  };
  return {
    send: (request, output) => {
      const at = now();
      const blocks = blocksOf(request).map(({ text, ...block }) => ({ ...block, tokens: sizeOf(block.own, text) }));
      const marks = blocks.flatMap(({ ttl }, index) => (ttl === undefined && !automatic ? [] : [index]));
      const isLive = (index: number): boolean => (entries.get(blocks[index]?.prefix ?? '')?.until ?? 0) > at;
      const found = marks.flatMap((mark) => Array.from({ length: LOOK_BACK_BLOCKS }, (_, back) => mark - back)).filter(isLive);
      const read = Math.max(-1, ...found);
      const total = (from: number, to: number, wanted: (own: string) => boolean = () => true): number =>
        blocks.slice(from, to).reduce((sum, { tokens, own }) => sum + (wanted(own) ? tokens : 0), 0);
      const lastHour = marks.findLast((mark) => (blocks[mark]?.ttl ?? 0) > FIVE_MINUTES) ?? -1;
      const last = marks.at(-1) ?? -1;
      for (const mark of marks) {
        const { prefix = '', ttl: asked = FIVE_MINUTES } = blocks[mark] ?? {};
        // What is only read stays as it was paid for: nobody gets an hour at the price of a read.
        const paid = mark <= read ? (entries.get(prefix)?.ttl ?? entries.get(blocks[read]?.prefix ?? '')?.ttl ?? FIVE_MINUTES) : asked;
        if (total(0, mark + 1) >= MIN_ENTRY_TOKENS) entries.set(prefix, { ttl: paid, until: at + paid });
      }
      const entry = entries.get(blocks[read]?.prefix ?? '');
      if (entry !== undefined) entry.until = at + entry.ttl;
      const againTokens = total(read + 1, blocks.length, (own) => sent.has(own));
      const newTokens = total(0, blocks.length, (own) => !sent.has(own));
      const unsharedTokens = total(blocks.findLastIndex(({ prefix }) => before.has(prefix)) + 1, blocks.length);
      before = new Set(blocks.map(({ prefix }) => prefix));
      for (const { own } of blocks) sent.add(own);
      const usage = {
        inputTokens: total((automatic ? read : Math.max(last, read)) + 1, blocks.length),
        cacheReadTokens: total(0, read + 1),
        cacheWriteTokens: automatic ? 0 : total(read + 1, last + 1),
        outputTokens: Math.max(1, count(JSON.stringify(output))),
      };
      const hourTokens = total(read + 1, lastHour + 1);
      return {
        usage: hourTokens === 0 ? usage : { ...usage, cacheWrite1hTokens: hourTokens },
        hourTokens,
        againTokens,
        newTokens,
        unsharedTokens,
      };
    },
  };
}

type Block = { readonly text: string; readonly own: string; readonly prefix: string; readonly ttl: number | undefined };

/** Every block with a hash of its own and one of all up to it; a breakpoint is no part of the content. */
function blocksOf({ model, system, tools, messages, settings }: SentRequest): readonly Block[] {
  let prefix = hash(String(model));
  const blockOf = (place: string, value: unknown): Block => {
    const text = jsonOf(value);
    const own = hash(`${place} ${text}`);
    prefix = hash(`${prefix} ${own}`);
    return { text, own, prefix, ttl: ttlOf(value) };
  };
  const before = [...list(tools).map((tool) => blockOf('tool', tool)), ...list(system).map((block) => blockOf('system', block))];
  prefix = hash(`${prefix} ${jsonOf(settings)}`);
  return [...before, ...messages.flatMap(({ role, content }) => content.map((block) => blockOf(role, block)))];
}

const ttlOf = (value: unknown): number | undefined => {
  if (typeof value !== 'object' || value === null || !('cache_control' in value)) return undefined;
  const control: unknown = value.cache_control;
  return typeof control === 'object' && control !== null && 'ttl' in control && control.ttl === '1h' ? ONE_HOUR : FIVE_MINUTES;
};

const jsonOf = (value: unknown): string => jsonWithoutMarksAndMedia(value ?? null);

const hash = (text: string): string => hashOf('sha256', text, 'base64');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
