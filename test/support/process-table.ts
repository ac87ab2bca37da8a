import { readdirSync, readFileSync } from 'node:fs';

export type ProcessRow = { readonly pid: number; readonly parent: number; readonly name: string; readonly line: string };

/** What runs with this line `NAME=value` in its environment; what has ended and only waits for its parent does not. */
export const processesWith = (mark: string): readonly ProcessRow[] =>
  rows().filter(({ pid }) => textOf(`/proc/${pid}/environ`).split('\0').includes(mark));

export const childrenOf = (parent: number | undefined): readonly ProcessRow[] => rows().filter((row) => row.parent === parent);

export const isAlive = (pid: number): boolean => rows().some((row) => row.pid === pid);

const rows = (): readonly ProcessRow[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = textOf(`/proc/${pid}/stat`);
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === undefined || ['', 'Z', 'X'].includes(state)) return [];
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      return [{ pid: Number(pid), parent: Number(parent), name, line: textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }];
    });

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
