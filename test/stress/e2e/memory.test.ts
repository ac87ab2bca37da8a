import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { FakeApi } from '../../support/fake-api.ts';
import { allIn, offline } from '../../support/remembered.ts';
import { sampleOf } from '../../support/runs.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';

import { secretPieces, secretShapes } from '../../support/secrets.ts';

let api: FakeApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

const TURN_IS_OVER = /· \d+ steps?$/m;

test('no secret is in anything that memory writes, nor in the audit log [O28, S-30]', async () => {
  const world = createSandbox(offline);
  await world.run(['memory', 'add', `The deployment number ${secretShapes.length} uses ${secretShapes[0]}`]);
  const terminal = await world.runAtTerminal(['--permission-mode', 'bypass']);
  const type = async (line: string, until: string | RegExp) => {
    terminal.send(`${line}\r`);
    await terminal.waitFor(until);
  };
  await terminal.waitFor('> ');
  for (const [n, secret] of sampleOf(secretShapes).entries()) {
    await type(`/remember The deployment number ${n} uses ${secret}`, 'Remembered in');
    if (n % 5 === 0) await type(`remember ${'padding '.repeat(27 + n)}We decided to use ${secret} for service ${n}`, TURN_IS_OVER);
    if (n % 5 === 1) await type(`run echo '${secret}'; exit ${n}`, TURN_IS_OVER);
  }
  terminal.send('/quit\r');
  await terminal.exit;
  await world.run(['consolidate', '--yes']);
  const written = allIn(join(world.home, 'memory')) + world.read('context/events.jsonl');
  expect(written).toContain('[redacted ');
  expect(world.read('memory/summary/master.md')).toContain('The deployment number 3 uses');
  expect(secretPieces.filter((piece) => written.includes(piece))).toEqual([]);
});

test('no secret that a tool printed is anywhere on disk: log, results, snapshots, pages, memories, audit log [S-30, C117]', async () => {
  const world = createSandbox({ ...offline, SANBOT_CONTEXT_WINDOW: '16000' });
  writeFileSync(join(world.cwd, 'secrets.txt'), secretShapes.map((secret, n) => `line ${n}\n${secret}\n`).join(''));
  writeFileSync(join(world.cwd, 'large.txt'), secretShapes.map((secret) => `${'padding of some length\n'.repeat(40)}${secret}\n`).join(''));
  const said = [
    'read secrets.txt',
    'run cat secrets.txt; exit 3',
    'read large.txt',
    'run cat large.txt',
    'search line in secrets.txt',
    'run cat secrets.txt >&2; false',
    'read large.txt lines 1-400',
    'read secrets.txt lines 1-40',
    'run cat large.txt secrets.txt',
  ];
  const terminal = await world.runAtTerminal(['--permission-mode', 'bypass']);
  await terminal.waitFor('> ');
  for (const text of said) {
    terminal.send(`${text}\r`);
    await terminal.waitFor(TURN_IS_OVER);
  }
  terminal.send('/quit\r');
  await terminal.exit;
  await world.run(['compact', '--session', world.names('sessions')[0] ?? '']);
  const written = allIn(world.home);
  expect(written).toContain('[redacted ');
  expect(world.names('memory/session-summaries').length).toBeGreaterThan(1);
  expect(secretPieces.filter((piece) => written.includes(piece))).toEqual([]);
});

test('two processes that remember at once lose nothing [O8]', async () => {
  const world = createSandbox(offline);
  const add = (text: string) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [binary, 'memory', 'add', text], { cwd: world.cwd, env: world.env, stdio: 'ignore' });
      child.on('close', resolve);
    });
  const codes = await Promise.all(['Ada writes Pascal', 'Bob writes Cobol', '小明写 Java', 'Eve writes Perl'].map(add));
  expect(codes).toEqual([0, 0, 0, 0]);
  const texts = JSON.parse((await world.run(['memory', '--json'])).out).map(({ text }: { text: string }) => text);
  expect(texts.sort()).toEqual(['Ada writes Pascal', 'Bob writes Cobol', 'Eve writes Perl', '小明写 Java']);
});
