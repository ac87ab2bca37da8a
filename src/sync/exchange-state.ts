import type { Agreement, SyncHome } from './home.ts';
import type { Holder, SyncTarget } from './port.ts';
import { hashBytes } from './segment.ts';
import type { Tree } from './tree.ts';

export type Fork = {
  readonly session: string;
  readonly of: string;
  /** The machine on which it was continued. */
  readonly writer: string;
  /** The number of the first record that it has alone. */
  readonly first: number;
};

export type ExchangeReport = {
  sent: number;
  sentBytes: number;
  received: number;
  /** Segments that were replaced there, since they were purged here. */
  replaced: number;
  /** Whether something was purged here, since it was purged elsewhere. */
  obeyed: number;
  /** Sessions that were deleted there, since they were here; those deleted here, since they were elsewhere; and those that went on here after that. */
  deletedThere: number;
  readonly deleted: Set<string>;
  readonly kept: Set<string>;
  /** Sessions that were purged elsewhere, but could not be here: nothing of them is exchanged. */
  readonly unpurged: Set<string>;
  readonly forks: Fork[];
  /** Sessions of which a part is not there yet, and those that are open elsewhere: the next exchange goes on. */
  readonly waiting: Set<string>;
  readonly busy: Set<string>;
  /** Sessions that could not be sent, for they are open on another machine. */
  readonly elsewhere: (Holder & { readonly session: string })[];
};

export type ExchangeState = {
  readonly home: SyncHome;
  readonly target: SyncTarget;
  readonly tree: Tree;
  readonly agreements: Map<string, Agreement>;
  readonly report: ExchangeReport;
  /** Segments that wait for a session here, and purges that were obeyed. */
  readonly held: Set<string>;
  readonly obeyed: Set<string>;
  /** Texts that were purged there, and here stand in sessions of which only the end is here: these come anew first. */
  readonly owed?: Set<string>;
  /** Chains that the target keeps no more. */
  readonly retired?: ReadonlySet<string> | undefined;
  /** Versions of files may be sent there; else they are only purged and deleted. */
  readonly takesVersions?: boolean;
  /** A session that somebody else has open is sent as a fork of it; else it waits. */
  readonly forksIfHeld?: boolean;
};

export function emptyReport(): ExchangeReport {
  const counts = { sent: 0, sentBytes: 0, received: 0, replaced: 0, obeyed: 0, deletedThere: 0 };
  const logs = { deleted: new Set<string>(), kept: new Set<string>(), unpurged: new Set<string>() };
  return { ...counts, ...logs, forks: [], waiting: new Set(), busy: new Set(), elsewhere: [] };
}

const NOTHING = hashBytes(Buffer.alloc(0));
/** Where all is compared anew. */
export const beginningOf = (log: string): Agreement => ({ chain: log, hash: null, seq: 0, end: 0, digest: NOTHING });

/** The header of a fork is longer than that of its session, by its name and that one. */
export const HEADER_ROOM = 4096;
