import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { madeOnce } from '../support/copied-world.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { binary, createSandbox, type Sandbox } from '../support/sanbot.ts';
import { replies, status } from '../support/scenario.ts';
import { spawnInTerminal } from '../support/terminal.ts';

/** The tables of "When something goes wrong" in docs/commands.md: what a person gets. */
const offline = { SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '12000' };

type Made = { readonly world: Sandbox; readonly sessionId: string; readonly log: string };

const withSession = madeOnce(async (): Promise<Made> => {
  const world = createSandbox(offline);
  await world.run(['-p', 'status']);
  const [sessionId = ''] = world.names('sessions');
  return { world, sessionId, log: join(world.home, `sessions/${sessionId}/log.jsonl`) };
});

/** A session with one snapshot, made by /clear at a terminal. */
const withSnapshot = madeOnce(async () => {
  const world = createSandbox(offline);
  const terminal = await world.runAtTerminal([]);
  await terminal.waitFor('> ');
  terminal.send('status\r');
  await terminal.waitFor(/1 step$/m);
  terminal.send('/clear\r');
  await terminal.waitFor('Undo: /undo');
  terminal.send('/quit\r');
  await terminal.exit;
  const [sessionId = ''] = world.names('sessions');
  const [item] = JSON.parse((await world.run(['history', '--session', sessionId, '--json'])).out);
  const log = join(world.home, `sessions/${sessionId}/log.jsonl`);
  return { world, sessionId, log, snapshotId: String(item.id), file: join(world.home, `memory/session-summaries/${item.id}.jsonl`) };
});

describe('a wrong argument', () => {
  test('that is a folder, or in one that is not there, is told as that', async () => {
    const { world, sessionId } = await withSession();
    const folder = await world.run(['import', world.cwd]);
    expect([folder.code, folder.err]).toEqual([3, expect.stringContaining(`Cannot read ${world.cwd}: is a folder\n`)]);
    const onto = await world.run(['export', '--session', sessionId, '-o', world.cwd]);
    expect([onto.code, onto.err]).toEqual([9, expect.stringContaining(`${world.cwd} is a folder\n`)]);
    const nowhere = await world.run(['export', '--session', sessionId, '-o', 'nowhere/x.jsonl']);
    expect([nowhere.code, nowhere.err]).toEqual([7, expect.stringContaining('there is no folder')]);
  });

  test('is told before a yes is asked for: a message to go back to that there is not', async () => {
    const { world, sessionId } = await withSession();
    const wrong = await world.run(['rollback', '--session', sessionId, '--to-message', '99']);
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('There is no message "99" of yours')]);
    expect((await world.run(['rollback', '--session', sessionId, '--to-message', '1'])).code).toBe(9);
  });

  test('is told before a yes is asked for: a session that there is not', async () => {
    const { world } = await withSession();
    const wrong = await world.run(['rollback', '--session', 'nothing-here', '--last']);
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('nothing-here')]);
  });

  test('is a file that cannot be written in the form that its name promises', async () => {
    const { world, sessionId } = await withSession();
    const wrong = await world.run(['export', '--session', sessionId, '-o', 'session.pdf']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/cannot write a \.pdf file\n.*\.md or \.html.*\.jsonl/)]);
    expect(readdirSync(world.cwd)).toEqual([]);
    expect((await world.run(['export', '--session', sessionId, '-o', 'session.pdf', '--format', 'jsonl'])).code).toBe(0);
    expect((await world.run(['export', '--session', sessionId, '-o', 'session-2026.11.22'])).code).toBe(0);
  });

  test('is a model to use where SanBot is set to work offline: that is said', async () => {
    const { world } = await withSession();
    const ran = await world.run(['--continue', '-p', 'status', '--model', 'some-model\u001b[2J']);
    expect([ran.code, ran.err]).toEqual([
      0,
      expect.stringContaining('--model "some-model\\u001b[2J" is not used: SanBot works offline here, by env SANBOT_PROVIDER'),
    ]);
    expect((await world.run(['--continue', '-p', 'status'])).err).not.toContain('--model');
    const [{ model } = { model: '' }] = JSON.parse((await world.run(['sessions', 'list', '--json'])).out);
    expect(model).toBe('offline');
  });

  test('of events, with nothing to show, is not answered by silence', async () => {
    const { world } = await withSession();
    const none = await world.run(['events', '--since', '2999-01-01']);
    expect([none.code, none.out, none.err]).toEqual([0, '', 'sanbot: no events found\n']);
  });
});

