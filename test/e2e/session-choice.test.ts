import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeOnce } from '../support/copied-world.ts';
import { createSandbox } from '../support/sanbot.ts';

const madeSessions = madeOnce(async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const elsewhere = join(world.cwd, '..', 'elsewhere');
  mkdirSync(elsewhere);
  await world.run(['-p', 'the first question of this folder']);
  await world.run(['-p', 'the second question of this folder']);
  await world.run(['-p', 'a question of another folder'], { cwd: elsewhere });
  return { world };
});

async function sessions() {
  const { world } = await madeSessions();
  // A copied world does not keep the times of its files: the list itself says which session is the newest.
  const list = JSON.parse((await world.run(['sessions', '--json'])).out) as readonly { sessionId: string; title: string; cwd: string }[];
  const [newest, oldest] = list.filter(({ cwd }) => cwd === world.cwd);
  const other = list.find(({ cwd }) => cwd !== world.cwd);
  if (newest === undefined || oldest === undefined || other === undefined) throw new Error('There are not three sessions');
  return { ...world, newest: newest.sessionId, title: newest.title, oldest: oldest.sessionId, other: other.sessionId };
}

test('a command that names no session takes the last one used in this folder, and says which', async () => {
  const { run, newest, title, cwd } = await sessions();
  const note = `Session ${newest} "${title}", last used `;
  const context = await run(['context', '--json']);
  expect(JSON.parse(context.out)).toMatchObject({ sessionId: newest, model: 'offline', messages: 2 });
  expect(context.err).toContain(note);
  const exported = await run(['export']);
  expect(exported.err).toContain(note);
  expect(JSON.parse(exported.out.split('\n')[0] ?? '')).toMatchObject({ type: 'sanbot-export', sessionId: newest });
  expect(await run(['report'])).toMatchObject({ code: 0, err: expect.stringContaining(note) });
  expect(existsSync(join(cwd, `sanbot-report-${newest}.html`))).toBe(true);
  expect(await run(['compact'])).toMatchObject({ code: 0, err: expect.stringContaining(note) });
  const messages = await run(['rollback', '--json']);
  expect(JSON.parse(messages.out)).toMatchObject([{ text: title }]);
});

test('--no-color prints no colours, wherever it stands on the line', async () => {
  const { run } = await sessions();
  const env = { NO_COLOR: '', FORCE_COLOR: '1' };
  expect((await run(['context'], { env })).out).toContain('\u001b[');
  for (const args of [
    ['context', '--no-color'],
    ['--no-color', 'context'],
  ])
    expect((await run(args, { env })).out).not.toContain('\u001b');
});

test('where no session was used, that is said with what to do', async () => {
  const { run, home } = await sessions();
  const empty = join(home, '..', 'empty');
  mkdirSync(empty);
  const ran = await run(['context'], { cwd: empty });
  expect(ran).toMatchObject({ code: 3, out: '' });
  expect(ran.err).toContain(`There is no session in ${empty}`);
  expect(ran.err).toContain('--session ID');
});

test('a part of an id that only one session has is enough; one that fits several is refused with them', async () => {
  const { run, oldest, newest } = await sessions();
  const part = oldest.slice(-5);
  expect(JSON.parse((await run(['context', '--json', '--session', part])).out)).toMatchObject({ sessionId: oldest });
  expect((await run(['sessions', 'show', part])).out).toContain(oldest);
  expect(await run(['-p', 'status', '--resume', part])).toMatchObject({ code: 0 });
  const several = await run(['context', '--session', oldest.slice(0, 8)]);
  expect(several).toMatchObject({ code: 3, out: '' });
  expect(several.err).toContain('fits 3 sessions');
  expect(several.err).toContain(newest);
  expect(await run(['context', '--session', ''])).toMatchObject({ code: 3 });
  expect(await run(['sessions', 'delete', part, '--yes'])).toMatchObject({ code: 3 });
});

test('a rollback to a message that nobody is asked about needs the name of its session; --last takes the one used last here', async () => {
  const { run, newest } = await sessions();
  expect(await run(['compact'])).toMatchObject({ code: 0 });
  for (const more of [[], ['--yes'], ['--json', '--yes']]) {
    const ran = await run(['rollback', '--to-message', '1', ...more]);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toContain('--session ID');
  }
  expect(await run(['rollback', '--to-message', '1', '--dry-run'])).toMatchObject({ code: 0 });
  expect(await run(['rollback', '--session', newest, '--to-message', '1', '--yes'])).toMatchObject({ code: 0 });
  const undone = JSON.parse((await run(['rollback', '--last', '--yes', '--json'])).out);
  expect((await run(['history', '--session', newest])).out).toContain(undone.undo);
  const unasked = await run(['rollback', '--last']);
  expect(unasked.code).not.toBe(0);
  expect(unasked.err).toContain('--yes');
});

test('a session that is open elsewhere can be looked at, and is not changed by it', async () => {
  const { runAtTerminal, run, read, newest } = await sessions();
  const terminal = await runAtTerminal(['--continue']);
  await terminal.waitFor('> ');
  const before = read(`sessions/${newest}/log.jsonl`);
  expect(JSON.parse((await run(['context', '--json'])).out)).toMatchObject({ sessionId: newest });
  expect(read(`sessions/${newest}/log.jsonl`)).toBe(before);
  terminal.send('/quit\r');
  await terminal.exit;
});

test('--resume alone shows the sessions, those of this folder first, and what is typed narrows them', async () => {
  const { runAtTerminal, other, title } = await sessions();
  const terminal = await runAtTerminal(['--resume'], { columns: 160 });
  await terminal.waitFor('Continue which session?');
  const list = await terminal.waitFor(/a question of another folder .*elsewhere/);
  expect(list.indexOf(title)).toBeLessThan(list.indexOf('another folder'));
  terminal.send('anothr');
  await terminal.waitFor(/\? anothr/);
  terminal.send('\r');
  await terminal.waitFor(`session ${other}, continued with 2 messages`);
  terminal.send('/quit\r');
  expect(await terminal.exit).toEqual({ exitCode: 0 });
});

test('letters and Enter in one read choose from what the letters leave, and what follows them goes to the prompt', async () => {
  const { runAtTerminal, other } = await sessions();
  const terminal = await runAtTerminal(['--resume'], { columns: 160 });
  await terminal.waitFor(/a question of another folder .*elsewhere/);
  terminal.send('anothr\r/quit\r');
  await terminal.waitFor(`session ${other}, continued with 2 messages`);
  expect(await terminal.exit).toEqual({ exitCode: 0 });
});

test.each([
  ['--plain', {}],
  ['TERM=dumb', { TERM: 'dumb' }],
])('--resume alone takes the last session of this folder with %s, and says how to get to the others', async (how, env) => {
  const { runAtTerminal, newest } = await sessions();
  const terminal = await runAtTerminal(['--resume', ...(how === '--plain' ? [how] : [])], { env });
  const shown = await terminal.waitFor('/resume ID');
  expect(shown + (await terminal.waitFor('> '))).toContain(`session ${newest}, continued with`);
  terminal.send('/quit\r');
  expect(await terminal.exit).toEqual({ exitCode: 0 });
});

test('--resume without an id is refused where nobody can choose', async () => {
  const { run } = await sessions();
  const ran = await run(['-p', 'hello', '--resume']);
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.err).toContain('--resume needs the id of a session');
});
