import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { orUndefined } from '../domain/value/or-undefined.ts';

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
