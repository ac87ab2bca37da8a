import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../src/domain/session/message.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { SIZES, startTalk } from '../../support/talk.ts';
import { spawnInTerminal } from '../../support/terminal.ts';

describe.each(SIZES)('what is typed before the prompt is there, in a window of $columns by $rows', (size) => {
  test('is the first message when Enter was typed too, and what stands behind it waits at the prompt', async () => {
    const { terminal, fake } = await startTalk({ size });
    terminal.send('what is here?\rand th');
    await terminal.waitFor('reply 0');
    await terminal.waitForScreen(/^> and th$/m);
    expect(fake.requests.flatMap(({ request }) => request.messages.map(({ content }) => textOf(content)))).toEqual([
      expect.stringContaining('what is here?'),
    ]);
    terminal.send('en\x0anot yet');
    await terminal.waitForScreen(/^> and then\n {2}not yet$/m);
    expect(terminal.rows().filter((row) => row.startsWith('and th') || /SanBot.*and th|and th.*SanBot/.test(row))).toEqual([]);
  });
});

test('what is typed before a folder is trusted does not answer that, and is the first message after it', async () => {
  const world = createSandbox();
  writeFileSync(join(world.cwd, 'AGENTS.md'), 'Be short.\n');
  const { terminal, fake } = await startTalk({ world });
  terminal.send('y\rwhat is here?\r');
  await terminal.waitForScreen(/Trust this folder\?[\s\S]*❯ 3 Not now[\s\S]*Esc to cancel/);
  expect(world.names('.')).not.toContain('trusted.json');
  terminal.send('\r');
  await terminal.waitFor('Not trusted');
  await terminal.waitFor('reply 1');
  expect(fake.requests.map(({ request }) => textOf(request.messages.at(-1)?.content ?? []))).toEqual(['y', 'what is here?']);
});

test('what is typed before the first start asks for a model is no answer to that, and is the first message after it', async () => {
  const world = createSandbox({ CI: '' });
  const terminal = spawnInTerminal(process.execPath, [binary], { cwd: world.cwd, env: world.env });
  afterThisTest(() => terminal.kill('SIGKILL'));
  terminal.send('status\rnot a key\r');
  await terminal.waitForScreen(/Leave everything as it is\n[\s\S]*Ctrl-C/);
  terminal.send(`${'\x1b[B'.repeat(12)}\r`);
  await terminal.waitFor('No model is set up');
  await terminal.waitFor(/> not a key\r?\n/);
});

test('what is typed before --resume shows its list chooses nothing in it, and is the first message after it', async () => {
  const world = createSandbox();
  for (const title of ['the first question', 'the second question'])
    await world.run(['-p', title], { env: { SANBOT_PROVIDER: 'offline' } });
  const { terminal, fake } = await startTalk({ world, args: ['--resume'] });
  terminal.send('second\rand more');
  await terminal.waitForScreen(/Continue which session\?\s*$[\s\S]*the first question/m);
  terminal.send('first');
  await terminal.waitForScreen(/\? first$/m);
  terminal.send('\r');
  await terminal.waitFor('reply 0');
  expect(fake.requests.flatMap(({ request }) => request.messages.map(({ content }) => textOf(content)))).toEqual([
    expect.stringContaining('the first question'),
    expect.anything(),
    'second',
  ]);
  await terminal.waitForScreen(/^> and more$/m);
});

test('what is typed before a review shows a memory neither keeps nor forgets it', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  for (const text of ['I prefer tabs', 'the port is 5433']) await world.run(['memory', 'add', text]);
  const terminal = spawnInTerminal(process.execPath, [binary, 'memory', 'review'], { cwd: world.cwd, env: world.env });
  afterThisTest(() => terminal.kill('SIGKILL'));
  terminal.send('\x1b[B\r\x1b[B\r');
  await terminal.waitForScreen(/5433[\s\S]*Stop here[\s\S]*Enter/);
  terminal.send('\x1b[B\x1b[B\r');
  await terminal.waitFor('0 memories forgotten.');
  const memories = JSON.parse((await world.run(['memory', '--json'])).out).map(({ text }: { text: string }) => text);
  expect(memories.toSorted()).toEqual(['I prefer tabs', 'the port is 5433']);
});
