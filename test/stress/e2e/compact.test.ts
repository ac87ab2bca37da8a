import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputJsonSync } from 'fs-extra/esm';
import { afterEach, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../../support/fake-api.ts';
import { binary, createSandbox, type Ran, type Sandbox } from '../../support/sanbot.ts';
import { replies, type Script } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';
import { type SpawnedTerminal, spawnInTerminal } from '../../support/terminal.ts';

let api: FakeApi | undefined;
let terminal: SpawnedTerminal | undefined;
afterEach(async () => {
  terminal?.kill('SIGKILL');
  await api?.close();
  api = undefined;
  terminal = undefined;
});

const prose = (about: string, sentences: number) =>
  Array.from({ length: sentences }, (_, i) => `${about} has a fact number ${i} that somebody may need later.`).join(' ');
const script: Script = (request, n) => (request.purpose === 'summary' ? replies(goodSummary) : replies(prose(`Answer ${n}`, 30)));

/** A session of three turns, of which a compaction keeps the last message or two. */
async function session(): Promise<{ readonly world: Sandbox; readonly id: string; readonly run: (...args: string[]) => Promise<Ran> }> {
  const world = createSandbox();
  const served = await startFakeApi(script, { home: world.home, key: 'test-key' });
  api = served;
  const settings = {
    compaction: { keepRecentMessages: 2, targetTokens: 1_000 },
    model: { price: { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 } },
  };
  outputJsonSync(join(world.home, 'config.json'), settings, { mode: 0o600 });
  const env = { ANTHROPIC_BASE_URL: served.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const run = (...args: string[]) => world.run(args, { env });
  for (const [n, more] of [[], ['--continue'], ['--continue']].entries()) {
    expect(await run('-p', `Tell me about part ${n}; never touch vendor/lib${n}.ts.`, ...more)).toMatchObject({ code: 0 });
  }
  return { world, id: world.names('sessions')[0] ?? '', run };
}

test('the summary is edited in the user’s editor, which has the terminal to itself, and typing works afterwards', async () => {
  const { world, id } = await session();
  const editor = join(world.cwd, 'editor');
  // It asks at the terminal, so it works only when nobody else reads the keys.
  writeFileSync(editor, '#!/bin/sh\nprintf "EDITOR READY "\nread line\necho "$line" >> "$1"\n');
  chmodSync(editor, 0o700);
  terminal = spawnInTerminal(process.execPath, [binary, '--resume', id], {
    cwd: world.cwd,
    env: {
      ...world.env,
      ANTHROPIC_BASE_URL: api?.url ?? '',
      ANTHROPIC_API_KEY: 'test-key',
      EDITOR: editor,
      SANBOT_MODEL: 'claude-sonnet-5-5',
    },
  });
  await terminal.waitFor('> ');
  terminal.send('/undo\r');
  await terminal.waitFor('Nothing to undo');
  terminal.send('/compact --preview\r');
  await terminal.waitFor('Edit the summary first');
  terminal.send('\x1b[B\x1b[B\r');
  await terminal.waitFor('EDITOR READY ');
  terminal.send('端口是 8123。\r');
  const shown = await terminal.waitFor('Edit the summary first');
  expect(shown).toContain('Summary, edited by you');
  expect(shown).toContain('端口是 8123。');
  terminal.send('\x1b[B\r');
  await terminal.waitFor('Compacted ');
  terminal.send('/quit\r');
  expect((await terminal.exit).exitCode).toBe(0);
  expect(world.read(`sessions/${id}/log.jsonl`)).toContain('端口是 8123。');
});
