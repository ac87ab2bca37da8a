import { spawn } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { NewId } from '../../agent/ports/effects.ts';
import { AbortedError } from '../../domain/errors.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { processGuard } from '../command/processes/guard.ts';
import { NO_RULES, scrubEnv } from '../command/scrub-env.ts';
import { splitRecords } from '../split-records.ts';

/** `onRecord` ends the search early where it returns false. */
export type RipgrepOptions = Parameters<typeof splitRecords>[0] & {
  /** The folder that it runs in; globs are relative to it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly newId: NewId;
  readonly signal: AbortSignal;
  /** Passed to it as its input; otherwise it has none. */
  readonly input?: string | undefined;
  /** Half a minute, unless said otherwise. */
  readonly timeLimitMs?: number;
};

/** What a search takes of a session to run in. */
export const processOf = ({ env, platform, newId }: Pick<RipgrepOptions, 'env' | 'platform' | 'newId'>) => ({ env, platform, newId });

export type RipgrepResult = {
  /** `done` when it ran to its end, `stopped` when `onRecord` returned false. */
  readonly kind: 'done' | 'stopped' | 'timed_out' | 'failed';
  /** Its error output: a wrong pattern, folders it could not read. */
  readonly stderr: string;
};

const TIME_LIMIT_MS = 30_000;
const MAX_STDERR_CHARS = 4_000;

/** No configuration of the user or the project is read, since it could make ripgrep run programs. */
const BASE_ARGS = ['--no-config', '--color=never'] as const;

/**
 * Runs ripgrep for at most half a minute. Our memory is bounded by one record, whatever ripgrep itself uses. Rejects with AbortedError when
 * the signal aborts, and with an Error when there is no ripgrep for this platform.
 */
export async function ripgrep(args: readonly string[], options: RipgrepOptions): Promise<RipgrepResult> {
  const { rgPath } = await import('@vscode/ripgrep');
  if (options.signal.aborted) throw new AbortedError('stopped');
  const [name, value] = ['RIPGREP_ID', options.newId()];
  const processes = processGuard(options.platform);
  // A search that finds nothing notices no closed pipe.
  processes.begin(`${name}=${value}`);
  const child = spawn(rgPath, [...BASE_ARGS, ...args], {
    cwd: options.cwd,
    env: { ...scrubEnv(options.env, NO_RULES).env, [name]: value },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // With the exit code, once the process has ended and all its output was read.
  const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (child.pid === undefined) await closed.finally(() => processes.end(`${name}=${value}`)); // rejects: the process was not started and has no pipes
  const outcome: { kind: RipgrepResult['kind']; stderr: string; error: unknown } = { kind: 'done', stderr: '', error: undefined };
  const end = (kind: RipgrepResult['kind']): void => {
    if (outcome.kind === 'done') outcome.kind = kind;
    child.kill('SIGKILL');
  };
  const abort = () => end('stopped');
  const onRecord: RipgrepOptions['onRecord'] = (record, completeness) => {
    const goesOn = options.onRecord(record, completeness);
    if (!goesOn) end('stopped');
    return goesOn;
  };
  const records = splitRecords({ ...options, onRecord });
  const guard = (action: () => void): void => {
    try {
      action();
    } catch (error) {
      outcome.error ??= error; // thrown from a listener, it would end the program
      end('failed');
    }
  };
  child.stdin.on('error', () => {}); // ripgrep may end before it has read everything
  child.stdin.end(options.input ?? '');
  child.stdout.on('data', (chunk: Buffer) => guard(() => void records.push(chunk)));
  child.stderr.on('data', (chunk: Buffer) => {
    if (outcome.stderr.length < MAX_STDERR_CHARS) outcome.stderr += chunk.toString('utf8');
  });
  options.signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => end('timed_out'), options.timeLimitMs ?? TIME_LIMIT_MS);
  const code = await closed.finally(() => {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', abort);
    processes.end(`${name}=${value}`);
  });
  if (options.signal.aborted) throw new AbortedError('stopped');
  if (outcome.kind === 'done') guard(records.finish);
  if (outcome.error !== undefined) throw outcome.error;
  const kind = outcome.kind === 'done' && code === 2 ? 'failed' : outcome.kind;
  return { kind, stderr: outcome.stderr.trim().slice(0, MAX_STDERR_CHARS) };
}

/**
 * Returns the arguments for how ripgrep walks a folder: hidden files are included, ignore files are obeyed (a .gitignore even where there
 * is no repository), and git's own files and SanBot's home are excluded. They must come after every other glob, since the last one wins.
 */
export async function walkArgs(root: string, home: string): Promise<readonly string[]> {
  const repository = inRepository(root);
  const realHome = await realpath(home).catch(() => home);
  const hideHome = realHome !== root && isWithin(realHome, root) ? ['--glob', `!/${globFor(relative(root, realHome))}`] : [];
  return ['--hidden', ...(repository ? [] : ['--no-require-git']), '--glob', '!.git', ...hideHome];
}

function inRepository(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if (orUndefined(() => lstatSync(join(current, '.git'))) !== undefined) return true;
    if (dirname(current) === current) return false;
  }
}

/** Returns a glob that matches exactly this path. */
export const globFor = (path: string): string =>
  path
    .split(sep)
    .join('/')
    .replace(/[\\*?[\]{}!]/g, '\\$&');
