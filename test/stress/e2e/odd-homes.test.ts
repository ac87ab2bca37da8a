import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OneRan } from '../../crash/many-runs.ts';
import { binary, createSandbox, driver, type Sandbox } from '../../support/sanbot.ts';

/** Homes, working folders and outputs as they should not be: each ends soon, with the reason and an exit code of its own. */
const offline = { SANBOT_PROVIDER: 'offline' };
const FAULT = 'fault in SanBot';

const withSession = async (): Promise<{ readonly world: Sandbox; readonly sessionId: string; readonly log: string }> => {
  const world = createSandbox(offline);
  await world.run(['-p', 'status']);
  const [sessionId = ''] = world.names('sessions');
  return { world, sessionId, log: join(world.home, `sessions/${sessionId}/log.jsonl`) };
};

/** Run by a shell, which can take things away before the program starts. Killed after 20 s, whatever it is deaf to. */
const shell = ({ env, cwd }: Sandbox, script: string) => {
  const full = { ...env, NODE: process.execPath, SANBOT: binary };
  const ran = spawnSync('/bin/sh', ['-c', script], {
    cwd,
    env: full,
    input: '',
    encoding: 'utf8',
    timeout: 300_000,
    killSignal: 'SIGKILL',
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
};

test.skipIf(process.platform !== 'linux')('a home where no folder can be made ends at once with the reason [D-28]', () => {
  const ran = shell(createSandbox(offline), 'exec "$NODE" "$SANBOT" --home /proc/sanbot/home -p status');
  expect([ran.code, ran.err]).toEqual([
    7,
    expect.stringContaining('sanbot: No folder can be made in /proc\n  Choose another folder for the home: --home DIR, or SANBOT_HOME.\n'),
  ]);
});

test.each([['-p', 'status'], ['sessions'], ['history'], ['doctor']])('a home that is a file is refused by %s', async (...args) => {
  const world = createSandbox(offline);
  const file = join(world.cwd, 'file');
  writeFileSync(file, 'mine');
  const itself = await world.run([...args, '--home', file]);
  expect([itself.code, itself.out, itself.err]).toEqual([2, '', expect.stringContaining(`${file} is not one`)]);
  const below = await world.run(args, { env: { HOME: file } });
  expect([below.code, below.out, below.err]).toEqual([7, '', expect.stringContaining('a part of the path is a file, not a folder')]);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

const canMount = process.platform === 'linux' && spawnSync('unshare', ['-Urm', 'true']).status === 0;
test.skipIf(!canMount)('a home on a read-only disk is told as that [D-29]', () => {
  const world = createSandbox(offline);
  mkdirSync(join(world.cwd, 'disk'));
  const ran = shell(world, `unshare -Urm sh -c 'mount -t tmpfs -o ro none disk && exec "$NODE" "$SANBOT" --home disk/a/home -p status'`);
  expect([ran.code, ran.err]).toEqual([7, expect.stringContaining('the file system is read-only')]);
});

test.skipIf(!canMount)('a disk with little space left keeps it for sessions: what is searched is indexed in memory [D-12, O30]', () => {
  const world = createSandbox(offline);
  mkdirSync(join(world.cwd, 'disk'));
  const script = '"$NODE" "$SANBOT" --home disk/home -p status >&2 && "$NODE" "$SANBOT" --home disk/home search status && ls disk/home';
  const ran = shell(world, `unshare -Urm sh -c 'mount -t tmpfs -o size=4m none disk && ${script}'`);
  expect(ran).toMatchObject({
    code: 0,
    out: expect.stringMatching(/:1 .*\nsessions\n/s),
    err: expect.stringContaining('Less than 32 MB'),
  });
  expect(ran.out).not.toContain('index.db');
});

/** Root may write anywhere: without these rights it is a user like any other. */
const asUser = process.getuid?.() === 0 ? 'setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all ' : '';
const canDrop = process.platform === 'linux' && spawnSync('/bin/sh', ['-c', `${asUser}true`]).status === 0;

/** Command lines one after another in one process of that user, and what became of each. */
function runsOf({ env, cwd }: Sandbox, lines: readonly (readonly string[])[]): (args: readonly string[]) => OneRan {
  const list = join(cwd, 'runs.json');
  writeFileSync(list, JSON.stringify(lines.map((args) => ({ args, cwd, env, failAt: 0, how: 'once' }))));
  const { stdout } = spawnSync('/bin/sh', ['-c', `exec ${asUser}"$0" "$@"`, process.execPath, driver, 'runs', list], {
    ...{ cwd, env, input: '', encoding: 'utf8', timeout: 300_000, killSignal: 'SIGKILL' },
  });
  const ran: readonly OneRan[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return (args) => {
    const found = ran[lines.findIndex((line) => line.join(' ') === args.join(' '))];
    if (found === undefined) throw new Error(`${args.join(' ')} was not run`);
    return found;
  };
}

test.skipIf(!canDrop)('in a home that may only be read, what reads goes on and what writes says where it cannot [D-28]', async () => {
  const { world, sessionId } = await withSession();
  const folders = ['', 'sessions', `sessions/${sessionId}`, 'memory', 'context'].map((path) => join(world.home, path));
  const ref = `${sessionId}:1`;
  const inMemory = expect.stringContaining('index.db cannot be written: the index is kept in memory');
  const reading = [
    ...[['history'], ['history', '--session', sessionId], ['sessions'], ['sessions', 'show', sessionId]],
    ...[['events'], ['memory', 'list'], ['metrics'], ['export', '--session', sessionId]],
  ];
  const searching = [
    ['search', 'status'],
    ['show', ref],
  ];
  const writing = [
    ...[
      ['-p', 'status'],
      ['-p', 'status', '--resume', sessionId],
    ],
    ...[
      ['sessions', 'rename', sessionId, 'x'],
      ['memory', 'add', 'We use pnpm.'],
    ],
  ];
  try {
    for (const indexed of [false, true]) {
      for (const folder of folders) chmodSync(folder, 0o500);
      const ran = runsOf(world, [...reading, ...searching, ...writing]);
      for (const args of reading) expect([args, ran(args)]).toMatchObject([args, { code: 0, err: '' }]);
      expect(ran(['search', 'status'])).toMatchObject({ code: 0, out: expect.stringContaining(ref), err: inMemory });
      expect(ran(['show', ref])).toMatchObject({ code: 0, out: expect.stringContaining('status'), err: inMemory });
      for (const args of writing) {
        const { code, err } = ran(args);
        expect([args, code, err]).toEqual([
          args,
          7,
          expect.stringMatching(/Cannot .*\.sanbot.*permission denied\n {2}Free some space or make/),
        ]);
        expect(err).not.toContain(FAULT);
      }
      for (const folder of folders) chmodSync(folder, 0o700);
      if (!indexed) expect(runsOf(world, [['search', 'status']])(['search', 'status']).code).toBe(0);
      for (const end of ['-wal', '-shm']) rmSync(join(world.home, `index.db${end}`), { force: true });
    }
  } finally {
    for (const folder of folders) chmodSync(folder, 0o700);
  }
});

test('a working folder that was deleted is told, and what needs none still works', () => {
  const world = createSandbox(offline);
  const gone = (args: string) => shell(world, `mkdir gone && cd gone && rmdir ../gone && exec "$NODE" "$SANBOT" ${args}`);
  const ran = gone('-p status');
  expect([ran.code, ran.err]).toEqual([7, expect.stringMatching(/working folder no longer exists.*cd/s)]);
  expect(gone('sessions').code).toBe(0);
  expect(gone(`sessions --home ${world.home}`).code).toBe(0);
  expect(gone('sessions --home relative')).toMatchObject({ code: 7, err: expect.stringContaining('working folder') });
});

describe('a session’s log', () => {
  test('that is empty is told with the command that rebuilds it [P27]', async () => {
    const { world, sessionId, log } = await withSession();
    writeFileSync(log, '');
    const commands = [
      ['-p', 'hi', '--resume', sessionId],
      ['sessions', 'show', sessionId],
    ];
    for (const args of commands) {
      const ran = await world.run(args);
      expect([ran.code, ran.err]).toEqual([8, expect.stringContaining(`sanbot doctor --session ${sessionId} --repair`)]);
      expect(ran.err).not.toMatch(/roll back/i);
    }
  });

  test('that is missing beside other files is told the same way; the session itself is never the nearest', async () => {
    const { world, sessionId, log } = await withSession();
    rmSync(log);
    const bare = await world.run(['-p', 'hi', '--resume', sessionId]);
    expect([bare.code, bare.err.split(sessionId).length]).toEqual([3, 2]);
    writeFileSync(join(log, '..', 'title'), 'mine');
    const ran = await world.run(['-p', 'hi', '--resume', sessionId]);
    expect([ran.code, ran.err]).toEqual([8, expect.stringContaining(`sanbot doctor --session ${sessionId} --repair`)]);
  });
});

describe('standard output', () => {
  test.skipIf(!existsSync('/dev/full'))('that takes nothing is a failure, told on standard error [B-25]', async () => {
    const { world } = await withSession();
    for (const args of ['sessions', 'history --json', '-p status', '--help']) {
      const ran = shell(world, `exec "$NODE" "$SANBOT" ${args} >/dev/full`);
      expect([args, ran.code, ran.err]).toEqual([args, 7, expect.stringContaining('Cannot write to standard output: ENOSPC')]);
      expect(ran.err).not.toContain(FAULT);
    }
  });

  test('whose reader went away is none [B-25]', async () => {
    const { world } = await withSession();
    const ran = shell(world, '{ "$NODE" "$SANBOT" sessions; echo "$?" >code; } | true; cat code');
    expect([ran.out, ran.err]).toEqual(['0\n', '']);
  });
});

test('who has a session open is told with a plain time', async () => {
  const { world, sessionId, log } = await withSession();
  const holder = { pid: 1, host: 'elsewhere', nonce: 'abc', since: '2026-01-02T03:04:05.678Z' };
  const file = openSync(join(log, '..', 'lock'), 'w', 0o600);
  writeFileSync(file, JSON.stringify(holder));
  closeSync(file);
  const ran = await world.run(['-p', 'hi', '--resume', sessionId]);
  expect([ran.code, ran.err]).toEqual([6, expect.stringContaining('since 2026-01-02T03:04:05.678Z)')]);
});
