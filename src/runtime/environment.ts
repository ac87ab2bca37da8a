import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock, Deadline, NewId, Sleep } from '../agent/ports/effects.ts';
import { AbortedError, SanbotError } from '../domain/errors.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { hideVariables } from './hide-environment.ts';

/** Where the program runs, and with what. */
export type ProcessState = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Throws store_failed when the folder is gone. */
  readonly cwd: () => string;
  readonly homedir: () => string;
  /** The number of the user; undefined on Windows. */
  readonly uid: number | undefined;
  readonly platform: string;
  readonly pid: number;
  /** What this process takes of the machine's memory. */
  readonly memoryBytes: () => number;
  /** Milliseconds of the processor that this process has used; left out in tests that share their process. */
  readonly cpuMs?: () => number;
  /** The program that runs JavaScript. */
  readonly node: string;
  /** The folder of the package: prompts/ and package.json are in it. */
  readonly packageRoot: string;
};

export type StandardStreams = {
  readonly stdin: NodeJS.ReadStream;
  /** False where standard input is the null device, as programs and timers give it to what they start. */
  readonly hasInput: () => boolean;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
};

/** What makes two runs differ that are equal otherwise. */
export type TimeAndChance = {
  readonly now: Clock;
  readonly newId: NewId;
  readonly random: () => number;
  readonly sleep: Sleep;
  readonly deadline: Deadline;
};

/** How this process ends, and how others are ended. */
export type ProcessControl = {
  readonly kill: (pid: number, signal: NodeJS.Signals | 0) => void;
  /** Runs when the program ends by itself, whatever the reason. Only what is synchronous is done. */
  readonly onExit: (callback: () => void) => void;
  readonly onSignal: (signal: NodeJS.Signals, callback: () => void) => void;
  /**
   * Takes the values of variables out of what other programs of the user can read of this process, while `env` keeps them. False where the
   * system has no way. Left out in tests that share their process.
   */
  readonly hide?: (names: readonly string[]) => boolean;
};

/** All that differs between a real run and a test. Only main.ts and this file read the process, the clock or randomness. */
export type Environment = ProcessState &
  StandardStreams &
  TimeAndChance &
  ProcessControl & {
    /** Called before each step that touches the disk, with its name: where tests put failures and kills. */
    readonly at?: (point: string) => number | undefined;
  };

export const processEnvironment = (): Environment => ({
  env: process.env,
  cwd: workingFolder,
  // Only where it is used: Node loads ten of its parts for a file.
  get stdin() {
    return process.stdin;
  },
  hasInput: () => !isNullDevice(0),
  stdout: process.stdout,
  stderr: process.stderr,
  homedir,
  uid: process.geteuid?.(),
  platform: process.platform,
  pid: process.pid,
  memoryBytes: () => process.memoryUsage.rss(),
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  node: process.execPath,
  kill: (pid, signal) => void process.kill(pid, signal),
  packageRoot: join(dirname(fileURLToPath(import.meta.url)), '..', '..'),
  now: () => new Date(),
  newId: () => randomHex(ID_BYTES),
  random: Math.random,
  sleep,
  deadline: (ms) => AbortSignal.timeout(ms),
  onExit: (callback) => void process.on('exit', callback),
  onSignal: (signal, callback) => void process.on(signal, callback),
  hide: (names) => process.platform === 'linux' && hideVariables(names, process.env),
});

const ID_BYTES = 8;

/** As the system gives them where it has a file for that: node:crypto takes a start 3 ms to load. */
function randomHex(bytes: number): string {
  const random = orUndefined(() => readExactly('/dev/urandom', bytes)) ?? randomBytes(bytes);
  return random.toString('hex');
}

/** Throws where there are fewer. */
function readExactly(path: string, count: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(count);
    if (readSync(file, bytes, 0, count, null) !== count) throw new RangeError(`${path} has no more bytes`);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Not that of node:timers/promises, which takes a start a millisecond to load. */
const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new AbortedError());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted === true) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

function isNullDevice(descriptor: number): boolean {
  const stats = orUndefined(() => fstatSync(descriptor));
  return stats?.isCharacterDevice() === true && stats.rdev === orUndefined(() => statSync('/dev/null'))?.rdev;
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new SanbotError(
      'store_failed',
      { en: 'The working folder no longer exists, or cannot be entered', zh: '当前文件夹已不存在，或无法进入' },
      { en: 'Change to another folder (cd), then start again.', zh: '请切换到另一个文件夹（cd），再重新启动。' },
      cause,
    );
  }
}
