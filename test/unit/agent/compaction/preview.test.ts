import { describe, expect, test } from 'vitest';
import { commitCompaction, discardCompaction } from '../../../../src/agent/compaction/commit.ts';
import { prepareCompaction } from '../../../../src/agent/compaction/compact.ts';
import { reviseSummary } from '../../../../src/agent/compaction/new-context.ts';
import type { PreparedCompaction } from '../../../../src/agent/compaction/types.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { textOf } from '../../../../src/domain/session/message.ts';
import { type AgentWish, type AgentWorld, createAgentWorld, replies } from '../../../support/agent-world.ts';
import { user } from '../../../support/build.ts';
import { longSession, words } from '../../../support/long-session.ts';
import { goodSummary } from '../../../support/summary.ts';

const usage = { inputTokens: 4_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 500 };

const paidSummary: AgentWish = { canSummarise: true, ask: () => ({ ...replies(goodSummary), usage }) };

const prepared = async (wish: AgentWish = paidSummary) => {
  const world = createAgentWorld({ messages: longSession(), ...wish });
  const bytes = bytesOf(world);
  const { session, deps } = world;
  const limits = limitsOf(session, deps);
  const signal = new AbortController().signal;
  const made = await prepareCompaction({ trigger: 'manual', reasons: [], instructions: undefined, limits, signal }, session, deps);
  if (made.kind !== 'prepared') throw new Error(`It was not prepared: ${JSON.stringify(made)}`);
  return { ...world, bytes, made };
};

const bytesOf = ({ store, session }: Pick<AgentWorld, 'store' | 'session'>): string =>
  JSON.stringify([store.records, session.context, [...store.bodies.files], [...store.snapshots.all.keys()], store.archive.pages]);

describe('a compaction that is only prepared', () => {
  test('writes nothing: not a byte of log, context, snapshots or archive is another [F13, P13]', async () => {
    const world = await prepared();
    expect(bytesOf(world)).toBe(world.bytes);
    expect(world.store.memories.entries).toEqual([]);
  });

  test('and discarded leaves no trace but its cost, which is booked and told', async () => {
    const world = await prepared();
    discardCompaction(world.made, world.deps);
    expect(bytesOf(world)).toBe(world.bytes);
    expect(world.session.usage.total).toMatchObject({ requests: 1, compactionUsage: usage, compactionCostUsd: 0.01 });
    expect(world.events.at(-1)).toEqual({ type: 'compaction_discarded', trigger: 'manual', usage, costUsd: 0.01 });
  });

  test('and committed is what was shown', async () => {
    const { made, session, deps, reopened } = await prepared();
    const outcome = await commitCompaction(made, session, deps);
    expect(outcome).toMatchObject({ kind: 'compacted', event: { tokensAfter: made.tokensAfter, usage, costUsd: 0.01 } });
    expect(session.context).toEqual(made.context);
    expect(reopened().context).toEqual(session.context);
    expect(session.usage.total.compactionUsage).toEqual(usage);
  });

  test('is void once the conversation has changed: nothing is lost of what came meanwhile [P28, O11, C111]', async () => {
    const world = await prepared();
    const { session, deps, made, store, events } = world;
    session.append({ type: 'message', message: user('One more thing.') });
    const before = bytesOf(world);
    expect(await commitCompaction(made, session, deps)).toMatchObject({ kind: 'failed' });
    expect(bytesOf(world)).toBe(before);
    expect(store.snapshots.all.size).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: 'compaction_discarded', why: { en: expect.stringContaining('has changed') } });
  });
});

const revised = (world: AgentWorld & { readonly made: PreparedCompaction }, text: string) =>
  reviseSummary(world.made, text, world.session, world.deps);

describe('a summary that the user has edited', () => {
  test('takes the place of the other one, and what is gathered by rule stays', async () => {
    const world = await prepared();
    const outcome = revised(world, `${goodSummary}\nThe port is 8123.`);
    if (outcome.kind !== 'revised') throw new Error('It was refused');
    expect(outcome.warnings).toEqual([]);
    expect(outcome.prepared.plan.ledger).toEqual(world.made.plan.ledger);
    await commitCompaction(outcome.prepared, world.session, world.deps);
    const text = textOf(world.session.context.messages[0]?.content ?? []);
    expect(text).toContain('The port is 8123.');
    expect(text).toContain('vendor/lib0.ts');
    expect(world.events.at(-1)).toMatchObject({ type: 'compacted', method: 'edited' });
  });

  test('is left alone when nothing was changed', async () => {
    const world = await prepared();
    expect(revised(world, `${world.made.summary.text}\n`)).toEqual({ kind: 'revised', prepared: world.made, warnings: [] });
  });

  test('is warned of when it lacks headings, and taken all the same', async () => {
    const outcome = revised(await prepared(), '我们用 SQLite。Nothing else matters.');
    expect(outcome).toMatchObject({ kind: 'revised', warnings: [{ en: expect.stringContaining('"## Current Status"') }] });
  });

  test.each([
    ['is empty [X7]', ' \n\n', /empty/],
    ['is not shorter than what it stands for [C20]', words(4_000, 'noise'), /not shorter/],
  ])('that %s is refused with the reason', async (_, text, why) => {
    const outcome = revised(await prepared(), text);
    expect(outcome.kind === 'refused' && outcome.problems.map(({ en }) => en).join(' ')).toMatch(why);
  });
});

test('what a failed compaction cost is told with the failure, and booked', async () => {
  const world = createAgentWorld({
    messages: longSession(),
    canSummarise: true,
    ask: () => ({ ...replies(''), usage }),
    config: { compaction: { llmFallbackToRules: false } },
  });
  const { session, deps, events } = world;
  const limits = limitsOf(session, deps);
  await prepareCompaction(
    { trigger: 'auto', reasons: [], instructions: undefined, limits, signal: new AbortController().signal },
    session,
    deps,
  );
  const twice = { inputTokens: 8_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1_000 };
  expect(events.at(-1)).toMatchObject({ type: 'compaction_failed', usage: twice, costUsd: 0.02 });
  expect(session.usage.total.compactionUsage).toEqual(twice);
});
