import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isToolResult, resultText } from '../../../src/domain/session/message.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { chatWire } from '../../support/fake-chat.ts';
import { startFakeResponses } from '../../support/fake-responses.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { callsTool, callsTools, overflows, replies, type Script } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';

/** A server that speaks one wire, and the variables that lead to it. */
type Served = { readonly env: Readonly<Record<string, string>>; readonly done: () => void; readonly close: () => Promise<void> };
type Wire = { readonly name: string; readonly model: string; readonly serve: (script: Script) => Promise<Served> };

const WINDOW = 24_000;
const MODEL = 'road-model';

/** What every wire must carry: a new one is added here, and nowhere below. */
const wires: readonly Wire[] = [
  {
    name: 'the Messages API',
    model: MODEL,
    serve: async (script) => {
      const { url, ...api } = await startFakeApi(script, { windowTokens: WINDOW });
      return { ...api, env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'key' } };
    },
  },
  {
    name: 'chat completions',
    model: MODEL,
    serve: async (script) => {
      const { url, ...api } = await startFakeApi(script, { windowTokens: WINDOW, wire: chatWire() });
      return { ...api, env: { SANBOT_PROVIDER: 'openai-chat', OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'key' } };
    },
  },
  {
    name: 'the Responses API',
    model: MODEL,
    serve: async (script) => {
      const { url, ...api } = await startFakeResponses(script, { windowTokens: WINDOW });
      return { ...api, env: { SANBOT_PROVIDER: 'openai-responses', OPENAI_BASE_URL: url, OPENAI_API_KEY: 'key' } };
    },
  },
];

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const TURNS = 40;
/** From here on, as soon as there is much in the context. */
const OVERFLOW_FROM = 12;
const RECALL_AT = 33;
/** Said and pinned before the first turn. */
const RULE = 'Rule: 表名不许改, never rename a table.';
const fileOf = (turn: number): string => `part-${turn}.txt`;
const codeOf = (turn: number): string => `code-${turn}-${(turn * 7919) % 10_007}`;

/** No file makes it shorter: only a summary does. */
const talk = (turn: number): string => `Of part ${turn} there is more to say than of the one before. `.repeat(60);

/** Says the rule at a terminal, pins it, and leaves. */
async function pinRule(world: Sandbox, env: Readonly<Record<string, string>>): Promise<void> {
  const terminal = await world.runAtTerminal([], { env });
  await terminal.waitFor('> ');
  terminal.send(`${RULE}\r`);
  await terminal.waitFor('Understood.');
  await terminal.waitFor(/\d steps?\b/);
  terminal.send('/pin 1\r');
  await terminal.waitFor('Pinned message 1');
  terminal.send('/quit\r');
  expect((await terminal.exit).exitCode).toBe(0);
}

/** Reads one file a turn, sometimes two at once; is told in the middle of a turn that the request is too long; recalls what has left. */
function traveller(): { readonly script: Script; readonly begin: (turn: number) => void } {
  let turn = 0;
  let step = 0;
  let hasOverflowed = false;
  const script: Script = ({ purpose, messages }) => {
    if (purpose === 'summary') return replies(goodSummary);
    step += 1;
    if (turn === 0) return replies('Understood.');
    if (step === 1 && turn === RECALL_AT) return callsTool('recall', { query: codeOf(2) }, undefined, { thinking: 'What was it?' });
    if (step === 1) {
      const files = turn % 5 === 0 ? [turn, turn - 1] : [turn];
      const calls = files.map((one) => ({ name: 'read_file', input: { path: fileOf(one) } }));
      return callsTools(calls, { thinking: `Read ${files.length}.` });
    }
    if (step === 2 && !hasOverflowed && turn >= OVERFLOW_FROM && JSON.stringify(messages).length > WINDOW * 1.25) {
      hasOverflowed = true;
      return overflows(WINDOW + 900, WINDOW);
    }
    const seen = messages.flatMap(({ content }) => content.filter(isToolResult).map(resultText)).join('\n');
    const code = codeOf(turn === RECALL_AT ? 2 : turn);
    return replies(`Turn ${turn} found ${seen.includes(code) ? code : 'nothing'}. ${talk(turn)}`, { thinking: 'That is it.' });
  };
  const begin = (next: number): void => {
    turn = next;
    step = 0;
  };
  return { script, begin };
}

