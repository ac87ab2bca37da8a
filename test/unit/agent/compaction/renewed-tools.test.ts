import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { changeModel } from '../../../../src/agent/turn/change-model.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { TOOLS_NOTICE } from '../../../../src/context/prompt/prompt-changes.ts';
import type { SessionContext, ToolSpec } from '../../../../src/domain/session/context.ts';
import { type Message, textOf } from '../../../../src/domain/session/message.ts';
import { type AgentWish, createAgentWorld, replies, tool } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { goodSummary } from '../../../support/summary.ts';

const spec = (name: string, argument = 'path', description = `The ${name} tool.`): ToolSpec => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { [argument]: { type: 'string' } } },
});
const present = { system: 'The present prompt.', tools: [spec('read', 'path'), spec('edit', 'edits'), spec('fetch', 'url')] };
const talk: readonly Message[] = Array.from({ length: 12 }, (_, i) => [
  user(`ask${i} ${'word '.repeat(200)}`),
  calls({ id: `t${i}` }),
  answers({ id: `t${i}`, content: `read${i} ${'line '.repeat(200)}` }),
  says(`tell${i} ${'more '.repeat(200)}`),
]).flat();
const { signal } = new AbortController();

/** A session that began with an older list of tools. */
function older(base: Pick<SessionContext, 'system' | 'tools'> = present, wish: AgentWish = {}) {
  const old = [tool('read', () => 'ok'), tool('edit', () => 'ok'), tool('gone', () => 'ok')];
  const world = createAgentWorld({
    messages: talk,
    tools: old,
    canSummarise: true,
    ask: (request) => replies(request.purpose === 'summary' ? goodSummary : 'done'),
    ...wish,
    deps: { prompts: { base: () => base } },
  });
  const now = () =>
    ({ trigger: 'manual', reasons: [], instructions: undefined, limits: limitsOf(world.session, world.deps), signal }) as const;
  return { ...world, old, compactNow: () => compact(now(), world.session, world.deps) };
}
const noticesIn = ({ messages }: SessionContext): readonly string[] =>
  messages.filter(({ notice }) => notice === TOOLS_NOTICE).map(({ content }) => textOf(content));
const told =
  'Your list of tools has been renewed, and holds from here on. New: fetch. No longer there: gone. With other arguments: read, edit.';

describe('a session with an older list of tools', () => {
  test('keeps it, and its system prompt, in every request until the next compaction', async () => {
    const { session, deps, old, requests } = older();
    const { system, tools } = session.context;
    await runTurn('go on', session, deps, { maxSteps: 3, signal, tools: old });
    expect(requests.map((request) => request.tools)).toEqual([tools]);
    expect(session.context).toMatchObject({ system, tools });
    expect(noticesIn(session.context)).toEqual([]);
  });

  test('takes the present one with the compaction, is told what changed, and the summary was asked for with the old', async () => {
    const { session, deps, old, requests, compactNow, reopened } = older();
    const { tools } = session.context;
    expect(await compactNow()).toMatchObject({ kind: 'compacted' });
    expect(requests.map((request) => request.tools.length)).toEqual(
      requests.map(({ tools: { length } }) => (length === 0 ? 0 : tools.length)),
    );
    expect(session.context).toMatchObject(present);
    expect(noticesIn(session.context)).toEqual([told]);
    expect(session.context.messages[1]?.notice).toBe(TOOLS_NOTICE);
    await runTurn('go on', session, deps, { maxSteps: 3, signal, tools: old });
    expect(requests.at(-1)?.tools).toEqual(present.tools);
    expect(reopened().context).toEqual(session.context);
  });

  test('is told once: the next compaction changes nothing of it, and keeps what was said', async () => {
    const { session, deps, old, compactNow } = older();
    await compactNow();
    const { system, tools } = session.context;
    for (let i = 0; i < 12; i++) await runTurn(`again ${i} ${'word '.repeat(300)}`, session, deps, { maxSteps: 3, signal, tools: old });
    expect(await compactNow()).toMatchObject({ kind: 'compacted' });
    expect(session.context).toMatchObject({ system, tools });
    expect(noticesIn(session.context)).toEqual([told]);
  });

  test('whose list is the present one is told nothing, and keeps its prompt to the byte', async () => {
    const world = older();
    const { system, tools } = world.session.context;
    const same = older({ system: 'Another prompt.', tools });
    expect(await same.compactNow()).toMatchObject({ kind: 'compacted' });
    expect(same.session.context).toMatchObject({ system, tools });
    expect(noticesIn(same.session.context)).toEqual([]);
  });
});

describe('a change to a model with a smaller window', () => {
  const full = { system: 'A prompt of many words. '.repeat(200), tools: [spec('read', 'path', 'Long. '.repeat(700)), spec('fetch')] };
  const short = { system: 'A prompt.', tools: [spec('read')] };
  const windows: Readonly<Record<string, number>> = { test: 400_000, small: 8_000, alike: 400_000 };
  const facts = (model: string) => ({ windowTokens: windows[model] ?? 0, assumed: false, maxOutputTokens: 1_000, costUsd: () => 0.01 });
  const forms = (model: string) => ((windows[model] ?? 0) < 16_000 ? short : full);
  function inFull(messages: readonly Message[]) {
    const world = older(full, { messages });
    const deps = { ...world.deps, model: { ...world.deps.model, facts }, prompts: { ...world.deps.prompts, base: forms } };
    world.session.append({ type: 'checkpoint', reason: 'repeat', context: { ...world.session.context, ...full } });
    return { ...world, deps };
  }

  test('takes the form for that window with the compaction that makes room', async () => {
    const { session, deps, events } = inFull(talk);
    await changeModel('small', session, deps, signal);
    expect(events.filter(({ type }) => type === 'compacted')).not.toEqual([]);
    expect(session.context).toMatchObject(short);
    expect(session.estimate.count().tokens).toBeLessThanOrEqual(limitsOf(session, deps).hardTokens);
  });

  test('takes it too where the conversation fits as it is, in the same step, and nothing of the conversation is lost', async () => {
    const { session, deps, events, reopened } = inFull(talk.slice(0, 4));
    const { messages } = session.context;
    await changeModel('small', session, deps, signal);
    expect(events.map(({ type }) => type)).toEqual(['model_changed']);
    expect(session.context).toMatchObject(short);
    expect(session.context.messages.filter(({ notice }) => notice === undefined)).toEqual(messages);
    expect(noticesIn(session.context)).toEqual(['Your list of tools has been renewed, and holds from here on. No longer there: fetch.']);
    expect(reopened().context).toEqual(session.context);
  });

  test('leaves the form alone where the window is no smaller', async () => {
    const { session, deps } = inFull(talk.slice(0, 4));
    const { system, tools, messages } = session.context;
    await changeModel('alike', session, deps, signal);
    expect(session.context).toMatchObject({ system, tools, messages });
  });
});
