import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HeaderRecord, MessageRecord } from '../../../../src/domain/session/record.ts';
import type { Disk } from '../../../../src/store/files/disk.ts';
import type { FaultHook, StoreEnvironment } from '../../../../src/store/files/host.ts';
import { pathsOf } from '../../../../src/store/files/paths.ts';
import { createStore } from '../../../../src/store/store.ts';
import { contextOf, user } from '../../../support/build.ts';

export const START = new Date('2026-03-04T05:06:07.000Z');

/** Where a sync costs nothing, when there is such a place. */
const RAM = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A folder of its own for one test, gone with it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(RAM, 'sanbot-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let serial = 0;
export const nextId = (): string => `${(++serial).toString(36).padStart(6, '0')}${process.pid.toString(36)}`;

export type WorldOptions = { readonly at?: FaultHook; readonly now?: () => Date; readonly platform?: string; readonly home?: string };

/** A world with a clock that stands still unless the test moves it, and what was told in `told`. */
export function worldOf({ at, now = () => START, platform = 'linux', home = join(newFolder(), 'home') }: WorldOptions = {}) {
  const told: string[] = [];
  const world: StoreEnvironment = {
    home,
    now,
    newId: nextId,
    pid: process.pid,
    platform,
    probePid: (pid) => {
      process.kill(pid, 0);
    },
    ...(at === undefined ? {} : { at }),
  };
  const disk: Disk = { ...world, warn: (line) => told.push(line.en) };
  return { world, disk, told, paths: pathsOf(home) };
}

/** A store in such a world. */
export function storeOf(options: WorldOptions & { readonly maxSessionBytes?: number } = {}) {
  const made = worldOf(options);
  const store = createStore(made.world, { maxSessionBytes: options.maxSessionBytes ?? 1_000_000_000, warn: made.disk.warn });
  return { ...made, store };
}

export const headerOf = (sessionId: string, more: Partial<HeaderRecord> = {}): HeaderRecord => ({
  type: 'header',
  v: 1,
  sessionId,
  group: 'main',
  cwd: '/home/dev',
  model: 'offline',
  context: contextOf([]),
  ...more,
});

export const said = (text: string): MessageRecord => ({ type: 'message', message: user(text) });

/** An error as the system throws it. */
export const systemError = (code: string): Error => Object.assign(new Error(`${code}: as the system says`), { code });

/** Fails every call of one step, or its first `times`. */
export function failing(point: string, code: string, times = Number.POSITIVE_INFINITY): FaultHook {
  let left = times;
  return (at) => {
    if (at === point && left-- > 0) throw systemError(code);
    return undefined;
  };
}

/** Keeps a content of a file as versions before the record of changes did. */
export function keepFormerVersion({ paths }: Pick<ReturnType<typeof worldOf>, 'paths'>, sessionId: string, content: Uint8Array): void {
  mkdirSync(paths.versions(sessionId), { recursive: true, mode: 0o700 });
  writeFileSync(paths.version(sessionId, createHash('sha256').update(content).digest('hex')), content, { mode: 0o600 });
}

/** What is in a folder, without what the test itself has open. */
export const namesOf = (folder: string): readonly string[] => readdirSync(folder).sort();

export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** What a call throws. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
