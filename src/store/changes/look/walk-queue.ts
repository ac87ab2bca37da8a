import type { Standing } from '../../../domain/session/change.ts';

/** A folder to be looked at, with what the system said of it. */
export type Waiting = { readonly path: string; readonly stamp: Standing | undefined };
export type Queue = ReturnType<typeof createQueue>;

/** The folders that wait: what git keeps of its own first, else in the order in which they came. */
export function createQueue(roots: readonly string[]) {
  const [ofGit, others]: [Waiting[], Waiting[]] = [[], []];
  let [gitAt, at] = [0, 0];
  return {
    isRoot: (path: string): boolean => roots.includes(path),
    add: (path: string, stamp: Standing | undefined): void => {
      (/\/\.git(?:\/|$)/.test(path) ? ofGit : others).push({ path, stamp });
    },
    next: (): Waiting | undefined => (gitAt < ofGit.length ? ofGit[gitAt++] : others[at++]),
    rest: (): readonly Waiting[] => [...ofGit.slice(gitAt), ...others.slice(at)],
  };
}
