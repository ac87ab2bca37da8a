import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createSandbox } from './sanbot.ts';

export const EXPORT_ENV = { SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '12000' };
export const exportedLine = (i: number) => `entry ${i}: the quick brown fox reads <b>part</b> ${i % 7}, 重构, and finds error E${1000 + i}`;
const page = (from: number, count: number) => Array.from({ length: count }, (_, i) => exportedLine(from + i)).join('\n');

/** A session that has offloaded and compacted: stubs, retired bodies, a checkpoint, a snapshot; and its export. */
export async function exportedSession() {
  const sandbox = createSandbox(EXPORT_ENV);
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
  const id = sandbox.names('sessions')[0] ?? '';
  await sandbox.run(['sessions', 'rename', id, '重构']);
  const file = join(sandbox.cwd, 'session.jsonl');
  expect(await sandbox.run(['export', '--session', id, '-o', file])).toMatchObject({ code: 0, out: '' });
  expect(readFileSync(file, 'utf8')).toContain('"type":"snapshot"');
  return { sandbox, id, file };
}