async function travel({ serve, model }: Wire, compaction: object = {}) {
  const world = createSandbox();
  for (let turn = 0; turn <= TURNS; turn++)
    writeFileSync(join(world.cwd, fileOf(turn)), `${`Line of part ${turn}, of some length.\n`.repeat(90)}${codeOf(turn)}\n`);
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction: { softWindow: 0, ...compaction } }), { mode: 0o600 });
  const { script, begin } = traveller();
  const served = await serve(script);
  closers.push(served.close);
  const env = { ...served.env, SANBOT_MODEL: model, SANBOT_CONTEXT_WINDOW: String(WINDOW) };
  const say = async (text: string, ...more: readonly string[]): Promise<string> => {
    const ran = await world.run(['-p', text, ...more], { env });
    expect([text, ran.code, ran.err]).toEqual([text, 0, expect.not.stringContaining('sanbot:')]);
    return ran.out;
  };
  await pinRule(world, env);
  let found = 0;
  for (let turn = 1; turn <= TURNS; turn++) {
    begin(turn);
    const out = await say(`turn ${turn}: read ${fileOf(turn)}`, '--continue');
    expect(out).toContain(`Turn ${turn} found ${turn === RECALL_AT ? codeOf(2) : ''}`);
    found += out.includes('code-') ? 1 : 0;
  }
  // Under pressure a fresh result may be a stub at once; the model would read it back.
  expect(found).toBeGreaterThan(TURNS * 0.8);
  const events = world.records('context/events.jsonl');
  expect(messagesIn(world).join('\n')).toContain(RULE);
  for (const { type, tokens } of events) if (type === 'request') expect(Number(tokens)).toBeLessThanOrEqual(WINDOW);
  return { world, env, say, begin, served, of: (type: string) => events.filter((event) => event.type === type) };
}

const sessionOf = (world: Sandbox): string => world.names('sessions')[0] ?? '';

/** The messages of the session as its log has them now. */
const messagesIn = (world: Sandbox): readonly string[] => {
  const log = world.records(`sessions/${sessionOf(world)}/log.jsonl`);
  const newest = log.findLastIndex((record) => record.type === 'checkpoint');
  const kept: readonly unknown[] = Object(log[newest]?.context).messages ?? [];
  return [...kept, ...log.slice(newest + 1).flatMap((record) => (record.type === 'message' ? [record.message] : []))].map((message) =>
    JSON.stringify(message),
  );
};
const snapshotMessages = (world: Sandbox, id: string): readonly string[] =>
  world
    .records(`memory/session-summaries/${id}.jsonl`)
    .flatMap((record) => (record.type === 'message' ? [JSON.stringify(record.message)] : []));

describe.each(wires)('the whole road over $name', (wire) => {
  test('forty requests: compacted by the model, an overflow in mid-turn healed, a pin kept, recalled, and every snapshot restored to the byte', async () => {
    const { world, env, say, begin, served, of } = await travel(wire);
    expect(of('turn_ended').map(({ stopReason }) => stopReason)).toEqual(Array(TURNS + 1).fill('end_turn'));
    expect(of('overflow')).toHaveLength(1);
    expect(of('compaction_failed')).toEqual([]);
    expect(of('compacted').length).toBeGreaterThanOrEqual(2);
    expect(new Set(of('compacted').map(({ method }) => method))).toEqual(new Set(['model']));

    const history: readonly { readonly id: string; readonly kind: string; readonly messages: number }[] = JSON.parse(
      (await world.run(['history', '--session', sessionOf(world), '--json'], { env })).out,
    );
    const [first] = history.filter(({ kind }) => kind === 'snapshot');
    const before = messagesIn(world);
    const rolled = await world.run(['rollback', '--snapshot', first?.id ?? '', '--yes', '--json'], { env });
    expect(JSON.parse(rolled.out)).toMatchObject({ restored: first?.id, messages: first?.messages });
    expect(messagesIn(world)).toEqual(snapshotMessages(world, first?.id ?? ''));
    // The past of the snapshot goes out as it was, reasoning included, and is answered.
    begin(TURNS);
    expect(await say(`turn ${TURNS}: again`, '--continue')).toContain(codeOf(TURNS));
    const { undo } = JSON.parse(rolled.out);
    expect((await world.run(['rollback', '--snapshot', undo, '--yes'], { env })).code).toBe(0);
    expect(messagesIn(world)).toEqual(before);
    served.done();
  });

  test('the same where rules summarise, and large results go to files', async () => {
    const { of, served } = await travel(wire, { useLLMSummary: false });
    expect(of('turn_ended').map(({ stopReason }) => stopReason)).toEqual(Array(TURNS + 1).fill('end_turn'));
    expect(of('offloaded').length).toBeGreaterThanOrEqual(1);
    expect(of('compacted').length).toBeGreaterThanOrEqual(1);
    expect(new Set(of('compacted').map(({ method }) => method))).toEqual(new Set(['rules']));
    served.done();
  });
});
