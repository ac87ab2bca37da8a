import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { chooseSummaryWay } from '../../../../src/agent/compaction/summary-way.ts';
import type { CompactionOptions } from '../../../../src/agent/compaction/types.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { type Message, textOf } from '../../../../src/domain/session/message.ts';
import { type AgentWish, createAgentWorld, replies, tool } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { goodSummary } from '../../../support/summary.ts';

const usage = { inputTokens: 10, cacheReadTokens: 4_000, cacheWriteTokens: 90, outputTokens: 50 };

/** Twenty exchanges; the provider has counted up to the last reply. */
const session = (): readonly Message[] =>
  Array.from({ length: 20 }, (_, i) => [
    user(`Request ${i}. ${'There is more to say about it. '.repeat(12)}`),
    says(`Answer ${i}. ${'It was done as it was asked. '.repeat(12)}`, i === 19 ? { usage } : {}),
  ]).flat();

const tools = [tool('read_file', () => 'ok')];
const worldOf = (wish: AgentWish = {}) =>
  createAgentWorld({ messages: session(), tools, window: 60_000, canSummarise: true, ask: () => replies(goodSummary), ...wish });

const outlook = ({ session: its, deps }: ReturnType<typeof worldOf>): boolean =>
  chooseSummaryWay(its, deps, { limits: limitsOf(its, deps), index: its.context.messages.length - 4 }).room !== undefined;

