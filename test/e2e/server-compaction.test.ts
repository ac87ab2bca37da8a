import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { createSandbox, type Ran, type Sandbox } from '../support/sanbot.ts';
import { compacts, replies } from '../support/scenario.ts';
import { goodSummary } from '../support/summary.ts';

const prose = (about: string, sentences: number) =>
  Array.from({ length: sentences }, (_, i) => `${about} has a fact number ${i} that somebody may need later.`).join(' ');

/** A session whose history the API has summarised; one strict API that has seen all of it. */
let api: FakeApi;
let sandbox: Sandbox;
let id: string;
let file: string;

const serverMethod = (at: Sandbox): void => {
  mkdirSync(at.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(at.home, 'config.json'), JSON.stringify({ compaction: { method: 'server' } }), { mode: 0o600 });
};
const sayIn = (at: Sandbox, prompt: string, more: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  at.run(['-p', prompt, '--output-format', 'stream-json', '--permission-mode', 'bypass', ...more], {
    env: {
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'test-key',
      SANBOT_CONTEXT_WINDOW: '16000',
      SANBOT_MODEL: 'claude-sonnet-5-5',
      ...env,
    },
  });
const lastSent = () => api.requests.at(-1);
/** What stands in the newest request before what was asked last. */
const sentBefore = (): string => JSON.stringify(lastSent()?.request.messages.slice(0, -1));

beforeAll(async () => {
  let answered = 0;
  api = await startFakeApi(({ purpose }) => (purpose === 'summary' ? compacts(goodSummary) : replies(prose(`Answer ${answered++}`, 150))), {
    chunkBytes: 97,
  });
  sandbox = createSandbox();
  serverMethod(sandbox);
  await sayIn(sandbox, 'Tell me about part 0; never touch vendor/lib.ts.', []);
  for (let i = 1; i < 12 && lastSent()?.request.messages[0]?.role !== 'assistant'; i++)
    await sayIn(sandbox, `Tell me about part ${i}. ${prose('My question', 20)}`, ['--continue']);
  id = sandbox.names('sessions')[0] ?? '';
  file = join(sandbox.cwd, 'session.jsonl');
  expect(await sandbox.run(['export', '--session', id, '-o', file])).toMatchObject({ code: 0 });
});
afterAll(() => api.close());

/** The API takes back only what it gave: here its block and all behind it are what was sent before. */
const expectSameBlock = (ran: Ran, block: unknown): void => {
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect(lastSent()?.request.messages[0]).toEqual(block);
  expect(lastSent()?.headers['anthropic-beta']).toBe('compact-2026-09-04');
  api.done();
};

describe('a session that holds a summary by the API', () => {
  test('sends the block on, signed and unchanged, after an import into another home, and as a fork', async () => {
    const block = lastSent()?.request.messages[0];
    expect(block).toMatchObject({
      role: 'assistant',
      content: [{ type: 'compaction', content: goodSummary, signature: expect.any(String) }],
    });
    const other = createSandbox();
    serverMethod(other);
    expect(await other.run(['import', file])).toMatchObject({ code: 0 });
    expectSameBlock(await sayIn(other, 'and now?', ['--resume', id]), block);
    const imported = sentBefore();
    expectSameBlock(await sayIn(sandbox, 'and now?', ['--resume', id, '--fork']), block);
    expect(sentBefore()).toBe(imported);
    for (const at of [sandbox, other]) expect(await at.run(['doctor'])).toMatchObject({ code: 0 });
  });

  test('goes on with a model that has no such compaction: its words are sent, it is said once, and nothing is lost', async () => {
    const ran = await sayIn(sandbox, 'and now?', ['--resume', id, '--fork', '--model', 'claude-opus-4-5']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(ran.out.match(/claude-opus-4-5 does not take the API's own summary, so its text is sent instead/g)).toHaveLength(1);
    const [first] = lastSent()?.request.messages ?? [];
    expect(first?.role).toBe('user');
    for (const words of ['[Compressed History]', 'notes what matters about key decisions', 'never touch vendor/lib.ts'])
      expect(JSON.stringify(first)).toContain(words);
    expect(lastSent()?.headers['anthropic-beta']).toBeUndefined();
    api.done();
  });

  test('goes on offline, where summaries are made by rule: said once, with what is done instead', async () => {
    const other = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '16000' });
    serverMethod(other);
    await other.run(['import', file]);
    const asked = api.requests.length;
    const said: string[] = [];
    for (let i = 0; i < 3; i++) {
      const ran = await other.run(['-p', 'status', '--resume', id, '--output-format', 'stream-json']);
      expect(ran.code).toBe(0);
      said.push(ran.out + ran.err);
    }
    const compacted = await other.run(['compact', '--session', id]);
    expect(compacted).toMatchObject({ code: 0 });
    expect(said[0]).toContain("does not take the API's own summary, so its text is sent instead");
    expect(said.slice(1).join()).not.toContain("API's own summary");
    expect(api.requests).toHaveLength(asked);
    expect(compacted.out).toContain('Compacted ');
    expect(
      compacted.err.match(/compaction.method is "server", but offline has no such compaction.*compacts this session itself/g),
    ).toHaveLength(1);
    expect(await other.run(['doctor'])).toMatchObject({ code: 0 });
  });
});
