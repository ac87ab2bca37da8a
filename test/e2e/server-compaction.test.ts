import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContentBlock, WireMessage } from '../../src/domain/session/message.ts';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { indexOf, placeHome } from '../support/home-fixture.ts';
import { createSandbox, type Ran, type Sandbox } from '../support/sanbot.ts';
import { replies, type Script } from '../support/scenario.ts';
import { root } from '../support/source.ts';
import { goodSummary } from '../support/summary.ts';

/* The home of 0.1.0 has a session whose history the API summarised and signed, when its user had set `compaction.method`. */
const fixture = join(root, 'test', 'fixtures', 'home-0.1.0');
const id = indexOf(fixture).sessions.server ?? '';
const WORDS = 'The model notes what matters about key decisions.';
const LEDGER = 'never open it at low tide';
const GONE = /^sanbot: [^\n]*config\.json: compaction\.method is ignored: it is no longer a setting, [^\n]*\n/gm;

const apis: FakeApi[] = [];
afterAll(() => Promise.all(apis.map((api) => api.close())));

async function start() {
  const script: Script = ({ purpose }) => replies(purpose === 'summary' ? goodSummary : 'Fine.');
  const api = await startFakeApi(script, { chunkBytes: 97 });
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
  const expectWords = (): void => {
    expect(sent()[0]?.role).toBe('user');
    for (const words of ['[Compressed History]', WORDS, LEDGER]) expect(JSON.stringify(sent()[0])).toContain(words);
    expect(JSON.stringify(sent())).not.toContain('"type":"compaction"');
    expect(api.requests.at(-1)?.headers['anthropic-beta']).toBeUndefined();
  };
  return { api, env, say, sent, expectWords };
}

/** With the settings of that user, the one that is gone among them. */
function placed(): Sandbox {
  const world = createSandbox();
  placeHome(fixture, { home: world.home, cwd: join(world.cwd, 'theirs') });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction: { method: 'server' } }), { mode: 0o600 });
  return world;
}

beforeAll(() => {
  const log = JSON.stringify(placed().records(`sessions/${id}/log.jsonl`));
  expect(new Set(log.match(/\{"type":"compaction"[^{}]*\}/g))).toHaveProperty('size', 1);
});

describe('a session that holds a summary by the API', () => {
  test('sends its words, as a fork and after an import too; the setting that is gone is told in one line', async () => {
    const { api, say, sent, expectWords } = await start();
    const world = placed();
    const expectSent = (ran: Ran): void => {
      expect([ran.code, ran.err.match(GONE)?.length, ran.err.replace(GONE, '')]).toEqual([0, 1, '']);
      for (const line of ran.out.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('type');
      expectWords();
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
    expectWords();
    for (const at of [world, other]) expect(await at.run(['doctor'])).toMatchObject({ code: 0 });
  });

  test('is shown, compacted anew and rolled back like any other', async () => {
    const { api, env, say, sent } = await start();
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
    api.done();
  });

  test('goes on with another model: its words are sent', async () => {
    const { api, say, expectWords } = await start();
    expect((await say(placed(), ['--resume', id, '--model', 'claude-opus-4-5'])).code).toBe(0);
    expectWords();
    api.done();
  });

  test('goes on offline', async () => {
    const env = { SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '16000' };
    expect((await placed().run(['-p', 'status', '--resume', id], { env })).code).toBe(0);
  });
});
