import { basename, join, sep } from 'node:path';
import type { SnapshotBody } from '../../agent/ports/disk.ts';
import { applyRecords, relocateContext } from '../../context/history/apply-record.ts';
import { repairPairs } from '../../context/history/pairing.ts';
import { forkedSets } from '../../context/history/past.ts';
import type { Warn } from '../../domain/language.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { type HeaderRecord, RECORD_VERSION } from '../../domain/session/record.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { setsOfSession } from '../../store/changes/change-lines.ts';
import { forkChanges } from '../../store/changes/fork-changes.ts';
import { pathsOf, type StorePaths } from '../../store/files/paths.ts';
import { encodeRecord } from '../../store/files/record-line.ts';
import { bodyRefOf, encodeBody } from '../../store/session/bodies/body-text.ts';
import { allRecords, peekSession } from '../../store/session/peek-session.ts';
import { numberedRecord } from '../../store/session/sessions.ts';
import { writeSession } from '../../store/snapshot/write-session.ts';
import type { Store } from '../../store/store.ts';

export type ForkContext = Pick<Runtime, 'environment' | 'home' | 'store'> & { readonly warn: Warn };

/** The original is only read, without its lock, so that it may be in use. Returns the new id; stubs lead to copied bodies. */
export function forkSession({ environment, home, store, warn }: ForkContext, parent: string): string {
  const paths = pathsOf(home);
  const { header, records, warnings } = peekSession(paths, parent);
  for (const warning of warnings) warn(warning);
  const sessionId = store.sessions.newSessionId();
  const { model, endpoint } = records.reduce<Pick<HeaderRecord, 'model' | 'endpoint'>>(
    (last, record) =>
      (record.type === 'model' || record.type === 'checkpoint') && record.model !== undefined ? { ...record, model: record.model } : last,
    header,
  );
  const context = applyRecords(header.context, records);
  const pairedContext = { ...context, messages: repairPairs(context.messages) };
  const relocatedContext = relocateContext(pairedContext, join(paths.session(parent), sep), join(paths.session(sessionId), sep));
  const newHeader: HeaderRecord = {
    type: 'header',
    v: RECORD_VERSION,
    sessionId,
    group: header.group,
    cwd: header.cwd,
    model,
    ...(endpoint === undefined ? {} : { endpoint }),
    parent,
    ...(header.imported === undefined ? {} : { imported: header.imported }),
    context: relocatedContext,
  };
  const disk = { ...storeEnvironmentOf(environment, home), warn };
  const sets = forkedSets(allRecords(paths, parent), setsOfSession(paths, parent), relocatedContext.messages);
  writeSession(disk, paths, {
    sessionId,
    log: [encodeRecord(numberedRecord(newHeader, { n: 0, at: environment.now().toISOString() }))],
    bodies: bodiesFor(pairedContext, { paths, store, parent }),
    retired: [],
    title: undefined,
    fill: (folder) => forkChanges(disk, paths, { parent, folder: join(folder, basename(paths.changes(sessionId))), sets }),
  });
  return sessionId;
}

/** Those of its stubs, and those that it names in any other place, as a summary does. What is missing is missing in both. */
function* bodiesFor(
  context: SessionContext,
  { paths, store, parent }: { readonly paths: StorePaths; readonly store: Store; readonly parent: string },
): Generator<SnapshotBody> {
  const bodies = store.bodies(parent);
  const seen = new Set<string>();
  for (const ref of context.messages.flatMap((message) => (message.stubs ?? []).map((stub) => stub.body))) {
    if (seen.has(ref.sha256.slice(0, 32))) continue;
    seen.add(ref.sha256.slice(0, 32));
    const text = bodies.read(ref);
    if (text !== undefined) yield { ref, text };
  }
  for (const prefix of referencedBodies(context)) {
    if (seen.has(prefix)) continue;
    seen.add(prefix);
    const text = bodies.readPath(paths.body(parent, { sha256: prefix }));
    if (text !== undefined) yield { ref: bodyRefOf(encodeBody(text)), text };
  }
}

const referencedBodies = (context: SessionContext): readonly string[] =>
  [...JSON.stringify([context.messages, context.shortTermSummary]).matchAll(/offloaded(?:\/|\\\\)([0-9a-f]{32})\.[a-z]{3,4}/g)].map(
    ([, name = '']) => name,
  );
