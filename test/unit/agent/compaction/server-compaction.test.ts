import { expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import type { ModelFacts } from '../../../../src/agent/ports/model.ts';
import { findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import { recoverFromOverflow } from '../../../../src/agent/turn/recover.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { toWire } from '../../../../src/context/history/wire.ts';
import type { ContentBlock, Message } from '../../../../src/domain/session/message.ts';
import { type AgentWish, type AgentWorld, createAgentWorld, tool } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import {
  answersWith,
  callsTool,
  compacts,
  fails,
  fakeModel,
  overflows,
  replies,
  type Script,
  type Step,
} from '../../../support/fake-model.ts';
import { goodSummary } from '../../../support/summary.ts';

const prose = (about: string) => `${about} ${'has facts that somebody may need later. '.repeat(60)}`;
const talk = (rounds: number): readonly Message[] =>
  Array.from({ length: rounds }, (_, i) => [
    user(prose(`Request ${i}: never touch vendor/lib${i}.ts.`)),
    calls({ id: `c${i}`, input: { path: `src/f${i}.ts` } }),
    answers({ id: `c${i}`, content: prose('file') }),
    says(prose(`Answer ${i}`), {
      content: [
        { type: 'thinking', thinking: 'hm', signature: `past-${i}` },
        { type: 'text', text: prose(`Answer ${i}`) },
      ],
    }),
  ]).flat();

const read = tool('read_file', () => 'body');
type Wish = AgentWish & { readonly facts?: Partial<ModelFacts> };

/** The strict fake behind the agent: `summary` answers requests for summaries, `turn` all else. */
const world = (summary: (n: number) => Step, { facts = {}, ...wish }: Wish = {}, turn: Script = () => replies('Fine.')) => {
  let asked = 0;
  const script: Script = (request, n) => (request.purpose === 'summary' ? summary(asked++) : turn(request, n));
  const model = fakeModel(script, { facts: { windowTokens: 32_000, ...facts } });
  const made = createAgentWorld({
    messages: talk(12),
    canSummarise: true,
    tools: [read],
    config: { compaction: { method: 'server', ...wish.config?.compaction } },
    ...wish,
    deps: { model, ...wish.deps },
  });
  return { ...made, model };
};

const compactBy = ({ session, deps }: AgentWorld, instructions?: string, signal = new AbortController().signal) =>
  compact({ trigger: 'manual', reasons: [], instructions, limits: limitsOf(session, deps), signal }, session, deps);
const say = ({ session, deps, tools }: AgentWorld, text = 'go on') =>
  runTurn(text, session, deps, { maxSteps: 20, signal: new AbortController().signal, tools });
const ofType = <Type extends AgentWorld['events'][number]['type']>({ events }: AgentWorld, type: Type) =>
  events.filter((event) => event.type === type);
const blockIn = (messages: readonly { readonly content: readonly ContentBlock[] }[]) =>
  messages.flatMap(({ content }) => content).find(({ type }) => type === 'compaction');

test('a compaction by the API sends its block back first and unchanged, then the ledger, the newest request and the tail', async () => {
  const at = world(() => compacts(goodSummary));
  const before = at.session.context;
  const outcome = await compactBy(at, 'keep the names of files');
  expect(outcome).toMatchObject({ kind: 'compacted', event: { method: 'server' } });
  const [asked] = at.model.requests;
  expect(asked).toMatchObject({ system: ['You are SanBot.'], tools: before.tools });
  expect(asked?.compaction?.instructions).toContain('keep the names of files');
  expect(toWire(before.messages).slice(0, asked?.messages.length)).toEqual(asked?.messages);
  await say(at);
  const sent = at.model.requests.at(-1)?.messages ?? [];
  expect(sent[0]).toEqual({ role: 'assistant', content: [expect.objectContaining({ type: 'compaction', content: goodSummary })] });
  expect(JSON.stringify(sent[1])).toContain('vendor/lib0.ts');
  expect(JSON.stringify(sent)).not.toContain('past-');
  at.model.done();
});

test('its cost is booked, and the snapshot, the archive and the receipt are those of any compaction', async () => {
  const at = world(() => compacts(goodSummary));
  const outcome = await compactBy(at);
  const id = outcome.kind === 'compacted' ? outcome.event.snapshotId : '';
  expect(at.session.usage.total.compactionUsage.outputTokens).toBeGreaterThan(0);
  expect(JSON.stringify(findSnapshot(id, at.deps.disk.snapshots).meta)).toContain('"server"');
});

test('rollback to before it sends the exact earlier array, and a new process has the block as it was', async () => {
  const at = world(() => compacts(goodSummary));
  const before = at.session.context.messages;
  const outcome = await compactBy(at);
  expect(at.reopened().context).toEqual(at.session.context);
  expect(blockIn(at.reopened().context.messages)).toBeDefined();
  if (outcome.kind !== 'compacted') throw new Error(outcome.kind);
  rollBack(findSnapshot(outcome.event.snapshotId, at.deps.disk.snapshots), at.session, at.deps);
  expect(at.session.context.messages).toEqual(before);
  expect(JSON.stringify(toWire(at.session.sent.messages))).toBe(JSON.stringify(toWire(before)));
  at.model.done();
});

test('the next compaction replaces the block by a new one and never sends two', async () => {
  const at = world((n) => compacts(`${goodSummary}\nThe ${n}th of them.`));
  await compactBy(at);
  for (const text of [prose('one'), prose('two'), prose('three')].map((part) => part.repeat(8))) await say(at, text);
  expect(await compactBy(at)).toMatchObject({ kind: 'compacted', event: { method: 'server' } });
  await say(at);
  expect(blockIn(at.model.requests.at(-1)?.messages ?? [])).toMatchObject({ content: expect.stringContaining('The 1th') });
  at.model.done();
});

test('in a loop of tools it comes by itself, between results and the next request', async () => {
  const at = world(
    () => compacts(goodSummary),
    { messages: talk(6), tools: [tool('read_file', () => prose('page').repeat(3))], facts: { windowTokens: 16_000 } },
    (_request, n) => (n < 14 ? callsTool('read_file', { path: `p${n}` }) : replies('Done.')),
  );
  await say(at);
  expect(ofType(at, 'compacted').map((event) => event.type === 'compacted' && [event.trigger, event.method])).toContainEqual([
    'auto',
    'server',
  ]);
  at.model.done();
});

test('an overflow is recovered from by it too', async () => {
  const at = world(() => compacts(goodSummary));
  await recoverFromOverflow({ limitTokens: 6_000, sentTokens: 20_000 }, at.session, at.deps, {
    attempt: 1,
    signal: new AbortController().signal,
  });
  expect(ofType(at, 'compacted')).toMatchObject([{ trigger: 'overflow', method: 'server' }]);
});

test.each<[string, () => Step]>([
  ['refuses', () => answersWith([], 'refusal')],
  ['runs out of tokens', () => answersWith([], 'max_tokens')],
  ['answers in words', () => replies(goodSummary)],
  ['overflows', () => overflows(40_000, 32_000)],
  ['cannot be reached', () => fails('model_unreachable', 'no connection')],
  ['sends an empty block', () => compacts('')],
])('when the API %s, that is told and the own method does it', async (_name, first) => {
  const at = world((n) => (n === 0 ? first() : replies(goodSummary)));
  expect(await compactBy(at)).toMatchObject({ kind: 'compacted', event: { method: 'model' } });
  expect(ofType(at, 'warning')).toMatchObject([{ message: { en: expect.stringContaining('No summary from the API') } }]);
  expect(blockIn(at.session.context.messages)).toBeUndefined();
});

test('where rules are refused and no model answers either, the history is unchanged', async () => {
  const at = world(() => fails('model_failed', 'down'), { config: { compaction: { method: 'server', llmFallbackToRules: false } } });
  const before = at.session.context;
  expect(await compactBy(at)).toMatchObject({ kind: 'failed' });
  expect(at.session.context).toBe(before);
});

test('a model that is known to lack it is told of once and never asked', async () => {
  const at = world(() => replies(goodSummary), { facts: { serverCompaction: false } });
  for (let n = 0; n < 2; n++) {
    expect(await compactBy(at)).toMatchObject({ kind: 'compacted', event: { method: 'model' } });
    for (let more = 0; more < 12; more++) await say(at, prose(`more ${more}`));
  }
  expect(at.model.requests.some(({ compaction }) => compaction !== undefined)).toBe(false);
  expect(ofType(at, 'warning')).toHaveLength(1);
});

test('a summary that the next model cannot take back is sent as text', async () => {
  let lacks = false;
  const at = world(() => compacts(goodSummary));
  const model = { ...at.deps.model, facts: (name: string) => ({ ...at.model.facts(name), serverCompaction: !lacks }) };
  const agent = { ...at, deps: { ...at.deps, model } };
  await compactBy(agent);
  lacks = true;
  await say(agent);
  const sent = at.model.requests.at(-1)?.messages ?? [];
  expect(blockIn(sent)).toBeUndefined();
  expect(JSON.stringify(sent[0])).toContain('The model notes what matters about key decisions.');
  at.model.done();
});

test('a cancel leaves the bytes as they were', async () => {
  const stop = new AbortController();
  const at = world(() => ({ ...compacts(goodSummary), during: () => stop.abort() }));
  const before = at.session.context;
  await expect(compactBy(at, undefined, stop.signal)).rejects.toThrow();
  expect(at.session.context).toBe(before);
  expect(at.store.records.some(({ type }) => type === 'checkpoint')).toBe(false);
});
