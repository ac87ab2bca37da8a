/** Lines of a file that were shown, from `first` to `last`, counted from 1. */
export type Seen = { readonly first: number; readonly last: number; readonly total: number };

type Known = { readonly sha256: string; readonly spans: readonly (readonly [number, number])[]; readonly total: number };

/** What the tools of one session know of the files they touched, by resolved path. In memory only: a resumed session starts anew. */
export type KnownFiles = {
  readonly noteRead: (path: string, sha256: string, seen: Seen) => void;
  /** The whole content came from the model. */
  readonly noteWritten: (path: string, sha256: string) => void;
  /** A part of it did; what else of it was never shown stays unknown. */
  readonly noteEdited: (path: string, sha256: string) => void;
  /** The content as last read or written by a tool; undefined for a file no tool touched. */
  readonly sha256Of: (path: string) => string | undefined;
  /** Whether only a part of the file was ever shown to the model. */
  readonly partlySeen: (path: string) => boolean;
  /** Runs the actions on one path one after the other, in the order they came. */
  readonly inTurn: <T>(path: string, action: () => Promise<T>) => Promise<T>;
};

export function createKnownFiles(): KnownFiles {
  const files = new Map<string, Known>();
  const partlySeen = (path: string): boolean => {
    const known = files.get(path);
    return known !== undefined && known.total > 0 && !known.spans.some(([first, last]) => first <= 1 && last >= known.total);
  };
  return {
    noteRead: (path, sha256, seen) => {
      const before = files.get(path);
      const spans = before?.sha256 === sha256 ? before.spans : [];
      files.set(path, { sha256, spans: joined([...spans, [seen.first, seen.last]]), total: seen.total });
    },
    noteWritten: (path, sha256) => {
      files.set(path, { sha256, ...ALL_SEEN });
    },
    noteEdited: (path, sha256) => {
      files.set(path, { sha256, ...(partlySeen(path) ? NEVER_WHOLE : ALL_SEEN) });
    },
    sha256Of: (path) => files.get(path)?.sha256,
    partlySeen,
    inTurn: createQueues(),
  };
}

const ALL_SEEN = { spans: [[1, Number.POSITIVE_INFINITY]], total: 0 } as const;
const NEVER_WHOLE = { spans: [], total: 1 } as const;

function createQueues(): KnownFiles['inTurn'] {
  const queues = new Map<string, Promise<unknown>>();
  return (path, action) => {
    const mine = (queues.get(path) ?? Promise.resolve()).then(action, action);
    const settled: Promise<unknown> = mine
      .catch(() => {})
      .then(() => {
        if (queues.get(path) === settled) queues.delete(path);
      });
    queues.set(path, settled);
    return mine;
  };
}

function joined(spans: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const sorted = [...spans].sort((a, b) => a[0] - b[0]);
  const out: (readonly [number, number])[] = [];
  for (const span of sorted) {
    const last = out.at(-1);
    if (last !== undefined && span[0] <= last[1] + 1) out[out.length - 1] = [last[0], Math.max(last[1], span[1])];
    else out.push(span);
  }
  return out;
}
