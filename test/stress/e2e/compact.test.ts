import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { FakeApi } from '../../support/fake-api.ts';
import { binary } from '../../support/sanbot.ts';
import { type SpawnedTerminal, spawnInTerminal } from '../../support/terminal.ts';
import { threeTurns } from '../../support/three-turns.ts';

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
