import { type ChildProcess, spawn } from 'node:child_process';
import { AbortedError } from '../../domain/errors.ts';
import { scrubbedEnv } from '../command/scrub-env.ts';

type Search = {
  /** The folder it runs in; globs are relative to it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Given to it as its input; otherwise it has none. */
  readonly input?: string | undefined;
  /** What separates its records: a line feed or a NUL. */
  readonly separator: '\n' | '\0';
  /** Gets each record; a record too long to hold comes as `too_long` with its beginning. False ends the search early. */
  readonly onRecord: (record: string, whole: 'whole' | 'too_long') => boolean;
};

export type Searched = {
  /** `done` when it ran to its end, `stopped` when `onRecord` wanted no more. */
  readonly kind: 'done' | 'stopped' | 'timed_out' | 'failed';
  /** Its complaints: a wrong pattern, folders it could not read. */
  readonly complaints: string;
};

const TIME_LIMIT_MS = 30_000;
const MAX_RECORD_BYTES = 16 * 1024 * 1024;
const MAX_COMPLAINT_CHARS = 4_000;

/** No configuration of the user's or of the project's is read: it could make ripgrep run programs. */
const ALWAYS = ['--no-config', '--color=never'] as const;

/**
 * Runs ripgrep, at most half a minute. Its memory is its own; ours is bounded by one record. Rejects with AbortedError when
 * the signal aborts, and with an Error when there is no ripgrep for this platform.
 */
export async function ripgrep(args: readonly string[], search: Search): Promise<Searched> {
  const { rgPath } = await import('@vscode/ripgrep');
  if (search.signal.aborted) throw new AbortedError('stopped');
  const child = spawn(rgPath, [...ALWAYS, ...args], { cwd: search.cwd, env: scrubbedEnv(search.env), stdio: ['pipe', 'pipe', 'pipe'] });
  const closed = closing(child);
  if (child.pid === undefined) await closed; // rejects: it was not started, and has no pipes
  const outcome: { ended: Searched['kind']; complaints: string; fault: unknown } = { ended: 'done', complaints: '', fault: undefined };
  const end = (kind: Searched['kind']): void => {
    if (outcome.ended === 'done') outcome.ended = kind;
    child.kill('SIGKILL');
  };
  const abort = () => end('stopped');
  const records = splitter(search, () => end('stopped'));
  const guarded = (action: () => void): void => {
    try {
      action();
    } catch (error) {
      outcome.fault ??= error; // thrown in a listener it would end the program
      end('failed');
    }
  };
  child.stdin.on('error', () => {}); // it may end before it has read everything
  child.stdin.end(search.input ?? '');
  child.stdout.on('data', (chunk: Buffer) => guarded(() => records.take(chunk)));
  child.stderr.on('data', (chunk: Buffer) => {
    if (outcome.complaints.length < MAX_COMPLAINT_CHARS) outcome.complaints += chunk.toString('utf8');
  });
  search.signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => end('timed_out'), TIME_LIMIT_MS);
  const code = await closed.finally(() => {
    clearTimeout(timer);
    search.signal.removeEventListener('abort', abort);
  });
  if (search.signal.aborted) throw new AbortedError('stopped');
  if (outcome.ended === 'done') guarded(records.finish);
  if (outcome.fault !== undefined) throw outcome.fault;
  const kind = outcome.ended === 'done' && code === 2 ? 'failed' : outcome.ended;
  return { kind, complaints: outcome.complaints.trim().slice(0, MAX_COMPLAINT_CHARS) };
}

/** The exit code, once it has ended and all its output was read. */
function closing(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

type Splitter = { readonly take: (chunk: Buffer) => void; readonly finish: () => void };

function splitter(search: Search, stop: () => void): Splitter {
  const feed = search.separator.charCodeAt(0);
  let parts: Buffer[] = [];
  let held = 0;
  let stopped = false;
  const give = (): void => {
    if (stopped) return;
    const record = Buffer.concat(parts).toString('utf8');
    if (!search.onRecord(record, held > MAX_RECORD_BYTES ? 'too_long' : 'whole')) {
      stopped = true;
      stop();
    }
    parts = [];
    held = 0;
  };
  const hold = (piece: Buffer): void => {
    // Of a record that is too long its beginning says enough.
    if (held <= MAX_RECORD_BYTES) parts.push(piece);
    held += piece.length;
  };
  return {
    take: (chunk) => {
      let start = 0;
      for (let at = chunk.indexOf(feed); at >= 0 && !stopped; at = chunk.indexOf(feed, start)) {
        hold(chunk.subarray(start, at));
        give();
        start = at + 1;
      }
      if (!stopped && start < chunk.length) hold(chunk.subarray(start));
    },
    finish: () => {
      if (held > 0) give();
    },
  };
}
