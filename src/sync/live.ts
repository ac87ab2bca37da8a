import { bringRest } from './bring.ts';
import { catchUp, startOf } from './exchange.ts';
import { type ExchangeState, emptyReport } from './exchange-state.ts';
import type { Agreement, SyncHome } from './home.ts';
import type { Fence, Holder, Leases, SyncTarget } from './port.ts';
import { type Tree, treeOf } from './tree.ts';

export type LiveFork = { readonly of: string; readonly as: string; readonly by: Holder | undefined };

type LiveOptions = {
  readonly home: SyncHome;
  readonly target: SyncTarget;
  readonly leases: Leases;
  readonly log: string;
  /** How far both agreed before. */
  readonly known: Agreement | undefined;
  /** Somebody else has gone on with the session: what is written here is another one there from now on. */
  readonly onFork: (fork: LiveFork) => void;
};

export type LiveSession = Readonly<ReturnType<typeof followSession>>;

/**
 * One session that this process has open, on its way to a target: nobody else writes it there meanwhile. Where somebody did, since nothing
 * was heard from here for too long, what is written here goes on in a fork. Reads no part of the log twice.
 */
export function followSession({ home, target, leases, log, known, onFork }: LiveOptions) {
  let fence: Fence | undefined;
  let tree: Tree | undefined;
  let now: Agreement | undefined;
  const hold = async (chain: string): Promise<Fence | Holder> => {
    const taken = await leases.hold(chain);
    if (!('epoch' in taken)) return taken;
    if (fence !== undefined && fence.chain !== chain) await leases.release(fence);
    fence = taken;
    return taken;
  };
  const held: SyncTarget = {
    ...puttingOnce(target),
    acquire: async (chain) => (fence?.chain === chain ? fence : hold(chain)),
    append: async (segment, by) => {
      const outcome = await target.append(segment, by);
      if (outcome.kind === 'refused' && outcome.why === 'fenced') fence = undefined;
      const of = segment.previous?.chain;
      if (outcome.kind === 'appended' && of !== undefined && of !== segment.chain)
        onFork({ of, as: segment.chain, by: await leases.lastHolder(of) });
      return outcome;
    },
  };
  const step = async (): Promise<Agreement> => {
    tree ??= treeOf(await target.list(log));
    const agreements = new Map(known === undefined ? [] : [[log, known]]);
    const state: ExchangeState = {
      ...{ home, target: held, tree, agreements, report: emptyReport(), held: new Set(), obeyed: new Set(), forksIfHeld: true },
    };
    return goOnFrom(state, log, now ?? startOf(state, log, known));
  };
  return {
    /** Undefined when it is held; else who has it. */
    hold: async (): Promise<Holder | undefined> => {
      const taken = await hold(known?.chain ?? log);
      return 'epoch' in taken ? undefined : taken;
    },
    /** Sends all that was written. False when the target does not take it, for what an exchange has to settle first. */
    push: async (): Promise<boolean> => {
      const { bytes } = home.stat(log);
      for (let round = 0; round < MOST_ROUNDS; round++) {
        if (now !== undefined && now.end >= bytes) return true;
        now = await step();
        // Whoever was quicker is seen in the next round.
        if (now.end < bytes) tree = undefined;
      }
      return now !== undefined && now.end >= bytes;
    },
    renew: async (): Promise<void> => {
      const lost = fence === undefined || (await leases.renew(fence)) ? undefined : fence.chain;
      if (lost !== undefined) fence = undefined;
      // Another process of this home may have had it for a moment.
      if (lost !== undefined) await hold(lost);
    },
    release: async (): Promise<void> => {
      if (fence !== undefined) await leases.release(fence);
      fence = undefined;
    },
  };
}

/** A log of which only the end is here has to be here as a whole to be compared from its beginning. */
const goOnFrom = async (state: ExchangeState, log: string, at: Agreement): Promise<Agreement> =>
  at.hash === null && !(await bringRest(state, log)) ? at : catchUp(state, log, at);

const MOST_ROUNDS = 4;

/** Many records refer to one object. */
function puttingOnce(target: SyncTarget): SyncTarget {
  const there = new Set<string>();
  const put: SyncTarget['put'] = async (sha256, bytes) => {
    if (!there.has(sha256)) await target.put(sha256, bytes);
    there.add(sha256);
  };
  return { ...target, put };
}