describe('a session’s log', () => {
  test('with a torn last line opens, tells it once, and goes on [D-06, P20]', async () => {
    const { world, log } = await withSession();
    appendFileSync(log, '{"type":"message","n":99,"mess');
    const first = await world.run(['-p', 'status', '--continue']);
    expect(first.code).toBe(0);
    expect(first.err).toContain('log.jsonl');
    const second = await world.run(['-p', 'status', '--continue']);
    expect([second.code, second.err.includes('torn')]).toEqual([0, false]);
  });

  test('damaged in the middle opens without that line, names the file, and keeps it [D-08, C96, N12]', async () => {
    const { world, log } = await withSession();
    await world.run(['-p', 'status', '--continue']);
    const lines = readFileSync(log, 'utf8').split('\n');
    lines[2] = '\u0000'.repeat(300);
    writeFileSync(log, lines.join('\n'));
    const ran = await world.run(['-p', 'status', '--continue']);
    expect(ran.code).toBe(0);
    expect(ran.err).toMatch(/damaged line.*log\.jsonl/s);
    expect(readFileSync(log, 'utf8')).toContain('\u0000'.repeat(300));
  });

  test('without a readable beginning is refused, and left as it is [P27, X4]', async () => {
    const { world, log, sessionId } = await withSession();
    writeFileSync(log, '');
    const ran = await world.run(['-p', 'status', '--resume', sessionId]);
    expect(ran.code).toBe(8);
    expect(readFileSync(log, 'utf8')).toBe('');
    expect((await world.run(['sessions'])).code).toBe(0);
  });

  test('open in another process is told with that process, and nothing is mixed [P18, C-04]', async () => {
    const { world, sessionId } = await withSession();
    const terminal = spawnInTerminal(process.execPath, [binary, '--continue'], { cwd: world.cwd, env: world.env });
    await terminal.waitFor('> ');
    const ran = await world.run(['-p', 'status', '--resume', sessionId]);
    expect([ran.code, ran.err]).toEqual([6, expect.stringContaining(String(terminal.pid))]);
    terminal.kill('SIGKILL');
    await terminal.exit;
    expect((await world.run(['-p', 'status', '--resume', sessionId])).code).toBe(0);
  });
});

describe('a snapshot', () => {
  test('that was altered is refused with the reason, and nothing changes [S-38, B9]', async () => {
    const { world, snapshotId, file, log } = await withSnapshot();
    writeFileSync(file, readFileSync(file, 'utf8').replace('status', 'stolen'));
    const before = readFileSync(log, 'utf8');
    const ran = await world.run(['rollback', '--snapshot', snapshotId, '--yes']);
    expect([ran.code, ran.err]).toEqual([8, expect.stringContaining('not as it was written')]);
    expect(readFileSync(log, 'utf8')).toBe(before);
  });

  test('is found by its time alone, the end of its id, and not by less', async () => {
    const { world, snapshotId } = await withSnapshot();
    const time = snapshotId.split('T')[1] ?? '';
    expect((await world.run(['rollback', '--snapshot', time.slice(1), '--dry-run'])).code).toBe(3);
    expect(await world.run(['rollback', '--snapshot', time, '--yes'])).toMatchObject({ code: 0, out: expect.stringContaining(snapshotId) });
  });

  test('that is gone is not found, with the nearest ids', async () => {
    const { world, snapshotId, file } = await withSnapshot();
    const near = await world.run(['rollback', '--snapshot', snapshotId.replace(/.Z$/, 'Z'), '--yes']);
    expect([near.code, near.err]).toEqual([3, expect.stringContaining(snapshotId)]);
    rmSync(file);
    expect((await world.run(['rollback', '--snapshot', snapshotId, '--yes'])).code).not.toBe(0);
  });

  test.each(['../../etc/passwd', '..', '/abs', 'a/b', 'CON', `${'x'.repeat(10_000)}`])(
    'called %s is no snapshot, whatever lies there [S-35]',
    async (id) => {
      const world = createSandbox(offline);
      const ran = await world.run(['rollback', '--snapshot', id, '--yes']);
      expect([ran.code, ran.out]).toEqual([3, '']);
    },
  );

  test('is not rolled back to without a yes where nobody can be asked; a dry run shows it and changes nothing [C123]', async () => {
    const { world, snapshotId, log } = await withSnapshot();
    const before = readFileSync(log, 'utf8');
    const refused = await world.run(['rollback', '--snapshot', snapshotId]);
    expect([refused.code, refused.err]).toEqual([9, expect.stringContaining('--yes')]);
    const dry = await world.run(['rollback', '--snapshot', snapshotId, '--dry-run']);
    expect([dry.code, dry.out]).toEqual([0, expect.stringContaining('messages')]);
    expect(readFileSync(log, 'utf8')).toBe(before);
  });
});

test('a session that is not there is told with the nearest ids [N2]', async () => {
  const { world, sessionId } = await withSession();
  for (const args of [
    ['history', '--session', `${sessionId}x`],
    ['-p', 'hi', '--resume', `${sessionId}x`],
  ]) {
    const ran = await world.run(args);
    expect([ran.code, ran.err]).toEqual([3, expect.stringContaining(sessionId)]);
  }
  const none = await createSandbox(offline).run(['-p', 'hi', '--continue']);
  expect(none.code).toBe(3);
});

