import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { unsealed } from '../../support/unsealed.ts';

const ENV = { SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '12000' };
const line = (i: number) => `entry ${i}: the quick brown fox reads <b>part</b> ${i % 7}, 重构, and finds error E${1000 + i}`;
const page = (from: number, count: number) => Array.from({ length: count }, (_, i) => line(from + i)).join('\n');

/** A session that has offloaded and compacted: stubs, retired bodies, a checkpoint, a snapshot. */
let sandbox: Sandbox;
let id: string;
let file: string;

beforeAll(async () => {
  sandbox = createSandbox(ENV);
  mkdirSync(sandbox.home, { mode: 0o700 });
  writeFileSync(join(sandbox.home, 'config.json'), JSON.stringify({ compaction: { maxMessages: 6, keepRecentMessages: 4 } }), {
    mode: 0o600,
  });
  const say = (prompt: string, ...more: string[]) => sandbox.run(['-p', prompt, '--permission-mode', 'bypass', ...more]);
  for (const [name, text] of [
    ['a.txt', page(0, 30)],
    ['b.txt', page(30, 30)],
    ['bulk.txt', page(0, 400)],
  ] as const)
    writeFileSync(join(sandbox.cwd, name), text);
  await say('read a.txt');
  const prompts = ['we must never delete vendor/lib.ts', 'read bulk.txt', 'read b.txt', 'status', 'status', 'status'];
  for (const prompt of prompts) await say(prompt, '--continue');
  id = sandbox.names('sessions')[0] ?? '';
  await sandbox.run(['sessions', 'rename', id, '重构']);
  file = join(sandbox.cwd, 'session.jsonl');
  expect(await sandbox.run(['export', '--session', id, '-o', file])).toMatchObject({ code: 0, out: '' });
  expect(readFileSync(file, 'utf8')).toContain('"type":"snapshot"');
});

/** The file with its lines changed, and the hash at its end made right again: what a forger would send. */
function forged(change: (lines: string[]) => string[]): string {
  const lines = change(unsealed(readFileSync(file, 'utf8')).split('\n').slice(0, -2));
  const body = lines.map((each) => `${each}\n`).join('');
  return `${body}${JSON.stringify({ type: 'end', lines: lines.length, sha256: createHash('sha256').update(body).digest('hex') })}\n`;
}

describe('a file that is not what sanbot export wrote', () => {
  test('holds a record, a body and a snapshot twice, and one line of 20 MB: each is there once, and the session goes on [S-39, D-39]', async () => {
    const other = createSandbox(ENV);
    const twice = (lines: readonly string[]) =>
      ['"type":"body"', '"type":"snapshot"'].flatMap((kind) => lines.filter((each) => each.startsWith(`{${kind}`)));
    const giant = { type: 'record', record: { type: 'title', n: 9_999, at: '2026-01-02T03:04:05.000Z', title: '长'.repeat(7_000_000) } };
    writeFileSync(
      join(other.cwd, 'x.jsonl'),
      forged((lines) => [...lines, ...twice(lines), JSON.stringify(giant)]),
    );
    const { code, out, err } = await other.run(['import', 'x.jsonl']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('with 2 snapshots.') });
    expect(err).toMatch(/There is already a snapshot \S+; it was not replaced/);
    expect(other.names(`sessions/${id}/offloaded`)).toEqual(sandbox.names(`sessions/${id}/offloaded`));
    expect(await other.run(['--resume', id, '-p', 'status'])).toMatchObject({ code: 0 });
  });
});
