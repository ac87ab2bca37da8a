import { expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { pinMessage } from '../../../../src/agent/memory/pins.ts';
import { findMessage, rewind } from '../../../../src/agent/rollback/rewind.ts';
import { findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import type { Session } from '../../../../src/agent/session/session.ts';
import { recoverFromOverflow } from '../../../../src/agent/turn/recover.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import type { ContentBlock } from '../../../../src/domain/session/message.ts';
import { type AgentWorld, createAgentWorld } from '../../../support/agent-world.ts';
import { says, signedBlock, signedSummary, user } from '../../../support/build.ts';
import { fakeModel, replies, type Script } from '../../../support/fake-model.ts';
import { goodSummary } from '../../../support/summary.ts';

const prose = (about: string): string => `${about} ${'has facts that somebody may need later. '.repeat(60)}`;
const WORDS = String(signedBlock.content).split('\n').at(-1) ?? '';
const LEDGER = 'never touch vendor/lib.ts';

type World = AgentWorld & { readonly model: ReturnType<typeof fakeModel> };

/** A session of an earlier version, which begins with a summary that its API made and signed; the strict fake knows it. */
function world(): World {
  const script: Script = ({ purpose }) => replies(purpose === 'summary' ? goodSummary : 'Fine.');
  const { ask, facts, ...model } = fakeModel(script, { windowTokens: 32_000, facts: { windowTokens: 32_000 } });
  const talk = Array.from({ length: 8 }, (_, i) => [user(prose(`Request ${i}`)), says(prose(`Answer ${i}`))]).flat();
  const made = createAgentWorld({ messages: [signedSummary(), ...talk], canSummarise: true, deps: { model: { ask, facts } } });
  return { ...made, model: { ask, facts, ...model } };
}

const say = async (
  { session, deps, tools, model }: World,
  open: Session = session,
): Promise<readonly { content: readonly ContentBlock[] }[]> => {
  await runTurn('go on', open, deps, { maxSteps: 20, signal: new AbortController().signal, tools });
  return model.requests.at(-1)?.messages ?? [];
};
const compactBy = ({ session, deps }: AgentWorld) => {
  const { signal } = new AbortController();
  return compact({ trigger: 'manual', reasons: [], instructions: undefined, limits: limitsOf(session, deps), signal }, session, deps);
};
const hasBlock = (messages: unknown): boolean => JSON.stringify(messages).includes('"type":"compaction"');

test('a summary that the API signed is sent in its words, its ledger behind it, by a new process and to another model too', async () => {
  const at = world();
  const sent = await say(at);
  expect(hasBlock(sent)).toBe(false);
  expect(sent[0]?.content[0]).toEqual({ type: 'text', text: signedBlock.content });
  expect(JSON.stringify(sent[0]?.content[1])).toContain(LEDGER);
  const again = await say(at, at.reopened());
  expect(again[0]).toEqual(sent[0]);
  at.session.switchModel('other');
  expect((await say(at))[0]).toEqual(sent[0]);
  at.model.done();
});

test('the next compaction carries it on in a summary of its own, and a way back sends the exact bytes of before', async () => {
  const at = world();
  const sentFor = async (): Promise<string> => {
    const bytes = JSON.stringify(await say(at));
    const { id } = at.session.context.messages.findLast(({ origin }) => origin === 'user') ?? { id: '' };
    rewind(findMessage(id, at.session, at.deps), at.session, at.deps);
    return bytes;
  };
  const before = await sentFor();
  const outcome = await compactBy(at);
  if (outcome.kind !== 'compacted') throw new Error(outcome.kind);
  expect(outcome.event.method).toBe('model');
  const asked = at.model.requests.findLast(({ purpose }) => purpose === 'summary');
  expect(JSON.stringify(asked?.messages)).toContain(WORDS);
  const compacted = await sentFor();
  expect(hasBlock(compacted)).toBe(false);
  expect(compacted).toContain(LEDGER);
  const { undo } = rollBack(findSnapshot(outcome.event.snapshotId, at.deps.disk.snapshots), at.session, at.deps);
  expect(await sentFor()).toBe(before);
  rollBack(findSnapshot(undo, at.deps.disk.snapshots), at.session, at.deps);
  expect(await sentFor()).toBe(compacted);
  at.model.done();
});

test('an overflow and a pin leave it either whole or replaced', async () => {
  const at = world();
  pinMessage(1, at.session, at.deps);
  expect((await say(at))[0]?.content[0]).toEqual({ type: 'text', text: signedBlock.content });
  const { signal } = new AbortController();
  await recoverFromOverflow({ limitTokens: 6_000, sentTokens: 20_000 }, at.session, at.deps, { attempt: 1, signal });
  const sent = await say(at);
  expect(hasBlock(sent)).toBe(false);
  expect(JSON.stringify(sent)).toContain(LEDGER);
  expect(JSON.stringify(sent)).toContain('Request 0 has facts');
  at.model.done();
});
