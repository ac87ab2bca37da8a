import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { driver } from '../support/sanbot.ts';

const canTrace = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true']).status === 0;

/** The system calls that change a disk or make a change durable, as strace writes them, and what is said on standard output. */
function callsOfLife(): { readonly folder: string; readonly calls: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-trace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, 'home');
  const traced =
    'trace=openat,open,write,writev,pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,ftruncate';
  const out = join(folder, 'trace');
  const work = JSON.stringify({ home, script: 'life' });
  const run = spawnSync('strace', ['-f', '-qq', '-y', '-s', '4000', '-e', traced, '-o', out, process.execPath, driver, 'work', work], {
    encoding: 'utf8',
  });
  expect([run.status, run.stderr]).toEqual([0, '']);
  const calls = readFileSync(out, 'utf8')
    .split('\n')
    .map((line) => line.replace(/^\d+\s+/, ''));
  return { folder, calls: calls.filter((call) => / = \d/.test(call) && (call.includes(folder) || /^write\(1</.test(call))) };
}

/** What a power cut could take away at this moment. */
type Unsafe = { readonly files: Set<string>; readonly names: Set<string> };

/** Locks and temporary names need not outlive anything, and events are not promised to. */
const isPassing = (path: string): boolean => /\.tmp$/.test(path) || /^lock/.test(basename(path)) || basename(path) === 'events.jsonl';

/** Follows one call; returns what is wrong about it. */
function follow(call: string, unsafe: Unsafe, known: Set<string>): string | undefined {
  const [name = ''] = call.split('(');
  const paths = [...call.matchAll(/"(\/[^"]*)"/g)].map((match) => match[1] ?? '');
  const target = /^\w+\(\d+<([^>]*)>/.exec(call)?.[1] ?? '';
  const last = paths.at(-1) ?? '';
  if (/^(write|writev|pwrite64|ftruncate)$/.test(name) && basename(target) !== 'events.jsonl') unsafe.files.add(target);
  if (/^f(data)?sync$/.test(name)) {
    unsafe.files.delete(target);
    unsafe.names.delete(target);
  }
  const makesName = /^(rename|link|mkdir)/.test(name) || (/^open/.test(name) && call.includes('O_CREAT') && !known.has(last));
  if (makesName && !isPassing(last)) unsafe.names.add(dirname(last));
  known.add(last);
  if (/^(rename|link)/.test(name)) {
    const from = paths[0] ?? '';
    if (unsafe.files.has(from) && !isPassing(last)) return `${last} gets its name before its bytes are safe`;
    if (/^rename/.test(name)) unsafe.files.delete(from);
  }
  if (/^unlink/.test(name)) {
    unsafe.files.delete(last);
    if (!isPassing(last) && unsafe.files.size > 0) return `${last} is deleted while ${[...unsafe.files].join()} is not safe`;
  }
  return undefined;
}

test('whatever is acknowledged is safe from a power cut: bytes, names and folders, in the right order [D-24, D-25, D-26, D-27]', (context) => {
  if (!canTrace) context.skip('strace is not there, or may not trace');
  const { folder, calls } = callsOfLife();
  const unsafe: Unsafe = { files: new Set(), names: new Set() };
  const known = new Set<string>();
  const wrong: string[] = [];
  let acknowledged = 0;
  for (const call of calls) {
    if (call.startsWith('write(1<')) {
      acknowledged += 1;
      for (const path of [...unsafe.files].filter((each) => !isPassing(each))) wrong.push(`${path} is not safe when ${call.slice(0, 60)}`);
      for (const folder of unsafe.names) wrong.push(`a name in ${folder} is not safe when ${call.slice(0, 60)}`);
    } else {
      const found = follow(call, unsafe, known);
      if (found !== undefined) wrong.push(found);
    }
  }
  expect(wrong.map((line) => line.replaceAll(folder, ''))).toEqual([]);
  expect(acknowledged).toBeGreaterThan(10);
});
