import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { driver, type Ran } from '../support/sanbot.ts';

export const canTrace = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true']).status === 0;

const TRACED =
  'trace=openat,open,write,writev,pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,ftruncate';

export type Traced = Pick<Ran, 'code' | 'err'> & {
  /** The calls below the folder that change a disk or make a change durable, as strace writes them, and what is said on standard output. */
  readonly calls: readonly string[];
};

/** Runs a driver under strace. */
export function traceDriver(
  args: readonly string[],
  { folder, ...where }: { readonly folder: string; readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
): Traced {
  const kept = mkdtempSync(join(tmpdir(), 'sanbot-trace-'));
  onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
  const out = join(kept, 'trace');
  const traced = ['-f', '-qq', '-y', '-s', '4000', '-e', TRACED, '-o', out];
  const run = spawnSync('strace', [...traced, process.execPath, driver, ...args], { encoding: 'utf8', ...where });
  const calls = wholeCalls(readFileSync(out, 'utf8').split('\n'));
  return {
    ...{ code: run.status, err: run.stderr },
    calls: calls.filter((call) => / = \d/.test(call) && (call.includes(folder) || /^write\(1</.test(call))),
  };
}

/** Where another thread calls meanwhile, strace writes a call in two lines: it stands where it ended. */
function wholeCalls(lines: readonly string[]): readonly string[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const [, pid = '', call = ''] = /^(\d*)\s*(.*)$/.exec(line) ?? [];
    const [, beginning] = /^(.*?)\s*<unfinished \.\.\.>$/.exec(call) ?? [];
    if (beginning !== undefined) begun.set(pid, beginning);
    if (beginning !== undefined) return [];
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/.exec(call) ?? [];
    return [end === undefined ? call : `${begun.get(pid) ?? ''}${end}`];
  });
}

/** What a power cut after one of these calls would take away of what was said before it, and what it would leave in the wrong order. */
export function lostByPowerCut(calls: readonly string[]): { readonly wrong: readonly string[]; readonly acknowledged: number } {
  const unsafe: Unsafe = { files: new Set(), names: new Set() };
  const known = new Set<string>();
  const wrong: string[] = [];
  let acknowledged = 0;
  const acknowledge = (what: string): void => {
    acknowledged += 1;
    for (const path of [...unsafe.files].filter((each) => !isPassing(each))) wrong.push(`${path} is not safe when ${what}`);
    for (const folder of unsafe.names) wrong.push(`a name in ${folder} is not safe when ${what}`);
  };
  for (const call of calls) {
    if (call.startsWith('write(1<')) acknowledge(call.slice(0, 60));
    else {
      const found = follow(call, unsafe, known);
      if (found !== undefined) wrong.push(found);
    }
  }
  return { wrong, acknowledged };
}

/** What a power cut could take away at this moment. */
type Unsafe = { readonly files: Set<string>; readonly names: Set<string> };

/** Locks and temporary names need not outlive anything, and events are not promised to. */
const isPassing = (path: string): boolean =>
  /\.tmp$/.test(path) || /^lock|\.lock$|\.claim-/.test(basename(path)) || basename(path) === 'events.jsonl';

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
    if (!isPassing(last)) unsafe.names.add(dirname(last));
    unsafe.files.delete(last);
    if (!isPassing(last) && unsafe.files.size > 0) return `${last} is deleted while ${[...unsafe.files].join()} is not safe`;
  }
  return undefined;
}
