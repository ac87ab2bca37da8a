import { join, sep } from 'node:path';
import type { SnapshotBody } from '../../agent/ports.ts';
import { applyRecord } from '../../context/history/apply-record.ts';
import { repairPairs } from '../../context/history/pairing.ts';
import { relocateContext } from '../../context/history/rehome.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { type HeaderRecord, RECORD_VERSION } from '../../domain/session/record.ts';
import { storeWorldOf } from '../../runtime/open-store.ts';
import type { World } from '../../runtime/world.ts';
import { encodeLine } from '../../store/files/json-line.ts';
import { pathsOf, type StorePaths } from '../../store/files/paths.ts';
import { bodyRefOf, encodeBody } from '../../store/session/body-text.ts';
import { peekSession } from '../../store/session/peek-session.ts';
import { numberedRecord } from '../../store/session/session-log.ts';
import { writeSession } from '../../store/snapshot/place-session.ts';
import type { Store } from '../../store/store.ts';

export type Fork = { readonly world: World; readonly home: string; readonly store: Store; readonly tell: (line: string) => void };

/**
 * A new session that begins with all that another's context holds, in the working folder it was in; returns its id. The original is only
 * read, without its lock, so that it may be in use. Bodies that the context names are copied, and its stubs lead to the copies.
 */
export function forkSession({ world, home, store, tell: warn }: Fork, parent: string): string {
  const paths = pathsOf(home);
  const { header, records, warnings } = peekSession(paths, parent);
  for (const warning of warnings) warn(warning);
  const sessionId = store.sessions.newSessionId();
  const start: SessionContext = header.context;
  const model = records.reduce((name, record) => (record.type === 'model' ? record.model : name), header.model);
  const context = records.reduce(applyRecord, start);
  const whole = { ...context, messages: repairPairs(context.messages) };
  const moved = relocateContext(whole, join(paths.session(parent), sep), join(paths.session(sessionId), sep));
  const fresh: HeaderRecord = {
    type: 'header',
    v: RECORD_VERSION,
    sessionId,
    group: header.group,
    cwd: header.cwd,
    model,
    parent,
    context: moved,
  };
  const disk = { ...storeWorldOf(world, home), warn };
  writeSession(disk, paths, {
    sessionId,
    log: [encodeLine(numberedRecord(fresh, { n: 0, at: world.now().toISOString() }))],
    bodies: bodiesFor(whole, { paths, store, parent }),
    retired: [],
    title: undefined,
  });
  return sessionId;
}

/** Those of its stubs, and those that it names in any other place, as a summary does. What is missing is missing in both. */
function* bodiesFor(
  whole: SessionContext,
  { paths, store, parent }: { readonly paths: StorePaths; readonly store: Store; readonly parent: string },
): Generator<SnapshotBody> {
  const bodies = store.bodies(parent);
  const done = new Set<string>();
  for (const ref of whole.messages.flatMap((message) => (message.stubs ?? []).map((stub) => stub.body))) {
    if (done.has(ref.sha256.slice(0, 32))) continue;
    done.add(ref.sha256.slice(0, 32));
    const text = bodies.read(ref);
    if (text !== undefined) yield { ref, text };
  }
  for (const prefix of namedIn(whole)) {
    if (done.has(prefix)) continue;
    done.add(prefix);
    const text = bodies.readPath(paths.body(parent, prefix));
    if (text !== undefined) yield { ref: bodyRefOf(encodeBody(text)), text };
  }
}

const namedIn = (context: SessionContext): readonly string[] =>
  [...JSON.stringify([context.messages, context.shortTermSummary]).matchAll(/offloaded(?:\/|\\\\)([0-9a-f]{32})\.txt/g)].map(
    ([, name = '']) => name,
  );
