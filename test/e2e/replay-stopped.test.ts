import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asClaudeCode, longSession } from '../support/recorded.ts';
import { binary, createSandbox } from '../support/sanbot.ts';

const sandbox = createSandbox();
writeFileSync(join(sandbox.cwd, 'long.jsonl'), asClaudeCode(longSession({ turns: 150, bodyLines: 150 })));

const entries = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
};
/** What a replay keeps for itself while it runs, in either place. */
const passing = (pid: number | undefined): readonly string[] =>
  [tmpdir(), '/dev/shm'].flatMap(entries).filter((path) => path.includes(`sanbot-replay-${pid}-`));

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a replay that %s stops leaves nothing behind', async (signal) => {
  const child = spawn(process.execPath, [binary, 'replay', 'long.jsonl', '--window', '16k,32k', '--policy', 'all'], {
    env: sandbox.env,
    cwd: sandbox.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece: Buffer) => {
    out += piece.toString();
  });
  child.stderr.on('data', (piece: Buffer) => {
    err += piece.toString();
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await expect.poll(() => passing(child.pid).flatMap(entries)).not.toEqual([]);
  child.kill(signal);
  expect(await ended).toBe(130);
  expect({ out, err }).toEqual({ out: '', err: 'sanbot: interrupted\n' });
  expect(passing(child.pid)).toEqual([]);
});

test('a replay that fails in the middle leaves nothing behind', async () => {
  writeFileSync(join(sandbox.cwd, 'notes.txt'), 'Dear diary.');
  const child = spawn(process.execPath, [binary, 'replay', 'notes.txt', 'long.jsonl'], {
    env: sandbox.env,
    cwd: sandbox.cwd,
    stdio: 'ignore',
  });
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2);
  expect(passing(child.pid)).toEqual([]);
});
