import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binary, createSandbox, type Sandbox } from '../support/sanbot.ts';

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
  const ran = spawnSync('/bin/sh', ['-c', script], { cwd, env: full, input: '', encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
};

test.skipIf(process.platform !== 'linux')('a home where no folder can be made ends at once with the reason [D-17]', () => {
  const ran = shell(createSandbox(offline), 'exec "$NODE" "$SANBOT" --home /proc/sanbot/home -p status');
  expect([ran.code, ran.err]).toEqual([7, expect.stringMatching(/Cannot make the folder .*no folder can be made in \/proc/)]);
});

test.each([['-p', 'status'], ['sessions'], ['history'], ['doctor']])('a home that is a file is refused by %s', async (...args) => {
  const world = createSandbox(offline);
  const file = join(world.cwd, 'file');
  writeFileSync(file, 'mine');
  const itself = await world.run([...args, '--home', file]);
  expect([itself.code, itself.out, itself.err]).toEqual([2, '', expect.stringContaining(`${file} is none`)]);
  const below = await world.run(args, { env: { HOME: file } });
  expect([below.code, below.out, below.err]).toEqual([7, '', expect.stringContaining('a part of its path is not a folder')]);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

const canMount = process.platform === 'linux' && spawnSync('unshare', ['-Urm', 'true']).status === 0;
test.skipIf(!canMount)('a home on a read-only disk is told as that [D-17]', () => {
  const world = createSandbox(offline);
  mkdirSync(join(world.cwd, 'disk'));
  const ran = shell(world, `unshare -Urm sh -c 'mount -t tmpfs -o ro none disk && exec "$NODE" "$SANBOT" --home disk/a/home -p status'`);
  expect([ran.code, ran.err]).toEqual([7, expect.stringContaining('the file system is read-only')]);
});

test.skipIf(!canMount)(
  'a disk with little space left keeps it for sessions: no search index is built there, and a search says so [D-12, O30]',
  () => {
    const world = createSandbox(offline);
    mkdirSync(join(world.cwd, 'disk'));
    const script =
      '"$NODE" "$SANBOT" --home disk/home -p status >&2 && "$NODE" "$SANBOT" --home disk/home search status; code=$?; ls disk/home; exit $code';
    const ran = shell(world, `unshare -Urm sh -c 'mount -t tmpfs -o size=4m none disk && ${script}'`);
    expect([ran.code, ran.err]).toEqual([7, expect.stringContaining('no search index yet, and less than 32 MB of space are free')]);
    expect(ran.out.split('\n')).toEqual(expect.arrayContaining(['sessions']));
    expect(ran.out).not.toContain('index.db');
  },
);

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
