import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exportLines } from '../../src/store/snapshot/export-file.ts';
import { answers, calls, contextOf, says, user } from '../support/build.ts';
import { headerOf, keepFormerVersion, START, storeOf } from '../unit/store/files/world.ts';

/** What a tool wrote over a file. */
export const CODE = 'const a = 1;\n';

/** A session with every kind of file, and its export. */
export function smallHome() {
  const made = storeOf();
  const { store, paths, disk } = made;
  const { log } = store.sessions.create(headerOf('s1'));
  const bodies = store.bodies('s1');
  const save = (text: string) => {
    const saved = bodies.save(text);
    if (saved === undefined) throw new Error('a body was not stored');
    return saved.ref;
  };
  const stub = (toolUseId: string, body: ReturnType<typeof save>) => ({
    ref: { toolUseId, tool: 'read_file', body },
    text: `Tool result is at: ${bodies.path(body)}`,
  });
  const retired = save('gone from the context, 退休\n');
  const kept = save('still in the context\n');
  log.append({ type: 'message', message: user('fix it "now", 请\n\t\\ \u2028') });
  log.append({ type: 'message', message: calls({ id: 't1', input: { path: 'a.txt', n: 1.5, list: [null, true] } }, { id: 't2' }) });
  log.append({ type: 'message', message: answers({ id: 't1' }, { id: 't2' }) });
  log.append({ type: 'offload', stubs: [stub('t1', retired), stub('t2', kept)] });
  const snapshot = store.snapshots.write({
    sessionId: 's1',
    group: 'main',
    reason: 'compaction',
    model: 'm',
    tokens: 9,
    context: contextOf([user('fix it')]),
    bodies: [{ ref: retired, text: 'gone from the context, 退休\n' }],
  });
  const context = contextOf([user('summary')], { pins: [] });
  log.append({ type: 'checkpoint', reason: 'compaction', snapshotId: snapshot.id, model: 'm', ratio: 1.25, context });
  bodies.retire(new Set([kept.sha256]));
  store.snapshots.recordOutcome(snapshot.id, { at: START.toISOString(), messages: 1, tokensAfter: 3, line: 'compacted' });
  keepFormerVersion(made, 's1', Buffer.from(CODE));
  log.append({ type: 'message', message: says('done') });
  log.append({ type: 'model', model: 'other' });
  log.close();
  const exported = join(dirname(paths.home), 'session.jsonl');
  const source = { paths, snapshots: store.snapshots, at: START.toISOString(), warn: disk.warn };
  writeFileSync(exported, Buffer.concat([...exportLines(source, 's1')]));
  return { ...made, snapshot, kept, exported };
}
