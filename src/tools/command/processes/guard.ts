import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * What SanBot starts and what must not outlive it: commands, hooks, servers, searches. A SIGKILL leaves no time to end them, and the system
 * does not do it either: only bubblewrap's own processes ask the kernel to die with their parent, and not before they have run for a while.
 *
 * So a small shell waits at a pipe. It is told what runs before that begins, and the pipe closes in the moment in which this process is gone,
 * however it went. Then it kills what it was told of: the process groups, and on Linux all that bear the marks, which finds what was started
 * before its number could be told, and what has left its group. Where the guard itself is killed, another takes its place at once.
 */
export type Guard = {
  /** To be called before it is started. `mark`: a line `NAME=value`, without blanks, that is in no other environment. */
  readonly begin: (mark: string) => void;
  /** To be called with the number of its process group, once that is known. */
  readonly group: (mark: string, pid: number) => void;
  /** To be called when it has ended, or may go on without this process. */
  readonly end: (mark: string) => void;
};

/** Where it does not start at all, nothing is gained by more. */
const MAX_STARTS = 100;

type Waiting = { readonly tell: (line: string) => void };

function createGuard(platform: string): Guard {
  const running = new Map<string, number | undefined>();
  let waiting: Waiting | undefined;
  let starts = 0;
  const start = (): Waiting => {
    starts++;
    const started = startWaiting(platform, () => {
      if (waiting !== started) return;
      waiting = undefined;
      // Killed by somebody: what runs needs another.
      if (running.size > 0 && starts < MAX_STARTS) waiting = start();
    });
    for (const [mark, pid] of running) started.tell(`begin ${mark} ${pid ?? ''}`);
    return started;
  };
  const tell = (line: string): void => {
    if (starts < MAX_STARTS) waiting ??= start();
    waiting?.tell(line);
  };
  return {
    begin: (mark) => {
      tell(`begin ${mark}`);
      running.set(mark, undefined);
    },
    group: (mark, pid) => {
      if (!running.has(mark)) return;
      running.set(mark, pid);
      tell(`begin ${mark} ${pid}`);
    },
    end: (mark) => {
      if (running.delete(mark)) tell(`end ${mark}`);
    },
  };
}

function startWaiting(platform: string, ended: () => void): Waiting {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sanbot-guard', platform], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.once('error', ended).once('exit', ended);
  child.stdin.on('error', () => undefined);
  // Neither keeps SanBot from ending.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return { tell: (line) => void child.stdin.write(`${line}\n`) };
}

/**
 * A process that is just being started has the environment of what starts it until it runs its own program: so it looks until it has found
 * nothing three times. A process that was killed and that nobody waits for is still there: so it does not look for ever.
 */
const SCRIPT = `trap '' HUP INT TERM
kept=
while read -r word mark pid; do
  next=
  for each in $kept; do
    case $each in "$mark":*) ;; *) next="$next $each" ;; esac
  done
  kept=$next
  [ "$word" = begin ] && kept="$kept $mark:$pid"
done
[ -n "$kept" ] || exit 0
quiet=0 rounds=0
while [ $quiet -lt 3 ] && [ $rounds -lt 40 ]; do
  quiet=$((quiet + 1)) rounds=$((rounds + 1))
  for each in $kept; do
    pid=\${each##*:}
    [ -n "$pid" ] && kill -s KILL -- "-$pid" && quiet=0
    [ "$1" = linux ] || continue
    for file in $(grep -lsxzF -e "\${each%:*}" /proc/[0-9]*/environ); do
      file=\${file#/proc/}
      kill -s KILL "\${file%/environ}" && quiet=0
    done
  done
  sleep 0.05 || sleep 1
done`;

const guards = new Map<string, Guard>();

/** The one of this process. Windows has no such shell, and so no guard. */
export function processGuard(platform: string): Guard {
  const known = guards.get(platform);
  if (known !== undefined) return known;
  const made = platform === 'win32' ? NO_GUARD : createGuard(platform);
  guards.set(platform, made);
  return made;
}

const NO_GUARD: Guard = { begin: () => undefined, group: () => undefined, end: () => undefined };
