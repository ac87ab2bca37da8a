/** Lines of a file that were shown, from `first` to `last`, counted from 1. */
export type SeenLines = { readonly first: number; readonly last: number; readonly total: number };

type Span = readonly [first: number, last: number];
type KnownFile = { readonly sha256: string; readonly spans: readonly Span[]; readonly total: number };

export type KnownFiles = ReturnType<typeof createKnownFiles>;

/** What the tools of one session know about the files they touched, by resolved path. In memory only: a resumed session starts anew. */
export function createKnownFiles() {
  const files = new Map<string, KnownFile>();
  /** True when only a part of the file was ever shown to the model. */
  const partlySeen = (path: string): boolean => {
    const file = files.get(path);
    return file !== undefined && file.total > 0 && !file.spans.some(([first, last]) => first <= 1 && last >= file.total);
  };
  return {
    recordRead: (path: string, sha256: string, lines: SeenLines): void => {
      const before = files.get(path);
      const spans = before?.sha256 === sha256 ? before.spans : [];
      files.set(path, { sha256, spans: mergeSpans([...spans, [lines.first, lines.last]]), total: lines.total });
    },
    /** For content that came from the model as a whole. */
    recordWrite: (path: string, sha256: string): void => void files.set(path, { sha256, ...ALL_SEEN }),
    /** For content of which a part came from the model; what was never shown of the rest stays unknown. */
    recordEdit: (path: string, sha256: string): void => void files.set(path, { sha256, ...(partlySeen(path) ? PARTLY_SEEN : ALL_SEEN) }),
    /** The hash of the content last read or written by a tool; undefined for a file that no tool touched. */
    sha256Of: (path: string): string | undefined => files.get(path)?.sha256,
    partlySeen,
    runExclusive: createQueues(),
  };
}

const ALL_SEEN = { spans: [[1, Number.POSITIVE_INFINITY]], total: 0 } as const;
const PARTLY_SEEN = { spans: [], total: 1 } as const;

/** Runs the actions on one path one after another, in the order in which they came. */
function createQueues() {
  const queues = new Map<string, Promise<unknown>>();
  return <T>(path: string, action: () => Promise<T>): Promise<T> => {
    const run = (queues.get(path) ?? Promise.resolve()).then(action, action);
    const settled: Promise<unknown> = run
      .catch(() => {})
      .then(() => {
        if (queues.get(path) === settled) queues.delete(path);
      });
    queues.set(path, settled);
    return run;
  };
}

function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const out: Span[] = [];
  for (const span of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last !== undefined && span[0] <= last[1] + 1) out[out.length - 1] = [last[0], Math.max(last[1], span[1])];
    else out.push(span);
  }
  return out;
}