test('a bad setting is told with file, key, what was expected and found, and the nearest key; nothing starts [B-07]', async () => {
  const world = createSandbox(offline);
  mkdirSync(world.home, { mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction: { maxMesages: 10, softTokenRatio: 'high' } }));
  const ran = await world.run(['-p', 'hi']);
  expect(ran.code).toBe(2);
  for (const told of ['config.json', 'compaction.maxMesages', 'compaction.maxMessages', 'compaction.softTokenRatio', 'high'])
    expect(ran.err).toContain(told);
  expect(world.names('sessions')).toEqual([]);
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction: { softTokenRatio: 0.9 } }));
  expect((await world.run(['config', 'validate'])).err).toMatch(/softTokenRatio.*maxTokenRatio/s);
});

test('the hint of a wrong setting fits the place where it was set', async () => {
  const world = createSandbox(offline);
  const hints = async (args: readonly string[], env = {}) => (await world.run(args, { env })).err.trimEnd().split('\n').at(-1)?.trim();
  expect(await hints(['-p', 'hi'], { SANBOT_CONTEXT_WINDOW: 'wide' })).toBe('Set another value, or unset the variable.');
  expect(await hints(['-p', 'hi', '--context-window', '5'])).toBe('Give another value, or leave the option out.');
  writeFileSync(join(world.cwd, '.sanbot.json'), '{"compaction":{"maxMesages":10}}');
  expect(await hints(['config', 'validate'])).toBe('Compare the file with .sanbot.example.json.');
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), '{\n  "agent": { "maxSteps": 3, },\n}\n');
  rmSync(join(world.cwd, '.sanbot.json'));
  expect(await hints(['config', 'validate'])).toBe('Fix the file at line 2, column 27, then run sanbot config validate.');
  writeFileSync(join(world.cwd, '.sanbot.json'), '{"compaction":{"maxMesages":10}}');
  rmSync(join(world.home, 'config.json'));
  expect(await hints(['config', 'validate'], { SANBOT_CONTEXT_WINDOW: 'wide' })).toContain('give options and variables another value');
});

test('an export into a folder that is not there names the folder, and speaks of no full disk', async () => {
  const world = createSandbox(offline);
  await world.run(['-p', 'status']);
  const path = join(world.cwd, 'none', 'x.md');
  const { code, err } = await world.run(['export', '--session', world.names('sessions')[0] ?? '', '-o', path]);
  expect({ code, err }).toEqual({
    code: 7,
    err: `sanbot: Cannot write ${path}: there is no folder ${join(world.cwd, 'none')}\n  Create the folder first, or give another name after -o.\n`,
  });
});

describe('the model', () => {
  const noRetries = { SANBOT_PROVIDER: 'anthropic', SANBOT_MODEL: 'claude-sonnet-5-5' };

  test('without a key says what to set, and that offline works', async () => {
    const ran = await createSandbox(noRetries).run(['-p', 'hi']);
    expect(ran.code).toBe(4);
    expect(ran.err).toContain('ANTHROPIC_API_KEY');
    expect(ran.err).toContain('offline');
  });

  test('with a refused key, or an unknown name, says so', async () => {
    const world = createSandbox({ ...noRetries, ANTHROPIC_API_KEY: 'wrong' });
    const api = await startFakeApi(() => replies('hi'), { key: 'right' });
    expect((await world.run(['-p', 'hi'], { env: { ANTHROPIC_BASE_URL: api.url } })).code).toBe(4);
    await api.close();
    const other = await startFakeApi([status(404, 'not_found_error', 'model: nonsense')]);
    const ran = await world.run(['-p', 'hi', '--model', 'nonsense'], { env: { ANTHROPIC_BASE_URL: other.url } });
    expect([ran.code, ran.err]).toEqual([4, expect.stringContaining('no model "nonsense", set by --model')]);
    await other.close();
  });
});

test('nothing to compact is a success that says so', async () => {
  const { world } = await withSession();
  const terminal = await world.runAtTerminal(['--continue']);
  await terminal.waitFor('> ');
  terminal.send('/compact\r');
  await terminal.waitFor(/[Nn]othing to compact/);
  terminal.send('\x04');
  expect((await terminal.exit).exitCode).toBe(0);
});

test('an unknown option or command names the nearest one', async () => {
  const world = createSandbox();
  const ran = await world.run(['--contine']);
  expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('--continue')]);
  expect((await world.run(['histroy'])).err).toContain('history');
  expect((await world.run(['-p', ''])).code).toBe(2);
});

test.each(['', 'relative/home'])('a home folder set to %j is refused, and nothing is made in the working folder [B-21]', async (home) => {
  const world = createSandbox(offline);
  const ran = await world.run(['-p', 'hi'], { env: { HOME: home, SANBOT_HOME: home } });
  expect(ran.code).toBe(2);
  expect(world.names('../../project')).toEqual([]);
});

test.each(['', '~/sanbot', '~'])(
  '--home %j, which would be a folder nobody meant, is refused, and nothing is made or changed [B-21]',
  async (home) => {
    const world = createSandbox(offline);
    const ran = await world.run([`--home=${home}`, '-p', 'hi']);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('--home must name a folder')]);
    expect(world.names('../../project')).toEqual([]);
  },
);
