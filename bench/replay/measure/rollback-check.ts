import type { Snapshots } from '../../../src/agent/ports/disk.ts';
import { findSnapshot, type RollbackDeps, rollBack } from '../../../src/agent/rollback/rollback.ts';
import type { Session } from '../../../src/agent/session/session.ts';
import { uniqueStubs } from '../../../src/agent/session/snapshot.ts';
import type { SessionContext } from '../../../src/domain/session/context.ts';

export type RollbackEquality = { readonly tried: number; readonly equal: number };

/** Remembers each context when its snapshot is taken; `check` rolls back to every one of them. */
export function watchSnapshots(snapshots: Snapshots) {
  const contexts = new Map<string, string>();
  return {
    snapshots: {
      ...snapshots,
      write: (snapshot: Parameters<Snapshots['write']>[0]) => {
        const meta = snapshots.write(snapshot);
        if (meta.reason !== 'rollback') contexts.set(meta.id, bytesOf(snapshot.context));
        return meta;
      },
    },
    /** A rollback is equal when the context is the same in every byte and every body that it refers to is readable. */
    check: (session: Session, deps: RollbackDeps): RollbackEquality => {
      let equal = 0;
      for (const [id, context] of contexts) {
        rollBack(findSnapshot(id, deps.disk.snapshots), session, deps);
        const hasAllBodies = uniqueStubs(session.context.messages).every(({ body }) => session.bodies.read(body) !== undefined);
        if (hasAllBodies && bytesOf(session.context) === context) equal += 1;
      }
      return { tried: contexts.size, equal };
    },
  };
}

/** The five parts in a fixed order; the order of the fields inside them counts. */
const bytesOf = ({ system, shortTermSummary, tools, messages, anchorFloor }: SessionContext): string =>
  JSON.stringify([system, shortTermSummary, tools, messages, anchorFloor]);
