import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';
import { unsealed } from '../support/unsealed.ts';

const NEWER = 99;

test('what a newer SanBot wrote is read, refused or left alone, each as docs/files.md says', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await world.run(['-p', 'hello']);
  const [id = ''] = world.names('sessions');
  await world.run(['rollback', '--session', id, '--to-message', '1', '--yes']);
  const change = (path: string, edit: (text: string) => string): string => {
    const file = join(world.home, path);
    writeFileSync(file, edit(unsealed(readFileSync(file, 'utf8'))));
    return readFileSync(file, 'utf8');
  };
  const folder = 'memory/session-summaries';
  const [snapshot = ''] = world.names(folder).filter((name) => name.endsWith('.jsonl'));
  const newer = change(`${folder}/${snapshot}`, (text) => text.replace('"v":1', `"v":${NEWER}`));
  const sha256 = createHash('sha256').update(newer).digest('hex');
  change(`${folder}/${snapshot.replace('.jsonl', '.meta.json')}`, (text) => text.replace(/"sha256": "\w+"/, `"sha256": "${sha256}"`));
  change(`sessions/${id}/log.jsonl`, (text) => text.replace('"v":1', `"v":${NEWER}`));
  const log = join(world.home, 'sessions', id, 'log.jsonl');
  const unknown = JSON.stringify({ n: 500, at: '2026-01-02T03:04:05.000Z', type: 'hologram', of: 'tomorrow' });
  appendFileSync(log, `${unknown}\n`);
  const purge = JSON.stringify({ v: NEWER, steps: [] });
  writeFileSync(join(world.home, 'purge.json'), purge, { mode: 0o600 });

  const resumed = await world.run(['--resume', id, '-p', 'status']);
  expect(resumed).toMatchObject({ code: 0, err: expect.stringContaining(`was written by a newer SanBot (version ${NEWER} of the log)`) });
  expect(resumed.err).toContain('holds records of a newer SanBot ("hologram"); they are kept and left alone');
  expect(resumed.err).not.toContain('A purge');
  expect(readFileSync(log, 'utf8')).toContain(unknown);
  const back = await world.run(['rollback', '--snapshot', snapshot.replace('.jsonl', ''), '--yes']);
  expect([back.code === 0, back.err.includes(`a newer SanBot wrote it (version ${NEWER})`)]).toEqual([false, true]);
  expect(world.read(`${folder}/${snapshot}`)).toBe(newer);
  expect(world.read('purge.json')).toBe(purge);
  expect((await world.run(['doctor'])).out).toContain('purge.json');
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ hologram: true }), { mode: 0o600 });
  expect(await world.run(['-p', 'hello'])).toMatchObject({ code: 2, err: expect.stringContaining('hologram') });
});

test('fields that a newer SanBot added to what has no version are passed over, and what it kept stays', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await world.run(['-p', 'hello']);
  const put = (name: string, value: unknown): void => writeFileSync(join(world.home, name), `${JSON.stringify(value)}\n`, { mode: 0o600 });
  const entry = { folder: world.cwd, repository: null, hooks: '', at: '2026-01-02T03:04:05.000Z', hologram: 1 };
  put('trusted.json', { folders: [entry], hologram: 1 });
  put('session-list.json', { v: NEWER, sessions: 'otherwise' });
  mkdirSync(join(world.home, 'held'), { mode: 0o700 });
  put('held/of-tomorrow.json', { v: NEWER });
  const line = JSON.stringify({ v: NEWER, at: '2026-01-02T03:04:05.000Z', sessionId: 's', type: 'hologram' });
  appendFileSync(join(world.home, 'context', 'events.jsonl'), `${line}\n`);
  expect(JSON.parse((await world.run(['trust', 'list', '--json'])).out)).toMatchObject([{ folder: world.cwd }]);
  expect(await world.run(['-p', 'status', '--continue'])).toMatchObject({ code: 0, err: expect.not.stringContaining('sanbot:') });
  expect((await world.run(['events', '--json'])).out).not.toContain('hologram');
  expect(world.read('context/events.jsonl')).toContain(line);
  expect(world.read('trusted.json')).toContain('"hologram":1');
  expect(world.names('held')).toEqual(['of-tomorrow.json']);
  expect(JSON.parse((await world.run(['sessions', '--json'])).out)).toHaveLength(1);
  expect((await world.run(['trust', 'remove', world.cwd])).code).toBe(0);
  expect(JSON.parse(world.read('trusted.json'))).toEqual({ folders: [], hologram: 1 });
});
