import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { createStore } from '../../src/store/store.ts';
import { driver } from '../support/sanbot.ts';

/** Memory, so that a thousand syncs cost nothing; a kill loses nothing of it. */
const RAM = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export function newHome(): string {
  const folder = mkdtempSync(join(RAM, 'sanbot-crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'home');
}

export type Said = Readonly<Record<string, unknown>>;
export type Worker = {
  readonly pid: number;
  /** What it says next; undefined when it has ended. */
  readonly next: () => Promise<Said | undefined>;
  readonly order: (line: string) => void;
  readonly kill: () => void;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly errors: string }>;
};

export type Work = { readonly home: string; readonly script: string; readonly killAt?: number; readonly pieces?: number };

export function startWork(work: Work): Worker {
  return watch(spawn(process.execPath, [driver, 'work', JSON.stringify(work)], { stdio: 'pipe' }));
}

function watch(child: ChildProcess): Worker {
  const { stdout, stderr, stdin } = child;
  if (stdout === null || stderr === null || stdin === null) throw new Error('no pipes');
  let errors = '';
  stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  stdin.on('error', () => undefined);
  const lines: Interface = createInterface({ input: stdout });
  const iterator = lines[Symbol.asyncIterator]();
  const ended = new Promise<{ code: number | null; signal: string | null; errors: string }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, errors }));
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return {
    pid: child.pid ?? -1,
    next: async () => {
      const { value, done } = await iterator.next();
      return done === true ? undefined : JSON.parse(value);
    },
    order: (line) => {
      stdin.write(`${line}\n`);
    },
    kill: () => {
      child.kill('SIGKILL');
    },
    ended,
  };
}

/** All that a worker said until it ended. */
export async function allSaid(worker: Worker): Promise<readonly Said[]> {
  const said: Said[] = [];
  for (let next = await worker.next(); next !== undefined; next = await worker.next()) said.push(next);
  return said;
}

let serial = 0;
/** The same home, seen by this process; `later` moves its clock on. */
export function storeIn(home: string, later = 0) {
  const told: string[] = [];
  const store = createStore(
    {
      home,
      now: () => new Date(Date.now() + later),
      newId: () => `t${(++serial).toString(36).padStart(6, '0')}`,
      pid: process.pid,
      platform: process.platform,
      probePid: (pid) => {
        process.kill(pid, 0);
      },
    },
    { maxSessionBytes: 1e9, warn: (line) => told.push(line.en) },
  );
  return { store, told };
}

/** Every file below a folder. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
