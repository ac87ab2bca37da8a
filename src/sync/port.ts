import type { Segment, SegmentPlace } from './segment.ts';

/**
 * What is known of a segment without reading it. `previous`: the first 16 digits of a hash; empty for the beginning of a log. `replaced`: as
 * many of the lines that came in the place of purged ones. `bytes`: how long its lines are, where the target knows that.
 */
export type SegmentName = SegmentPlace & {
  readonly seq: number;
  readonly previous: string;
  readonly replaced?: string | undefined;
  readonly bytes?: number | undefined;
};

/** The name of a chain: of a session, of a writer's own list (`~WRITER`), or of what it has of a session beside its log (`~SESSION~WRITER`). */
export const CHAIN = /^~?[a-z0-9][a-z0-9_-]{0,63}(?:~[a-z0-9][a-z0-9_-]{0,63})?$/;

/** How many digits of a hash `previous` has. */
export const PREVIOUS_DIGITS = 16;

/** The right to write one chain. It ends when somebody else takes it; a target says so at the next append, never by a clock of ours. */
export type Fence = { readonly chain: string; readonly epoch: number };

/** Who has a chain to itself, and since when by the clock of the target. */
export type Holder = { readonly holder: string; readonly since: Date };

/**
 * `known`: the segment is there already, and nothing changed. `gap`: what it follows is not there, or its number does not follow. `parted`:
 * another segment follows in its place. `fenced`: somebody else holds the chain. A refusal changes nothing.
 */
export type AppendResult =
  | { readonly kind: 'appended' | 'known' }
  | { readonly kind: 'refused'; readonly why: 'gap' | 'parted' | 'fenced' };

/**
 * Where segments and objects are kept for other machines. Everything may be called again after a failure: what is there is not written
 * twice. When a call resolves, what it wrote is as durable as the target makes it. Rejects with a SanbotError that says what and where.
 */
export type SyncTarget = {
  /** Keeps an object under the hash of its bytes. */
  readonly put: (sha256: string, bytes: Buffer) => Promise<void>;
  /** Undefined for an object that is not there, or not whole yet. */
  readonly get: (sha256: string) => Promise<Buffer | undefined>;
  /** Other software carries it, and may bring again what was taken away. */
  readonly isCarried?: true;
  /** Of a target that takes away what is old. */
  readonly retention?: Retention;
  readonly append: (segment: Segment, fence: Fence) => Promise<AppendResult>;
  /** Puts a segment that is `replaced` in its place; what stood there under this name, and before any purge, is gone afterwards. */
  readonly replace: (segment: Segment, name: SegmentName) => Promise<void>;
  /** Removes an object; nothing where there is none. */
  readonly drop: (sha256: string) => Promise<void>;
  /** Yields the segments of a chain from a number on, in order. One that is not whole yet is left out. */
  readonly read: (chain: string, from: number) => AsyncIterable<Segment>;
  /** Every segment of every chain, also those that are not whole yet; with a log, at least those that it may follow or that follow it. */
  readonly list: (log?: string) => Promise<readonly SegmentName[]>;
  /** The right to write a chain, or who has it open elsewhere. */
  readonly acquire: (chain: string) => Promise<Fence | Holder>;
};

export type Retention = {
  /** Whether it had an object that it keeps no more. */
  readonly gone: (sha256: string) => Promise<boolean>;
  /** Chains of which it keeps nothing more: who has them keeps them, and sends them again once they go on. */
  readonly retired: () => Promise<ReadonlySet<string>>;
};

/** How a session that is open is kept from all others, for as long as its process lives. Only the target's clock counts. */
export type Leases = {
  /** As `acquire`, and from then on nobody else gets it, until it is given back or was not renewed in time. */
  readonly hold: (chain: string) => Promise<Fence | Holder>;
  /** False when somebody else has taken it since. */
  readonly renew: (fence: Fence) => Promise<boolean>;
  readonly release: (fence: Fence) => Promise<void>;
  /** Who held it last, also one that has given it back. */
  readonly lastHolder: (chain: string) => Promise<Holder | undefined>;
  /** How long it lasts without being renewed. */
  readonly ms: () => Promise<number>;
};
