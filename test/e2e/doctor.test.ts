import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

async function usedSandbox() {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
  writeFileSync(join(sandbox.cwd, 'a.txt'), 'alpha\n');
  await sandbox.run(['-p', 'read a.txt', '--permission-mode', 'bypass']);
  const id = sandbox.names('sessions')[0] ?? '';
  return { ...sandbox, id, log: join(sandbox.home, 'sessions', id, 'log.jsonl') };
}

test('sanbot doctor says that all is well, without a key and with settings that cannot be read', async () => {
  const { home, run } = await usedSandbox();
  writeFileSync(join(home, 'config.json'), '{"no such', { mode: 0o600 });
  const { code, out, err } = await run(['doctor'], { env: { SANBOT_PROVIDER: '' } });
  const unasked = expect.stringMatching(/all is well\.\nmodel: it cannot be asked\nwrong {5}settings: .*config\.json/);
  expect({ code, out, err }).toEqual({ code: 0, out: unasked, err: '' });
  expect(out).toContain(`1 session and 0 snapshots in ${home}: all is well.\n`);
});

test('sanbot doctor names file and line, --repair salvages the rest, and the session goes on [P20, D-06, D-08, S-33]', async () => {
  const { home, run, log, id } = await usedSandbox();
  appendFileSync(log, '\0\0\0not a record\n{"torn');
  chmodSync(log, 0o644);
  const found = await run(['doctor']);
  expect(found.code).toBe(8);
  expect(found.out.split('\n')).toEqual([
    `wrong     ${log}: other users have rights to it (mode 0644); --repair sets its mode to 0600`,
    expect.stringMatching(`^wrong     ${log}: damaged: line \\d+ \\(byte \\d+\\); --repair writes the log without them`),
    `wrong     ${log}: the last line was cut off (6 bytes); --repair sets it aside in a file beside the log`,
    '',
    `1 session and 0 snapshots in ${home}: 3 problems found. To repair what can be repaired: sanbot doctor --repair`,
    'model: offline, so there is no endpoint to check. sanbot setup chooses a model.',
    '',
  ]);
  const repaired = await run(['doctor', '--repair', '--session', id, '--json']);
  expect(repaired.code).toBe(0);
  expect(JSON.parse(repaired.out)).toMatchObject({
    sessions: 1,
    inUse: [],
    findings: [],
    repaired: [{ path: log }, { path: log }, { path: log }],
  });
  const next = await run(['--continue', '-p', 'status']);
  expect({ code: next.code, warned: next.err.includes('damaged') }).toEqual({ code: 0, warned: false });
});

test('sanbot doctor finds a damaged search index, and none in a sound one; --repair sets it aside for the next search to build anew [O30]', async () => {
  const { home, run, names } = await usedSandbox();
  const found = await run(['search', 'alpha', '--json']);
  expect(JSON.parse(found.out)).not.toEqual([]);
  const index = join(home, 'index.db');
  const indexFiles = () => names('.').filter((name) => name.startsWith('index.db'));
  expect(await run(['doctor'])).toMatchObject({ code: 0, out: expect.stringContaining('all is well') });
  for (const name of indexFiles()) writeFileSync(join(home, name), 'this is no database '.repeat(1_000));
  const damaged = await run(['doctor']);
  expect(damaged).toMatchObject({ code: 8, out: expect.stringContaining(`wrong     ${index}: the search index is damaged`) });
  const repaired = await run(['doctor', '--repair']);
  expect(repaired).toMatchObject({ code: 0, out: expect.stringContaining('the next search rebuilds it') });
  expect(indexFiles()).toEqual([]);
  expect(names('set-aside').flatMap((time) => names(`set-aside/${time}`))).toContain('index.db');
  expect((await run(['search', 'alpha', '--json'])).out).toBe(found.out);
});

test('sanbot doctor of a session that is not there ends with exit code 3', async () => {
  const { run } = await usedSandbox();
  expect(await run(['doctor', '--session', 'nothing'])).toMatchObject({ code: 3, out: '' });
});

test('sanbot doctor never asks for a repair that cannot be made: a log without a header or a snapshot [D-10]', async () => {
  const { home, run, log, id } = await usedSandbox();
  writeFileSync(log, readFileSync(log, 'utf8').replace(/^.*\n/, 'no header\n'), { mode: 0o600 });
  const lines = [
    expect.stringMatching(`^wrong     ${log}: it cannot be opened.*cannot be repaired.*sanbot sessions delete ${id} removes`),
    '',
    `1 session and 0 snapshots in ${home}: 1 problem found. It cannot be repaired.`,
    '',
  ];
  for (const args of [['doctor'], ['doctor', '--repair'], ['doctor', '--repair']]) {
    const { code, out } = await run([...args, '--no-endpoint']);
    expect({ code, lines: out.split('\n') }).toEqual({ code: 8, lines });
  }
  expect((await run(['sessions', 'delete', id, '--yes'])).code).toBe(0);
  expect(await run(['doctor'])).toMatchObject({ code: 0 });
});

test('sanbot doctor --repair finds a header behind stray bytes, and the session goes on where it was [D-10]', async () => {
  const { run, log } = await usedSandbox();
  writeFileSync(log, `X${readFileSync(log, 'utf8')}`, { mode: 0o600 });
  expect(await run(['doctor', '--repair'])).toMatchObject({ code: 0, out: expect.stringContaining('with a new header') });
  expect(await run(['--continue', '-p', 'status'])).toMatchObject({ code: 0, out: expect.stringContaining('1 tool call') });
});

test('a session that holds a reply no provider takes back is found, goes on by itself, and --repair mends its log', async () => {
  const { run, log } = await usedSandbox();
  const breakCall = (text: string) => text.replace('"name":"read_file"', '"name":null').replace(/,"crc":"[0-9a-f]{8}"\}$/gm, '}');
  writeFileSync(
    log,
    readFileSync(log, 'utf8')
      .split('\n')
      .map((line) => (line.includes('"type":"tool_use"') ? breakCall(line) : line))
      .join('\n'),
  );
  const broken = readFileSync(log, 'utf8');
  const found = await run(['doctor']);
  expect(found).toMatchObject({
    code: 8,
    out: expect.stringMatching(/it cannot be sent as it is: line \d+ holds a reply that no provider takes back; --repair/),
  });
  const repaired = await run(['doctor', '--repair']);
  expect(repaired).toMatchObject({ code: 0, out: expect.stringContaining('written with replies that can be sent') });
  expect(readFileSync(log, 'utf8')).toContain('"name":"unnamed"');
  expect(await run(['--continue', '-p', 'status'])).toMatchObject({ code: 0 });
  writeFileSync(log, broken);
  expect(await run(['--continue', '-p', 'status'])).toMatchObject({ code: 0 });
  expect(await run(['doctor'])).toMatchObject({ code: 0 });
});

test('a lock that a killed process left is told, and nothing is wrong for that [C-11]', async () => {
  const { home, run, id } = await usedSandbox();
  const lock = join(home, 'sessions', id, 'lock');
  writeFileSync(lock, '', { mode: 0o600 });
  const found = await run(['doctor', '--no-endpoint']);
  expect(found).toMatchObject({ code: 0, out: expect.stringContaining(`note      ${lock}: the process that held this lock has ended`) });
  expect(found.out).toContain('all is well.');
  expect(await run(['doctor', '--no-endpoint', '--repair'])).toMatchObject({ code: 0, out: expect.stringContaining(`repaired  ${lock}`) });
  expect(await run(['--continue', '-p', 'status'])).toMatchObject({ code: 0 });
});