describe('a summary stands on the prefix', () => {
  test('when the past is what the last reply was an answer to, and the provider cached it', () => {
    const world = worldOf();
    expect(outlook(world)).toBe(true);
  });

  test('not where the provider keeps no cache, unless it is a server of one’s own, which has it in memory', () => {
    const uncached = { ...usage, inputTokens: 4_100, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const messages = session().map((message) => (message.usage === undefined ? message : { ...message, usage: uncached }));
    expect(outlook(worldOf({ messages }))).toBe(false);
    const { deps } = worldOf();
    const own = { ...deps.model.facts('test'), keepsOnePrefix: true };
    expect(outlook(worldOf({ messages, deps: { model: { facts: () => own } } }))).toBe(true);
  });

  test('not when the cache is cold', () => {
    const world = worldOf();
    world.clock.now = new Date(world.clock.now.getTime() + 24 * 3_600_000);
    expect(outlook(world)).toBe(false);
  });

  test('not when the past has changed since, or the provider never counted it', () => {
    const world = worldOf();
    const context = { ...world.session.context, anchorFloor: world.session.context.messages.length };
    world.session.append({ type: 'checkpoint', reason: 'window', context });
    expect(outlook(world)).toBe(false);
    expect(outlook(worldOf({ messages: session().map(({ usage: _, ...message }) => message) }))).toBe(false);
  });

  test('not when another model writes it', () => {
    expect(outlook(worldOf({ config: { compaction: { model: 'other' } } }))).toBe(false);
  });

  test('nor when it is to think otherwise; the name of the model alone means the session, whatever effort that has', () => {
    const named = (model: string): boolean => {
      const world = worldOf({ config: { compaction: { model } } });
      world.session.switchModel(`${world.session.model}:high`);
      world.session.append({ type: 'message', message: says('And so on.', { usage }) });
      return outlook(world);
    };
    const { model } = worldOf().session;
    expect([model, `${model}:high`, `${model}:low`].map(named)).toEqual([true, true, false]);
  });

  test('not when the window leaves no room for the summary and for thinking about it', () => {
    expect(outlook(worldOf({ window: 5_000 }))).toBe(false);
  });
});

const options = (world: ReturnType<typeof worldOf>, more: Partial<CompactionOptions> = {}): CompactionOptions => ({
  trigger: 'manual',
  reasons: [],
  instructions: 'Keep the port numbers.',
  limits: { ...limitsOf(world.session, world.deps), keepMessages: 2 },
  signal: new AbortController().signal,
  ...more,
});

test('it has the messages, tools and system prompt of the conversation, and one message more, which is not stored', async () => {
  const world = worldOf();
  const before = world.session.context.messages.length;
  const { ratio } = world.session.estimate;
  const { tokens } = world.session.estimate.count();
  const outcome = await compact(options(world), world.session, world.deps);
  expect(outcome).toMatchObject({ kind: 'compacted', event: { method: 'model' } });
  const [request] = world.requests;
  expect(request).toMatchObject({ purpose: 'summary', onPrefix: true, tools: tools.map(({ spec }) => spec) });
  expect(request?.messages).toHaveLength(before + 1);
  const added = textOf(request?.messages.at(-1)?.content ?? []);
  expect(added).toContain('Keep the port numbers.');
  const counted = tokens + world.deps.measure.text(added, ratio);
  expect(world.events).toContainEqual({ type: 'request', purpose: 'summary', tokens: counted, windowTokens: 60_000 });
  expect(JSON.stringify(request?.messages.at(-1))).toMatch(/before the last 2 messages.*begin with the user's message \\"Request 19\./);
  expect(JSON.stringify(world.session.context)).not.toContain('the program that runs you');
});

test('it has to be shorter than what it stands for, the summary before it included', async () => {
  const askedOnPrefix = async (summary: string) => {
    const texts = [`${goodSummary}\n\n${'The first summary said more. '.repeat(150)}`, summary];
    const world = worldOf({ ask: (_, n) => replies(texts[Math.min(n, 2) - 1] ?? '') });
    await compact(options(world), world.session, world.deps);
    const since = session().slice(-6);
    for (const message of since) world.session.append({ type: 'message', message });
    await compact(options(world), world.session, world.deps);
    return world.requests.slice(1).map(({ onPrefix = false }) => onPrefix);
  };
  expect(await askedOnPrefix(`${goodSummary}\n\n${'All of it in fewer words. '.repeat(100)}`)).toEqual([true]);
  expect(await askedOnPrefix(`${goodSummary}\n\n${'And more than there was. '.repeat(600)}`)).toEqual([true, true, false, false]);
});

test('after an overflow it is made from a transcript: the same bytes with more at their end would be too long again', async () => {
  const world = worldOf();
  await compact(options(world, { trigger: 'overflow' }), world.session, world.deps);
  expect(world.requests.map(({ tools: of, onPrefix }) => [of.length, onPrefix])).toEqual([[0, undefined]]);
});

test('a request that is too long after all, or a refusal, leads to the transcript; what it cost is counted', async () => {
  for (const first of [
    { kind: 'overflow', limitTokens: undefined, sentTokens: undefined } as const,
    replies('I cannot help with that.', 'refusal'),
  ]) {
    const world = worldOf({ ask: ({ onPrefix }) => (onPrefix === true ? first : replies(goodSummary)) });
    expect(await compact(options(world), world.session, world.deps)).toMatchObject({ kind: 'compacted', event: { method: 'model' } });
    expect(world.requests.at(-1)).toMatchObject({ tools: [], purpose: 'summary' });
  }
});

test('what the stub of a failure left out stands behind the conversation, above the instructions, within compaction.restoreTokens', async () => {
  const cause = 'the lock gate is jammed at post 17';
  const body = `${'compiling\n'.repeat(40)}${cause}\n${'linking\n'.repeat(40)}`;
  const askedWith = async (restoreTokens: number) => {
    const world = worldOf({ messages: [user('build it')], config: { compaction: { restoreTokens } } });
    const { session } = world;
    const stored = session.bodies.save(body);
    if (stored === undefined) throw new Error('not kept');
    const stub = { toolUseId: 'a', tool: 'run_command', body: stored.ref };
    const content = `Tool result is at: ${stored.path}\nrun_command, failed\n--- head\ncompiling\n--- 700 characters left out\n--- tail\nlinking\n`;
    const failed = [
      calls({ id: 'a', name: 'run_command', input: { command: 'make' } }),
      { ...answers({ id: 'a', content, isError: true }), stubs: [stub] },
    ];
    for (const message of [...failed, says('It failed.'), ...sessionMessages]) session.append({ type: 'message', message });
    await compact(options(world), session, world.deps);
    const [request] = world.requests;
    expect(request?.onPrefix).toBe(true);
    return request?.messages.at(-1)?.content.map((block) => ('text' in block ? block.text : '')) ?? [];
  };
  const sessionMessages = session();
  const [restored = '', instructions = '', ...more] = await askedWith(2_000);
  expect(restored).toContain(cause);
  expect(instructions).toContain('Keep the port numbers.');
  expect(more).toEqual([]);
  expect((await askedWith(0)).join('')).not.toContain(cause);
});
