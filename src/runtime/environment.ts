import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { availableParallelism, homedir, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock, Deadline, NewId, Sleep } from '../agent/ports/effects.ts';
import { AbortedError, SanbotError } from '../domain/errors.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';

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
  /** Milliseconds that it waited for the processor: 0 where the system does not tell. */
  readonly waitedMs?: () => number;
  /** How many want each processor; 0 where the system does not tell (Windows). */
  readonly load?: () => number;
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
  waitedMs: () => Number(orUndefined(() => readFileSync('/proc/thread-self/schedstat', 'latin1'))?.split(' ')[1] ?? 0) / 1e6,
  load: () => (loadavg()[0] ?? 0) / availableParallelism(),
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

/**
 * Takes the values of these variables out of /proc/PID/environ, where every program of the same user reads what a process was started with,
 * whatever it has deleted since. Linux shows there the memory that the kernel filled at the start, so that is overwritten; this process and what
 * it starts keep the variables, in memory of their own. No second process is needed, which would have to hold the key itself while it waits.
 * Returns whether none of the values is there any more: elsewhere than on Linux, and where /proc is not as expected, nothing is changed.
 */
export function hideVariables(names: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const values = names.map((name) => [name, env[name] ?? ''] as const).filter(([, value]) => value !== '');
  if (values.length === 0) return true;
  return orUndefined(() => overwrite(values, env)) ?? false;
}

type Values = readonly (readonly [name: string, value: string])[];

function overwrite(values: Values, env: NodeJS.ProcessEnv): boolean {
  const shown = readFileSync('/proc/self/environ');
  const start = startOfEnvironment(readFileSync('/proc/self/stat', 'latin1'));
  const places = values.flatMap(([name]) => placesOf(name, shown));
  if (places.length === 0) return true;
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    const there = Buffer.alloc(shown.length);
    readSync(memory, there, 0, there.length, start);
    if (!there.equals(shown)) return false;
    // Set anew, a variable stands elsewhere: nothing reads the old place from here on.
    for (const [name, value] of values) {
      delete env[name];
      env[name] = value;
    }
    for (const { from, to } of places) writeSync(memory, Buffer.alloc(to - from), 0, to - from, start + from);
  } finally {
    closeSync(memory);
  }
  const left = readFileSync('/proc/self/environ');
  return values.every(([name]) => placesOf(name, left).every(({ from, to }) => left.subarray(from, to).every((byte) => byte === 0)));
}

/** The 50th field of /proc/PID/stat; the second is a name in parentheses that may hold anything. */
function startOfEnvironment(stat: string): number {
  const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[50 - 3]);
  if (!Number.isSafeInteger(start) || start <= 0) throw new RangeError('no place of the environment');
  return start;
}

/** Where the values of a variable are; a hidden one leaves its name. */
function placesOf(name: string, environ: Buffer): readonly { readonly from: number; readonly to: number }[] {
  const wanted = Buffer.from(`${name}=`);
  const places: { readonly from: number; readonly to: number }[] = [];
  for (let at = 0; at < environ.length; ) {
    const end = environ.indexOf(0, at);
    const to = end < 0 ? environ.length : end;
    if (environ.subarray(at, to).subarray(0, wanted.length).equals(wanted) && to > at + wanted.length)
      places.push({ from: at + wanted.length, to });
    at = to + 1;
  }
  return places;
}
