import { afterEach, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { pinMessage } from '../../../../src/agent/memory/pins.ts';
import type { ModelFacts } from '../../../../src/agent/ports/model.ts';
import { findMessage, rewind } from '../../../../src/agent/rollback/rewind.ts';
import { findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import type { Session } from '../../../../src/agent/session/session.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { type AgentWish, type AgentWorld, createAgentWorld, tool } from '../../../support/agent-world.ts';
import { calls, says, user } from '../../../support/build.ts';
import type { FakeApi } from '../../../support/fake-api.ts';
import { anthropicAt } from '../../../support/model-rig.ts';
import { fakeApis } from '../../../support/played-api.ts';
import { compacts, misbehaves, replies, type Script, type Step } from '../../../support/scenario.ts';
import { goodSummary } from '../../../support/summary.ts';

const { api, close } = fakeApis();
afterEach(close);

const prose = (about: string) => `${about} ${'has facts that somebody may need later. '.repeat(60)}`;
const BETA = 'compact-2026-09-04';

type Wish = Pick<AgentWish, 'config' | 'deps'> & {
  /** What the n-th request for a summary is answered, whoever is to make it. */
  readonly summary: (n: number, byApi: boolean) => Step;
  readonly turn?: Script;
  /** Whether a model is known to take its own summary back. */
  readonly takes?: (model: string) => boolean | undefined;
};

type At = AgentWorld & { readonly server: FakeApi };

/** The agent over the real client and the wire, against the strict API. */
async function world({ summary, turn = () => replies('Fine.'), takes = () => true, config, deps }: Wish): Promise<At> {
  let asked = 0;
  const script: Script = (request, n) =>
    request.purpose === 'summary' ? summary(asked++, request.compaction !== undefined) : turn(request, n);
  const server = await api(script);
  const facts = (model: string): ModelFacts => ({
    windowTokens: 64_000,
    assumed: false,
    maxOutputTokens: 8_000,
    serverCompaction: takes(model),
    costUsd: () => 0.01,
  });
  const at = createAgentWorld({
    canSummarise: true,
    tools: [tool('read_file', () => 'body')],
    config: { ...config, compaction: { method: 'server', retryCount: 1, ...config?.compaction } },
    deps: { model: { ask: anthropicAt(server.url), facts }, ...deps },
  });
  // Through the log, so that there is a past to go back to.
  for (let i = 0; i < 12; i++) {
    const said = [user(prose(`Request ${i}: never touch vendor/lib${i}.ts.`)), calls({ id: `c${i}`, input: { path: `src/f${i}.ts` } })];
    for (const message of said) at.session.append({ type: 'message', message });
    const content = [{ type: 'tool_result', tool_use_id: `c${i}`, content: prose('file') }];
    at.session.append({ type: 'message', message: at.session.message({ role: 'user', origin: 'tools', content }) });
    at.session.append({ type: 'message', message: says(prose(`Answer ${i}`)) });
  }
  return { ...at, server };
}

const compactBy = ({ session, deps }: AgentWorld, signal = new AbortController().signal, trigger: 'manual' | 'auto' = 'manual') =>
  compact({ trigger, reasons: [], instructions: undefined, limits: limitsOf(session, deps), signal }, session, deps);
const say = ({ deps, tools }: AgentWorld, session: Session, text = 'go on') =>
  runTurn(text, session, deps, { maxSteps: 20, signal: new AbortController().signal, tools });
const warnings = ({ events }: AgentWorld) => events.flatMap((event) => (event.type === 'warning' ? [event.message.en] : []));
const asksOfApi = ({ server }: At) => server.requests.filter(({ body }) => body.compaction !== undefined).length;
/** The messages of the newest request, as bytes, without the breakpoints that move. */
const bytesOf = (messages: unknown): string => JSON.stringify(messages, (key, value) => (key === 'cache_control' ? undefined : value));
const sent = ({ server }: At, n = -1) => server.requests.at(n)?.request.messages ?? [];

const unavailable = misbehaves({
  how: 'status',
  status: 529,
  body: { type: 'error', error: { type: 'overloaded_error', message: 'Try later', details: { error_code: 'compaction_unavailable' } } },
});

test('an API that has no summary to give now is told of and asked again the next time, but left alone once it failed twice in a row', async () => {
  const at = await world({ summary: (_, byApi) => (byApi ? unavailable : replies(goodSummary)) });
  for (const [n, trigger] of (['auto', 'auto', 'auto', 'manual'] as const).entries()) {
    for (let more = 0; more < 6; more++) at.session.append({ type: 'message', message: user(prose(`more ${n} ${more}`)) });
    expect(await compactBy(at, undefined, trigger)).toMatchObject({ kind: 'compacted', event: { method: 'model' } });
    // Each with its one retry; the third compaction does without, and what the user asks for is always tried.
    expect(asksOfApi(at)).toBe([2, 4, 4, 6][n]);
  }
  expect(warnings(at)[0]).toMatch(/^No summary from the API \(\S+ cannot answer now \(529: Try later\)\)\. /);
  expect(warnings(at)).toHaveLength(3);
  at.server.done();
});

test.each([
  ['one that it does not know', undefined, 'Extra inputs are not permitted', 1],
  ['one for this conversation', 'compaction_incomplete_turn', 'The last turn is open', 2],
])(
  'a refusal (400), %s, is told with its reason; only where any would be refused it is not asked again',
  async (_, code, message, asks) => {
    const body = {
      type: 'error',
      error: { type: 'invalid_request_error', message, ...(code === undefined ? {} : { details: { error_code: code } }) },
    };
    const refused = misbehaves({ how: 'status', status: 400, body });
    const at = await world({ summary: (_n, byApi) => (byApi ? refused : replies(goodSummary)) });
    for (let n = 0; n < 2; n++) {
      for (let more = 0; more < 6; more++) at.session.append({ type: 'message', message: user(prose(`more ${n} ${more}`)) });
      expect(await compactBy(at)).toMatchObject({ kind: 'compacted', event: { method: 'model' } });
    }
    expect(asksOfApi(at)).toBe(asks);
    expect(warnings(at)[0]).toContain(message);
    expect(warnings(at)).toHaveLength(asks);
  },
);

test('an API that never answers is given up at compaction.timeoutMs, its connection is closed, and the own method does it', async () => {
  const limit = new AbortController();
  let limits = 0;
  const at = await world({
    summary: (_, byApi) => (byApi ? misbehaves({ how: 'stall' }) : replies(goodSummary)),
    // Only the first time limit is ever over.
    deps: { clock: { deadline: () => (limits++ === 0 ? limit.signal : new AbortController().signal) } },
  });
  const compacting = compactBy(at);
  await at.server.stalled();
  limit.abort();
  expect(await compacting).toMatchObject({ kind: 'compacted', event: { method: 'model' } });
  await at.server.abandoned();
  expect(warnings(at)).toEqual([expect.stringContaining('the time limit for a compaction (compaction.timeoutMs) was reached')]);
});

test('a cancel in the middle of its summary closes the connection and leaves the session as it was, to the byte', async () => {
  const stop = new AbortController();
  const at = await world({ summary: () => misbehaves({ how: 'stall' }) });
  const before = [bytesOf(at.store.records), bytesOf(at.session.context)];
  const compacting = compactBy(at, stop.signal);
  await at.server.stalled();
  stop.abort();
  await expect(compacting).rejects.toThrow(AbortedError);
  await at.server.abandoned();
  expect([bytesOf(at.store.records), bytesOf(at.session.context)]).toEqual(before);
  expect(at.events.at(-1)).toMatchObject({ type: 'compaction_cancelled' });
  expect(warnings(at)).toEqual([]);
});

test.each(['reset', 'premature_end', 'bad_json'] as const)(
  'a summary that is cut off (%s) is asked for again and comes whole',
  async (how) => {
    const at = await world({ summary: (n) => (n === 0 ? misbehaves({ how }) : compacts(goodSummary)) });
    expect(await compactBy(at)).toMatchObject({ kind: 'compacted', event: { method: 'server' } });
    await say(at, at.session);
    expect(sent(at)[0]?.content).toEqual([expect.objectContaining({ type: 'compaction', content: goodSummary })]);
    at.server.done();
  },
);

test('what is pinned stands word for word behind its block, after the next compaction too, and before and after a restart', async () => {
  const at = await world({ summary: (n) => compacts(`${goodSummary}\nThe ${n}th.`) });
  const pinned = at.session.context.messages[0];
  pinMessage(0, at.session, at.deps);
  const text = String(pinned?.content[0]?.text);
  for (let n = 0; n < 2; n++) {
    await compactBy(at);
    const session = n === 0 ? at.session : at.reopened();
    await say(at, session);
    const [block, beside] = sent(at);
    expect(block?.content).toEqual([expect.objectContaining({ content: expect.stringContaining(`The ${n}th.`) })]);
    expect(beside?.content.some((part) => String(part.text).includes(text))).toBe(true);
    for (let more = 0; more < 6; more++) at.session.append({ type: 'message', message: user(prose(`more ${more}`)) });
  }
  expect(asksOfApi(at)).toBe(2);
  at.server.done();
});

test('a restart sends what the process before would have sent, byte for byte and with the header that its block needs', async () => {
  const at = await world({ summary: () => compacts(goodSummary) });
  await compactBy(at);
  const before = at.session.sent;
  await say(at, at.reopened(), 'and now?');
  const now = sent(at);
  await say(at, at.session, 'and now?');
  expect(bytesOf(now)).toBe(bytesOf(sent(at)));
  expect(before.messages.length).toBeGreaterThan(1);
  for (const { headers } of at.server.requests.slice(-2)) expect(headers['anthropic-beta']).toBe(BETA);
  at.server.done();
});

test('a rollback, its undo and a rewind each send the exact bytes of before, the block among them where it was', async () => {
  const at = await world({ summary: () => compacts(goodSummary) });
  const sentFor = async (): Promise<string> => {
    await say(at, at.session, 'the same question');
    const bytes = bytesOf(sent(at));
    const { id } = at.session.context.messages.findLast(({ origin }) => origin === 'user') ?? { id: '' };
    rewind(findMessage(id, at.session, at.deps), at.session, at.deps);
    return bytes;
  };
  const plain = await sentFor();
  const outcome = await compactBy(at);
  if (outcome.kind !== 'compacted') throw new Error(outcome.kind);
  const compacted = await sentFor();
  expect(compacted).toContain('"type":"compaction"');
  const { undo } = rollBack(findSnapshot(outcome.event.snapshotId, at.deps.disk.snapshots), at.session, at.deps);
  expect(await sentFor()).toBe(plain);
  rollBack(findSnapshot(undo, at.deps.disk.snapshots), at.session, at.deps);
  expect(await sentFor()).toBe(compacted);
  const [first] = at.store.records.flatMap((record) => (record.type === 'message' ? [record.message.id] : []));
  rewind(findMessage(first ?? '', at.session, at.deps), at.session, at.deps);
  await say(at, at.session, 'anew');
  expect(sent(at)).toHaveLength(1);
  expect(at.server.requests.at(-1)?.headers['anthropic-beta']).toBeUndefined();
  at.server.done();
});

test('a model that cannot take its block back gets the same text in words, and is never asked for one', async () => {
  const at = await world({
    summary: (_, byApi) => (byApi ? compacts(goodSummary) : replies(goodSummary)),
    takes: (model) => model === 'test',
  });
  await compactBy(at);
  at.session.switchModel('other');
  await say(at, at.session);
  expect(sent(at)[0]).toMatchObject({ role: 'user' });
  expect(bytesOf(sent(at)[0])).toContain('The model notes what matters about key decisions.');
  expect(bytesOf(sent(at)[0])).toContain('vendor/lib0.ts');
  expect(at.server.requests.at(-1)?.headers['anthropic-beta']).toBeUndefined();
  for (let more = 0; more < 6; more++) at.session.append({ type: 'message', message: user(prose(`more ${more}`)) });
  expect(await compactBy(at)).toMatchObject({ kind: 'compacted', event: { method: 'model' } });
  expect(asksOfApi(at)).toBe(1);
  expect(at.reopened().context).toEqual(at.session.context);
  at.server.done();
});
