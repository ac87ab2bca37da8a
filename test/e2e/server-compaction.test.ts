import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContentBlock, isCompaction, type WireMessage } from '../../src/domain/session/message.ts';
import { type FakeApi, type FakeApiOptions, startFakeApi } from '../support/fake-api.ts';
import { indexOf, placeHome } from '../support/home-fixture.ts';
import { createSandbox, type Ran, type Sandbox } from '../support/sanbot.ts';
import { replies, type Script, status } from '../support/scenario.ts';
import { root } from '../support/source.ts';
import { goodSummary } from '../support/summary.ts';

/* The home of 0.1.0 has a session whose history the API summarised and signed, when its user had set `compaction.method`. */
const fixture = join(root, 'test', 'fixtures', 'home-0.1.0');
const id = indexOf(fixture).sessions.server ?? '';
const WORDS = 'The model notes what matters about key decisions.';
const LEDGER = 'never open it at low tide';
const GONE = /^sanbot: [^\n]*config\.json: compaction\.method is ignored: it is no setting any more, [^\n]*\n/gm;

/** What the API of that session gave. */
const signed: ContentBlock[] = [];
const apis: FakeApi[] = [];
afterAll(() => Promise.all(apis.map((api) => api.close())));

async function start(turn: Script = () => replies('Fine.'), options: FakeApiOptions = {}) {
  const script: Script = (request, n) => (request.purpose === 'summary' ? replies(goodSummary) : turn(request, n));
  const api = await startFakeApi(script, { chunkBytes: 97, signed, ...options });
  apis.push(api);
  const env = {
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: 'test-key',
    SANBOT_CONTEXT_WINDOW: '16000',
    SANBOT_MODEL: 'claude-sonnet-5-5',
  };
  const say = (at: Sandbox, more: readonly string[] = ['--resume', id]): Promise<Ran> =>
    at.run(['-p', 'and now?', '--output-format', 'stream-json', ...more], { env });
  /** The newest request's messages, without the breakpoints that move. */
  const sent = (): readonly WireMessage[] =>
    (api.requests.at(-1)?.request.messages ?? []).map(({ role, content }) => ({
      role,
      content: content.map(({ cache_control: _, ...block }): ContentBlock => ({ ...block, type: block.type })),
    }));
  return { api, env, say, sent, beta: () => api.requests.at(-1)?.headers['anthropic-beta'] };
}

/** With the settings of that user, the one that is gone among them. */
function placed(): Sandbox {
  const world = createSandbox();
  placeHome(fixture, { home: world.home, cwd: join(world.cwd, 'theirs') });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction: { method: 'server' } }), { mode: 0o600 });
  return world;
}

beforeAll(() => {
  const world = placed();
  const log = world.records(`sessions/${id}/log.jsonl`);
  signed.push(...(JSON.stringify(log).match(/\{"type":"compaction"[^{}]*\}/g) ?? []).map((block): ContentBlock => JSON.parse(block)));
  expect(signed.filter(isCompaction)).toHaveLength(1);
});

describe('a session that holds a summary by the API', () => {
  test('sends it on, signed and unchanged, as a fork and after an import too; the setting that is gone is told in one line', async () => {
    const { api, say, sent, beta } = await start();
    const world = placed();
    const expectSent = (ran: Ran): void => {
      expect([ran.code, ran.err.match(GONE)?.length, ran.err.replace(GONE, '')]).toEqual([0, 1, '']);
      for (const line of ran.out.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('type');
      expect(sent()[0]).toEqual({ role: 'assistant', content: signed });
      expect(JSON.stringify(sent()[1])).toContain(LEDGER);
      expect(beta()).toBe('compact-2026-09-04');
      api.done();
    };
    const file = join(world.cwd, 'session.jsonl');
    expect(await world.run(['export', '--session', id, '-o', file])).toMatchObject({ code: 0 });
    expectSent(await say(world, ['--resume', id, '--fork']));
    // What is remembered meanwhile stands behind it.
    const forked = JSON.stringify(sent().slice(0, 3));
    expectSent(await say(world));
    expect(JSON.stringify(sent().slice(0, 3))).toBe(forked);
    const other = createSandbox();
    expect(await other.run(['import', file])).toMatchObject({ code: 0 });
    await say(other);
    expect(sent()[0]).toEqual({ role: 'assistant', content: signed });
    for (const at of [world, other]) expect(await at.run(['doctor'])).toMatchObject({ code: 0 });
  });

  test('is shown, compacted anew and rolled back like any other', async () => {
    const { api, env, say, sent, beta } = await start();
    const world = placed();
    const sentWords = () => JSON.stringify(sent().slice(0, 3));
    expect((await world.run(['show', `${id}:1`])).code).toBe(0);
    expect((await world.run(['history', '--session', id])).out).toContain('summarised by the API');
    await say(world);
    const before = sentWords();
    expect(await world.run(['compact', '--session', id], { env })).toMatchObject({ code: 0 });
    expect(JSON.stringify(api.requests.at(-1)?.request)).toContain(WORDS);
    expect(await world.run(['rollback', '--session', id, '--last', '--yes'], { env })).toMatchObject({ code: 0 });
    await say(world);
    expect(sentWords()).toBe(before);
    expect(beta()).toBe('compact-2026-09-04');
    api.done();
  });

  test('goes on with a model that takes no such summary: its words are sent, it is said once, and nothing is lost', async () => {
    const { api, say, sent, beta } = await start();
    const ran = await say(placed(), ['--resume', id, '--model', 'claude-opus-4-5']);
    expect(ran.out.match(/claude-opus-4-5 does not take the API's own summary, so its text is sent instead/g)).toHaveLength(1);
    expect(sent()[0]?.role).toBe('user');
    for (const words of ['[Compressed History]', WORDS, LEDGER]) expect(JSON.stringify(sent()[0])).toContain(words);
    expect(beta()).toBeUndefined();
    api.done();
  });

  test('goes on where the API does not take it back any more', async () => {
    const why = 'messages.0.content.0: compaction block has an invalid signature';
    const refused = status(400, 'invalid_request_error', why);
    const { say, sent, beta } = await start(({ messages }) => (messages[0]?.role === 'assistant' ? refused : replies('Fine.')));
    const world = placed();
    expect((await say(world)).out).toContain('"stopReason":"end_turn"');
    expect(beta()).toBeUndefined();
    expect(JSON.stringify(sent()[0])).toContain(WORDS);
  });

  test('goes on offline, and says once that its words are sent', async () => {
    const world = placed();
    const said: string[] = [];
    const env = { SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '16000' };
    for (let i = 0; i < 2; i++) {
      const ran = await world.run(['-p', 'status', '--resume', id, '--output-format', 'stream-json'], { env });
      expect(ran.code).toBe(0);
      said.push(ran.out);
    }
    expect(said[0]).toContain("does not take the API's own summary, so its text is sent instead");
    expect(said[1]).not.toContain("API's own summary");
  });
});
