import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { allow, isRestored, running, stored, talkToBinary } from '../support/repl.ts';
import { sampleOf } from '../support/runs.ts';
import { createSandbox, type RunningAtTerminal, type Sandbox } from '../support/sanbot.ts';
import { ASKED, type SpawnedTerminal } from '../support/terminal.ts';

afterEach(() => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL');
});

/** The same in this process. */
async function talk(world: Sandbox): Promise<RunningAtTerminal> {
  const terminal = await world.runAtTerminal([], { env: { SANBOT_PROVIDER: 'offline' } });
  await terminal.waitFor('> ');
  return terminal;
}

const PROMPT = /\n> $/;

describe('a first conversation', () => {
  test('says who answers, works on files after a yes, and is there again with --continue', async () => {
    const world = createSandbox();
    const terminal = await talkToBinary(world);
    expect(terminal.text()).toContain('offline: not a language model');
    terminal.send('write notes.txt: 第一行\r');
    expect(await terminal.waitFor('Make this change?')).toContain('+ 第一行');
    await allow(terminal);
    await terminal.waitFor('✓ Write notes.txt');
    await terminal.waitFor(PROMPT);
    expect(readFileSync(join(world.cwd, 'notes.txt'), 'utf8').trim()).toBe('第一行');
    terminal.send('\x04');
    expect((await terminal.exit).exitCode).toBe(0);

    const again = await talkToBinary(world, '--continue');
    expect(again.text()).toMatch(/continued with \d+ messages/);
    again.send('\x1b[A');
    await again.waitFor('write notes.txt: 第一行');
    again.send('\x15/quit\r');
    expect((await again.exit).exitCode).toBe(0);
    expect(statSync(join(world.home, 'history')).mode & 0o777).toBe(0o600);
  });

  test('a typed yes allows once, Tab finds a path with a blank, and /export takes quotes and ~/', async () => {
    const world = createSandbox();
    const terminal = await talk(world);
    terminal.send('write "my docs/a b.txt": 第一行\r');
    await terminal.waitFor(ASKED);
    terminal.send('y\r');
    await terminal.waitFor('✓ Write ');
    await terminal.waitFor(PROMPT);
    terminal.send('read @my\t');
    await terminal.waitFor('read @"my docs/');
    terminal.send('\t');
    await terminal.waitFor('a b.txt"');
    terminal.send('\r');
    await terminal.waitFor('✓ Read ');
    await terminal.waitFor(PROMPT);
    terminal.send('/export "~/a b.html"\r');
    await terminal.waitFor('Exported to ~/a b.html');
    await terminal.waitFor(PROMPT);
    terminal.send("/export 'c d.md'\r");
    await terminal.waitFor('Exported to c d.md');
    await terminal.waitFor(PROMPT);
    terminal.send('\x04');
    await terminal.exit;
    expect(readFileSync(join(String(world.env.HOME), 'a b.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(readdirSync(world.cwd).toSorted()).toEqual(['c d.md', 'my docs']);
  });

  test('a no changes nothing [S-15]', async () => {
    const world = createSandbox();
    const terminal = await talk(world);
    terminal.send('write notes.txt: x\r');
    await terminal.waitFor('Yes, all edits of this session');
    terminal.send('3');
    await terminal.waitFor('not allowed');
    await terminal.waitFor(PROMPT);
    expect(readdirSync(world.cwd)).toEqual([]);
  });

  test('leaves nothing behind when nothing was said', async () => {
    const world = createSandbox();
    const terminal = await talk(world);
    terminal.send('/context\r');
    await terminal.waitFor('Soft limit');
    await terminal.waitFor(PROMPT);
    terminal.send('\x03');
    await terminal.waitFor('again to exit');
    terminal.send('\x03');
    expect((await terminal.exit).exitCode).toBe(0);
    expect(world.names('sessions')).toEqual([]);
  });
});

describe('the terminal is given back [D-42]', () => {
  const ways: readonly (readonly [string, (terminal: SpawnedTerminal) => void])[] = [
    ['Ctrl-D', (terminal: SpawnedTerminal) => terminal.send('\x04')],
    ['/quit', (terminal: SpawnedTerminal) => terminal.send('/quit\r')],
    ['SIGTERM', (terminal: SpawnedTerminal) => terminal.kill('SIGTERM')],
    ['SIGHUP', (terminal: SpawnedTerminal) => terminal.kill('SIGHUP')],
  ];
  test.each(sampleOf(ways, 2))('after %s at the prompt', async (_, leave) => {
    const terminal = await talkToBinary(createSandbox());
    // The program reads keys, and so listens to signals too.
    terminal.send('x');
    await terminal.waitFor('x');
    terminal.send('\x7f');
    leave(terminal);
    await terminal.waitForRaw(isRestored);
    await terminal.exit;
  });

  test('after Ctrl-C in the middle of a turn, which ends the command and not the program', async () => {
    const world = createSandbox();
    const terminal = await talkToBinary(world);
    terminal.send('run sleep 30\r');
    await allow(terminal);
    await terminal.waitFor(/\$ sleep 30[\s\S]*· Esc stops/);
    terminal.send('\x03');
    await terminal.waitFor('interrupted');
    await terminal.waitFor(PROMPT);
    terminal.send('what now?\r');
    await terminal.waitFor('no language model, only direct requests');
    await terminal.waitFor(PROMPT);
    terminal.send('status\r');
    await terminal.waitFor('The window has ');
    await terminal.waitFor(PROMPT);
    terminal.send('\x04');
    expect((await terminal.exit).exitCode).toBe(0);
    expect(stored(world).match(/"text":"status"/g)).toHaveLength(1);
  });
});

describe('commands on a real session', () => {
  test('/clear and /rollback bring every message back, and nothing of them is in the conversation [C125]', async () => {
    const world = createSandbox();
    const terminal = await talk(world);
    terminal.send('status\r');
    await terminal.waitFor('The window has ');
    await terminal.waitFor(PROMPT);
    terminal.send('/clear\r');
    await terminal.waitFor('Cleared 2 messages from the context. Undo: /undo');
    await terminal.waitFor(PROMPT);
    terminal.send('/rollback\r');
    await terminal.waitFor('before the context was cleared: 2 messages');
    terminal.send('\r');
    await terminal.waitFor('Yes, roll back');
    terminal.send('y');
    await terminal.waitFor('Rolled back:');
    await terminal.waitFor(PROMPT);
    terminal.send('/context\r');
    await terminal.waitFor(/\), 2 messages/);
    await terminal.waitFor(PROMPT);
    terminal.send('/history\r');
    await terminal.waitFor('/rollback 2');
    await terminal.waitFor(PROMPT);
    terminal.send('\x04');
    await terminal.exit;
    expect(stored(world)).not.toContain('/rollback');
    expect(stored(world)).not.toContain('Soft limit');
  });

  test('/new and /resume go between sessions', async () => {
    const world = createSandbox();
    const terminal = await talk(world);
    const first = /session (\S+)/.exec(terminal.text())?.[1] ?? '';
    terminal.send('status\r');
    await terminal.waitFor('The window has ');
    await terminal.waitFor(PROMPT);
    terminal.send('/new\r');
    await terminal.waitFor(/session (?!continued)\S+/);
    await terminal.waitFor(PROMPT);
    terminal.send(`/resume ${first}\r`);
    await terminal.waitFor(`session ${first}, continued with 2 messages`);
    await terminal.waitFor(PROMPT);
    terminal.send('/resume nothing-like-it\r');
    await terminal.waitFor('✗ ');
    await terminal.waitFor(PROMPT);
    terminal.send('\x04');
    expect((await terminal.exit).exitCode).toBe(0);
  });

  test('another SanBot that has the session open is named', async () => {
    const world = createSandbox();
    const terminal = await talkToBinary(world);
    terminal.send('status\r');
    await terminal.waitFor('The window has ');
    await terminal.waitFor(PROMPT);
    const refused = await world.run(['-p', 'status', '--continue'], { env: { SANBOT_PROVIDER: 'offline' } });
    expect(refused).toMatchObject({ code: 6, out: '' });
    expect(refused.err).toContain(String(terminal.pid));
  });
});

describe('without a person, what fails before the turn', () => {
  test.each([
    ['a session that is not there', ['-p', 'status', '--resume', 'nope'], {}, 3],
    ['an empty prompt', ['-p', ''], {}, 2],
    ['a setting that makes no sense', ['-p', 'status'], { SANBOT_CONTEXT_WINDOW: 'large' }, 2],
  ])('is a JSON object on stdout too: %s', async (_, args, env, exitCode) => {
    const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
    const object = await world.run([...args, '--output-format', 'json'], { env });
    expect(object.code).toBe(exitCode);
    expect(JSON.parse(object.out)).toMatchObject({ sessionId: '', stopReason: 'failed', error: { exitCode } });
    expect(object.err).toContain(JSON.parse(object.out).error.message.split('\n')[0]);
    const stream = await world.run([...args, '--output-format', 'stream-json'], { env });
    expect(JSON.parse(stream.out.trimEnd())).toMatchObject({ type: 'result', error: { exitCode } });
    expect((await world.run(args, { env })).out).toBe('');
  });
});

test('/model does not claim a model that cannot answer', async () => {
  const terminal = await talk(createSandbox());
  terminal.send('/model claude-sonnet-5-5\r');
  await terminal.waitFor('sanbot setup');
  await terminal.waitFor(PROMPT);
  terminal.send('/model\r');
  expect(await terminal.waitFor(/offline[^\n]*\n[\s\S]*> $/)).not.toContain('Model: claude');
  terminal.send('\x04');
  expect((await terminal.exit).exitCode).toBe(0);
});

const plain: readonly (readonly [string, Record<string, string>, readonly string[]])[] = [
  ['a dumb terminal', { TERM: 'dumb' }, []],
  ['--plain', {}, ['--plain']],
];
test.each(sampleOf(plain))('%s gets lines without control sequences, and is asked by a line [B-25]', async (_, env, args) => {
  const world = createSandbox(env);
  const terminal = await talkToBinary(world, ...args);
  terminal.send('status\r');
  await terminal.waitFor('The window has ');
  await terminal.waitFor(PROMPT);
  for (const [answer, outcome] of [
    ['', '✗'],
    ['sure', '✗'],
    ['y', '✓'],
  ] as const) {
    terminal.send('run echo hi\r');
    await terminal.waitFor('Number, letter or words: ');
    terminal.send(`${answer}\r`);
    await terminal.waitFor(outcome);
    await terminal.waitFor(PROMPT);
  }
  terminal.send('run echo hi\r');
  await terminal.waitFor('Number, letter or words: ');
  terminal.send('\x03');
  await terminal.waitFor('interrupted');
  await terminal.waitFor(PROMPT);
  terminal.send('\x03');
  await terminal.waitFor('Press Ctrl-C again to exit.');
  terminal.send('status\r');
  await terminal.waitFor('The window has ');
  await terminal.waitFor(PROMPT);
  terminal.send('\x04');
  await terminal.waitFor(/^\r?\nResume this session/);
  expect((await terminal.exit).exitCode).toBe(0);
  await terminal.waitForRaw((raw) => !raw.includes('\x1b'));
});
