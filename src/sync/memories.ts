import { z } from 'zod';
import { encodeRecord, readRecord } from '../store/files/record-line.ts';
import type { SyncHome } from './home.ts';
import { type LiveEntry, type MemoryOp, memorySet, parseMemoryOp, type Stamp, stampAfter } from './memory-set.ts';

/** What begins the name of a log that holds one writer's words on memories. */
export const JOURNAL = '~';

/** The pages of memories of one home, as people and the agent write them. */
export type MemoryPages = {
  readonly entries: () => readonly LiveEntry[];
  readonly mayLeave: (entry: LiveEntry) => boolean;
  /** Brings the pages to these entries, in this order; what is on a page and no entry stays. */
  readonly render: (live: readonly LiveEntry[]) => void;
  /** What the pages held when they were last rendered. */
  readonly readRendered: () => unknown;
  readonly writeRendered: (entries: readonly LiveEntry[]) => void;
};

export type NoteOptions = { readonly pages: MemoryPages; readonly nowMs: number };

const renderedSchema = z.array(z.object({ group: z.string(), page: z.string(), id: z.string(), line: z.string() }));

/** Writes what changed on the pages since they were last rendered into this writer's journal, to be sent. */
export function noteMemories(home: SyncHome, { pages, nowMs }: NoteOptions): void {
  const { changes, last } = changedMemories(home, pages);
  if (changes.length > 0) appendOps(home, changes, { last, nowMs });
}

export function changedMemories(
  home: SyncHome,
  pages: MemoryPages,
): { readonly changes: readonly Change[]; readonly last: Stamp | undefined } {
  const parsed = renderedSchema.safeParse(pages.readRendered());
  const rendered = parsed.success ? parsed.data : [];
  const { last, live } = memorySet(allOps(home));
  const entries = pages.entries();
  const [lived, present] = [byKey(live), byKey(entries)];
  const changes = [
    ...entries
      .filter((entry) => lived.get(keyOf(entry))?.line !== entry.line && pages.mayLeave(entry))
      .map((entry) => ({ type: 'memory' as const, ...entry })),
    // Struck out by whoever took it from the page; what was only not rendered yet was not.
    ...rendered
      .filter((entry) => !present.has(keyOf(entry)) && lived.has(keyOf(entry)))
      .map(({ group, page, id }) => ({ type: 'strike' as const, group, page, id })),
  ];
  return { changes, last };
}

type Change = { readonly type: 'memory' | 'strike'; readonly group: string; readonly page: string; readonly id: string };

function appendOps(
  home: SyncHome,
  changes: readonly Change[],
  { last, nowMs }: { readonly last: Stamp | undefined; readonly nowMs: number },
) {
  const log = `${JOURNAL}${home.writer}`;
  let n = home.has(log) ? opsOf(home, log).length : 0;
  let stamp = last;
  const lines = changes.map((change) => {
    stamp = stampAfter(stamp, nowMs, home.writer);
    n += 1;
    return encodeRecord({ ...change, ...stamp, n });
  });
  if (home.has(log)) home.append(log, home.stat(log).bytes, Buffer.concat(lines), new Map());
  else home.create(log, Buffer.concat(lines), new Map());
}

/** Brings the pages to what all journals say. */
export function renderMemories(home: SyncHome, pages: MemoryPages): void {
  const { live } = memorySet(allOps(home));
  pages.render(live);
  pages.writeRendered(live);
}

const allOps = (home: SyncHome): readonly MemoryOp[] =>
  home
    .logs()
    .filter((log) => log.startsWith(JOURNAL))
    .flatMap((log) => opsOf(home, log));

function opsOf(home: SyncHome, log: string): readonly MemoryOp[] {
  const bytes = home.read(log, 0, Number.POSITIVE_INFINITY)?.bytes.toString('utf8') ?? '';
  return bytes.split('\n').flatMap((line) => parseMemoryOp(line === '' ? undefined : readRecord(Buffer.from(line))) ?? []);
}

const keyOf = ({ group, page, id }: Omit<LiveEntry, 'line'>): string => JSON.stringify([group, page, id]);

const byKey = (entries: readonly LiveEntry[]): ReadonlyMap<string, LiveEntry> => new Map(entries.map((entry) => [keyOf(entry), entry]));
