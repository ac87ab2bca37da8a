import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { z } from 'zod';
import { orUndefined } from '../../../domain/value/or-undefined.ts';

/** Tells a process from a later one with the same number: numbers are given again, and mean something only in one boot of one container. */
export const processIdentitySchema = z.strictObject({
  pid: z.int().min(1),
  start: z.string(),
  boot: z.string(),
  space: z.string(),
});
export type ProcessIdentity = Readonly<z.infer<typeof processIdentitySchema>>;

/** Undefined when no such process runs; one that has ended and only waits for its parent does not run. */
export function identityOf(pid: number, platform: string): ProcessIdentity | undefined {
  const start = platform === 'linux' ? linuxStart(pid) : otherStart(pid);
  if (start === undefined) return undefined;
  const boot = orUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '';
  return { pid, start, boot, space: orUndefined(() => readlinkSync('/proc/self/ns/pid')) ?? '' };
}

/** True while this very process runs, and not another that got its number. */
export function isRunning(identity: ProcessIdentity, platform: string): boolean {
  const now = identityOf(identity.pid, platform);
  return now !== undefined && now.start === identity.start && now.boot === identity.boot && now.space === identity.space;
}

/** The fields of /proc/PID/stat behind the program's name, which may contain anything, begin with the state; the start is the 20th. */
function linuxStart(pid: number): string | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return ['Z', 'X', undefined].includes(fields[0]) ? undefined : fields[19];
}

function otherStart(pid: number): string | undefined {
  const line = orUndefined(() =>
    execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
  );
  return line === undefined || line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
}
