import { expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { addedSince, lastChange } from '../../../../src/agent/rollback/rewind.ts';
import { clearContext, findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import { readReceipt, type SnapshotMeta, snapshotMetaSchema } from '../../../../src/domain/session/snapshot.ts';
import { type AgentWorld, createAgentWorld } from '../../../support/agent-world.ts';
import { calls, says, user } from '../../../support/build.ts';
import { longSession, words } from '../../../support/long-session.ts';

async function compactedWorld(): Promise<AgentWorld> {
  const world = createAgentWorld({ messages: longSession() });
  const { session, deps, store } = world;
  const saved = store.bodies.save(words(90, 'log line'));
  if (saved === undefined) throw new Error('The body was not saved');
  const stub = { toolUseId: 'x1', tool: 'run_command', body: saved.ref };
  const { messages } = session.context;
  const result = {
    ...user('stub'),
    origin: 'tools' as const,
    content: [{ type: 'tool_result', tool_use_id: 'x1', content: 'stub' }],
    stubs: [stub],
  };
  const context = { ...session.context, messages: [user('run it'), calls({ id: 'x1' }), result, says('ran'), ...messages] };
  session.append({ type: 'checkpoint', reason: 'mended', context });
  const wish = { trigger: 'manual' as const, reasons: [], instructions: undefined, limits: limitsOf(session, deps) };
  await compact({ ...wish, signal: new AbortController().signal }, session, deps);
  return world;
}

const metasOf = ({ store }: AgentWorld): readonly SnapshotMeta[] => [...store.snapshots.all.values()].map(({ meta }) => meta);

test('a compaction leaves a receipt: what became of each part, and where it can be read again [X11, O31, C88]', async () => {
  const world = await compactedWorld();
  const [meta] = metasOf(world);
  const receipt = readReceipt(JSON.parse(JSON.stringify(meta?.outcome?.receipt)));
  const { messages } = world.session.context;
  expect(receipt).toMatchObject({
    v: 1,
    trigger: 'manual',
    method: 'rules',
    kept: { messages: messages.length - 1 },
    summarised: { messages: (meta?.messages ?? 0) - (messages.length - 1) },
    bodies: [{ tool: 'run_command', retired: true }],
    filesRetired: 1,
    archive: '/home/conversations/1.md',
    memories: { decisions: expect.any(Number) },
    costUsd: 0,
  });
  // Wherever it says that something can be read, it can.
  const [body] = receipt?.bodies ?? [];
  const [stub] = findSnapshot(meta?.id ?? '', world.deps.disk.snapshots).bodies;
  expect(stub && world.store.bodies.path(stub.ref)).toBe(body?.path);
  expect(stub && world.store.bodies.read(stub.ref)).toBe(words(90, 'log line'));
  expect(receipt?.ledger.filesModified).toBe(messages[0]?.summary?.ledger.filesModified.length);
});

test('a meta without a receipt, or with that of a newer version, is still a meta', async () => {
  const [meta] = metasOf(await compactedWorld());
  for (const receipt of [undefined, { v: 2, other: 'things' }, 'nonsense']) {
    expect(snapshotMetaSchema.safeParse({ ...meta, outcome: { ...meta?.outcome, receipt } }).success).toBe(true);
    expect(readReceipt(receipt)).toBeUndefined();
  }
});

const undoOnce = (world: AgentWorld): void => {
  const last = lastChange(metasOf(world), world.session);
  if (last === undefined) throw new Error('There is nothing to undo');
  rollBack(findSnapshot(last.id, world.deps.disk.snapshots), world.session, world.deps);
};

test('undo brings back the exact conversation of before, and a second undo the one after [C100, B11, P29]', async () => {
  const world = await compactedWorld();
  const after = JSON.stringify(world.session.context);
  const before = JSON.stringify(findSnapshot(metasOf(world)[0]?.id ?? '', world.deps.disk.snapshots).context);
  for (const expected of [before, after, before, after]) {
    undoOnce(world);
    expect(JSON.stringify(world.session.context)).toBe(expected);
  }
});

test('undo counts what came after the change, and undoing the undo brings it back', async () => {
  const world = await compactedWorld();
  for (const message of [user('one more'), says('thing')]) world.session.append({ type: 'message', message });
  const [last] = metasOf(world);
  expect(last && addedSince(last, world.session.context.messages)).toBe(2);
  const before = JSON.stringify(world.session.context);
  undoOnce(world);
  undoOnce(world);
  expect(JSON.stringify(world.session.context)).toBe(before);
});

test('a change that never came about is not what undo undoes; a clear is [X5, F5]', async () => {
  const world = await compactedWorld();
  const metas = metasOf(world);
  const [compaction] = metas;
  if (compaction === undefined) throw new Error('There is no snapshot');
  const { outcome: _, ...unfinished } = compaction;
  expect(lastChange([...metas, { ...unfinished, id: 'later' }], world.session)?.id).toBe(compaction.id);
  expect(lastChange([unfinished], { changedFrom: undefined })).toBeUndefined();
  // A crash came between the checkpoint and the note: the log knows.
  expect(lastChange([unfinished], world.reopened())?.id).toBe(compaction.id);
  const cleared = clearContext(world.session, world.deps);
  expect(lastChange(metasOf(world), world.session)?.id).toBe(cleared);
});
