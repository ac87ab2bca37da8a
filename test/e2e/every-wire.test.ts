import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isToolResult, textOf } from '../../src/domain/session/message.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { chatWire } from '../support/fake-chat.ts';
import { startFakeResponses } from '../support/fake-responses.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { callsTool, fails, overflows, replies, type Script } from '../support/scenario.ts';
import { goodSummary } from '../support/summary.ts';

const WINDOW = 16_000;
const RULE = 'Rule: 表名不许改, never rename a table.';
const FACT = 'The port of the billing service is 48123.';

type Served = { readonly env: Readonly<Record<string, string>>; readonly done: () => void; readonly close: () => Promise<void> };
type Wire = { readonly name: string; readonly serve: (script: Script, home: string) => Promise<Served> };

/** Every API that SanBot speaks, each behind the strict fake that plays the same scenario. */
const wires: readonly Wire[] = [
  {
    name: 'the Messages API',
    serve: async (script, home) => {
      const api = await startFakeApi(script, { home, windowTokens: WINDOW });
      return { ...api, env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'k', SANBOT_MODEL: 'm' } };
    },
  },
  {
    name: 'chat completions',
    serve: async (script, home) => {
      const api = await startFakeApi(script, { home, windowTokens: WINDOW, wire: chatWire() });
      return { ...api, env: { SANBOT_PROVIDER: 'openai-chat', OPENAI_BASE_URL: `${api.url}/v1`, OPENAI_API_KEY: 'k', SANBOT_MODEL: 'm' } };
    },
  },
  {
    name: 'the Responses API',
    serve: async (script) => {
      const api = await startFakeResponses(script, { windowTokens: WINDOW });
      return { ...api, env: { SANBOT_PROVIDER: 'openai-responses', OPENAI_BASE_URL: api.url, OPENAI_API_KEY: 'k', SANBOT_MODEL: 'm' } };
    },
  },
];

const prose = (about: string): string => Array.from({ length: 60 }, (_, i) => `${about} has a part ${i} that matters.`).join(' ');

/** A model that does what it is told, summarises while it can, and once finds a request too long in the middle of a turn. */
function createModel(): { readonly script: Script; readonly mood: { summaries: boolean; overflow: boolean } } {
  const mood = { summaries: true, overflow: false };
  const script: Script = ({ purpose, messages }) => {
    if (purpose === 'summary') return mood.summaries ? replies(goodSummary) : fails('model_failed', 'no summaries today');
    const last = messages.at(-1)?.content ?? [];
    if (last.some(isToolResult)) {
      if (!mood.overflow) return replies('The file says so.', { thinking: 'I have read it.' });
      mood.overflow = false;
      return overflows(WINDOW + 900, WINDOW);
    }
    const asked = textOf(last);
    const file = /read (part\d+\.txt)/.exec(asked)?.[1];
    if (file !== undefined) return callsTool('read_file', { path: file }, undefined, { thinking: 'Read it first.' });
    return asked.includes('recall') ? callsTool('recall', { query: 'port billing service' }) : replies(prose('The answer'));
  };
  return { script, mood };
}

/** The messages as the log of the only session has them now. */
const messagesIn = (world: Sandbox): readonly string[] => {
  const log = world.records(`sessions/${world.names('sessions')[0]}/log.jsonl`);
  const newest = log.findLastIndex((record) => record.type === 'checkpoint');
  const kept: readonly unknown[] = Object(log[newest]?.context).messages ?? [];
  return [...kept, ...log.slice(newest + 1).flatMap((record) => (record.type === 'message' ? [record.message] : []))].map((message) =>
    JSON.stringify(message),
  );
};
const idsOf = (messages: readonly string[]): readonly string[] => messages.map((message) => JSON.parse(message).id);

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe.each(wires)('over $name', ({ serve }) => {
  test('forty requests: results go to files, compactions by model and by rule, an overflow in mid-turn, pins, recall, rollback and resume', async () => {
    const world = createSandbox({ SANBOT_CONTEXT_WINDOW: `${WINDOW}`, SANBOT_COMPACT_RETRY_COUNT: '0' });
    const model = createModel();
    const served = await serve(model.script, world.home);
    closers.push(served.close);
    const { env } = served;
    for (let i = 0; i < 40; i++) writeFileSync(join(world.cwd, `part${i}.txt`), `line of part ${i}, 第${i}部分\n`.repeat(500));

    const terminal = await world.runAtTerminal(['--permission-mode', 'bypass'], { env });
    const say = async (line: string): Promise<void> => {
      terminal.send(`${line}\r`);
      await terminal.waitFor(/context [\d,]+ of 16,000 tokens/);
    };
    await terminal.waitFor('> ');
    await say(RULE);
    terminal.send('/pin 1\r');
    await terminal.waitFor('Pinned message 1');
    await say(FACT);
    for (let i = 2; i < 39; i++) {
      model.mood.overflow ||= i === 21;
      // The model summarises from the overflow on; before, rules do.
      model.mood.summaries = i >= 21;
      if (i === 20) {
        terminal.send('/compact\r');
        await terminal.waitFor(/Compacted [\d,]+ -> /);
      }
      await say(i % 2 === 0 ? `tell me about ${i}` : `read part${i}.txt`);
    }
    terminal.send('/quit\r');
    expect((await terminal.exit).exitCode).toBe(0);

    const events = world.records('context/events.jsonl');
    const of = (type: string) => events.filter((event) => event.type === type);
    expect(of('turn_ended').map(({ stopReason }) => stopReason)).toEqual(Array(39).fill('end_turn'));
    expect(of('overflow')).toHaveLength(1);
    expect(of('offloaded').length).toBeGreaterThan(5);
    expect(new Set(of('compacted').map(({ method }) => method))).toEqual(new Set(['model', 'rules_degraded']));
    for (const { tokens } of of('request')) expect(Number(tokens)).toBeLessThanOrEqual(WINDOW);

    // Resumed: what left the context long ago is found, and what is pinned is in it.
    const recalled = await world.run(['-p', 'recall the port', '--continue', '--output-format', 'stream-json'], { env });
    expect([recalled.code, recalled.err]).toEqual([0, '']);
    expect(messagesIn(world).at(-2)).toContain('48123');
    expect(messagesIn(world).join('\n')).toContain(RULE);

    const [id = ''] = world.names('sessions');
    const history: readonly { readonly id: string; readonly kind: string }[] = JSON.parse(
      (await world.run(['history', '--session', id, '--json'])).out,
    );
    const [snapshot] = history.filter(({ kind }) => kind === 'snapshot');
    const before = messagesIn(world);
    const stored = (name: string) =>
      world
        .records(`memory/session-summaries/${name}.jsonl`)
        .flatMap(({ type, message }) => (type === 'message' ? [JSON.stringify(message)] : []));
    const rolled = JSON.parse((await world.run(['rollback', '--snapshot', snapshot?.id ?? '', '--yes', '--json'], { env })).out);
    expect(messagesIn(world)).toEqual(stored(snapshot?.id ?? ''));
    expect((await world.run(['-p', 'read part3.txt', '--continue'], { env })).code).toBe(0);
    expect((await world.run(['rollback', '--snapshot', rolled.undo, '--yes'], { env })).code).toBe(0);
    expect(idsOf(messagesIn(world))).toEqual(idsOf(before));
    expect((await world.run(['-p', 'tell me more', '--continue'], { env })).code).toBe(0);
    served.done();
  }, 240_000);
});
