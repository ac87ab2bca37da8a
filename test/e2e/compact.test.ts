import { join } from 'node:path';
import { outputJsonSync } from 'fs-extra/esm';
import { afterEach, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { prose } from '../support/loopback.ts';
import { createSandbox } from '../support/sanbot.ts';
import { replies, type Script } from '../support/scenario.ts';
import { goodSummary } from '../support/summary.ts';
import type { SpawnedTerminal } from '../support/terminal.ts';
import { threeTurns } from '../support/three-turns.ts';

let api: FakeApi | undefined;
let terminal: SpawnedTerminal | undefined;
afterEach(async () => {
  terminal?.kill('SIGKILL');
  await api?.close();
  api = undefined;
  terminal = undefined;
});

const session = async () => {
  const started = await threeTurns();
  api = started.api;
  return started;
};

test('a session is compacted from outside: looked at first, then done, read about, undone, and done again [F13, F14, C100, C123]', async () => {
  const { world, id, run } = await session();
  const log = () => world.read(`sessions/${id}/log.jsonl`);
  const before = log();

  const shown = await run('compact', '--session', id, '--preview', '--instructions', 'the port numbers');
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.out).toMatch(/Summary, by the model:\n {2}\| ## Technical Context/);
  expect(shown.out).toMatch(/Leaving the context: 4 messages of 6\n {2}- you: Tell me about part 0/);
  expect(shown.out).toMatch(/cost {6}[\d,]+ tokens, \$0\.\d{4}/);
  expect(shown.out).toMatch(/Discarded; the context is unchanged\. The summary cost \$0\.\d{4}\./);
  expect(shown.err).toContain('--preview --yes');
  expect(JSON.stringify(api?.requests.at(-1))).toContain('the port numbers');
  expect(log()).toBe(before);
  expect(world.names('memory/session-summaries')).toEqual([]);
  expect(world.names('groups/main/conversations')).toEqual([]);

  const done = JSON.parse((await run('compact', '--session', id, '--preview', '--yes', '--json')).out);
  expect(done).toMatchObject({ compacted: true, method: 'model', messagesBefore: 6, messagesKept: 2 });
  expect(done.costUsd).toBeGreaterThan(0);

  const read = await run('history', '--session', id, '--snapshot', done.snapshot);
  expect(read.out).toMatch(/kept {8}2 messages unchanged[\s\S]*summarised {2}4 messages[\s\S]*archive {5}\/.*conversations\/.*\.md/);
  const receipt = JSON.parse((await run('history', '--session', id, '--snapshot', done.snapshot, '--json')).out);
  expect(receipt).toMatchObject({
    id: done.snapshot,
    outcome: { messages: 3 },
    receipt: { v: 1, trigger: 'manual', costUsd: done.costUsd },
  });

  const undone = JSON.parse((await run('rollback', '--session', id, '--last', '--yes', '--json')).out);
  expect(undone).toMatchObject({ restored: done.snapshot, messages: 6 });
  const redone = JSON.parse((await run('rollback', '--session', id, '--last', '--yes', '--json')).out);
  expect(redone).toMatchObject({ restored: undone.undo, messages: 3 });
});

test('what cannot be done from outside says why, and a preview as JSON is the object alone', async () => {
  const { world, id, run } = await session();
  const before = world.read(`sessions/${id}/log.jsonl`);
  const preview = JSON.parse((await run('compact', '--session', id, '--preview', '--json')).out);
  expect(preview).toMatchObject({ compacted: false, preview: { method: 'model', messagesBefore: 6, messagesKept: 2 } });
  expect(world.read(`sessions/${id}/log.jsonl`)).toBe(before);
  expect(await run('rollback', '--session', id, '--last', '--yes')).toMatchObject({ code: 3 });
  expect(await run('history', '--session', id, '--snapshot', `${id}x`)).toMatchObject({ code: 3 });
});

test('with compaction.background the summary is there before the hard limit, which asks for no other [X8]', async () => {
  const world = createSandbox({ SANBOT_CONTEXT_WINDOW: '16000' });
  let summaries = 0;
  const turns: Script = (request, n) => {
    if (request.purpose !== 'summary') return replies(prose(`Answer ${n}`, 40));
    summaries += 1;
    return replies(goodSummary);
  };
  const served = await startFakeApi(turns, { home: world.home, key: 'test-key' });
  api = served;
  const settings = { compaction: { background: true, keepRecentMessages: 2, targetTokens: 1_000 } };
  outputJsonSync(join(world.home, 'config.json'), settings, { mode: 0o600 });
  const terminal = await world.runAtTerminal([], {
    env: { ANTHROPIC_BASE_URL: served.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' },
  });
  await terminal.waitFor('> ');
  for (let turn = 0; turn < 40 && !terminal.text().includes('Compacted '); turn++) {
    terminal.send(`Tell me about part ${turn}.\r`);
    await terminal.waitFor(/ · \d+ steps?\b/);
  }
  const text = terminal.text();
  expect(text.indexOf('in the background, ready for when room')).toBeGreaterThan(0);
  expect(text.indexOf('in the background, ready for when room')).toBeLessThan(text.indexOf('Compacted '));
  const [id = ''] = world.names('sessions');
  const types = world.records('context/events.jsonl').map(({ type }) => type);
  expect(types.filter((type) => type === 'summary_prepared' || type === 'compacted')).toEqual(['summary_prepared', 'compacted']);
  expect(world.read(`sessions/${id}/log.jsonl`)).toContain('The model notes what matters about key decisions.');
  expect(summaries).toBe(1);
  terminal.send('/quit\r');
  await terminal.exit;
});

test('what the user wants kept stands in the summary that a model wrote, beside the rules, and no mode of the command', async () => {
  const { world, id, run } = await session();
  expect(await run('compact', '--session', id, '--instructions', 'the port numbers and the word ZEBRA-77')).toMatchObject({ code: 0 });
  const history = world.read(`memory/session-summaries/${id}.md`);
  expect(history).toContain('## User Preferences\n');
  expect(history).toContain('- The user asked to keep: "the port numbers and the word ZEBRA-77"\n');
  expect(history).toContain('- "Tell me about part 0; never touch vendor/lib0.ts."\n');
  expect(history).not.toContain('permission mode');
});

test('how many messages stay, how long the summary may be and who writes it are said for this once', async () => {
  const { id, run } = await session();
  expect(await run('compact', '--session', id, '--keep', 'few')).toMatchObject({ code: 2 });
  const once = ['--keep', '4', '--target', '2000', '--model', 'test-other', '--preview', '--json'];
  const preview = JSON.parse((await run('compact', '--session', id, ...once)).out);
  expect(preview).toMatchObject({ preview: { messagesBefore: 6, messagesKept: 4 } });
});

test('a pinned message is not among what a preview says leaves the context', async () => {
  const { world, id, run } = await session();
  const terminal = await world.runAtTerminal(['--continue'], {
    env: { ANTHROPIC_BASE_URL: api?.url ?? '', ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' },
  });
  await terminal.waitFor('> ');
  terminal.send('/pin 1\r');
  await terminal.waitFor('Pinned message 1');
  terminal.send('/quit\r');
  await terminal.exit;
  const shown = await run('compact', '--session', id, '--preview');
  expect(shown.out).toMatch(/Leaving the context: 3 messages of 6\n/);
  expect(shown.out).not.toMatch(/- you: Tell me about part 0/);
});
