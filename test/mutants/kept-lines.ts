import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Results that outlive an interruption: a line of JSON each. A last line that was cut off is left out. */
export type KeptLines<T> = { readonly all: () => readonly T[]; readonly add: (result: T) => void };

export function keptLines<T>(path: string): KeptLines<T> {
  mkdirSync(dirname(path), { recursive: true });
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split(/(?<=\n)/) : [];
  const whole = lines.filter((line) => line.endsWith('\n'));
  if (whole.length < lines.length) writeFileSync(path, whole.join(''));
  const results: T[] = whole.map((line) => JSON.parse(line));
  return {
    all: () => results,
    add: (result) => {
      results.push(result);
      appendFileSync(path, `${JSON.stringify(result)}\n`);
    },
  };
}
