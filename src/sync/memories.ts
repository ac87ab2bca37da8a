import { z } from 'zod';
import type { SyncHome } from './home.ts';
import { journalsOf, readJournal, writeJournal } from './journal.ts';
import { type LiveEntry, type MemoryOp, memorySet, parseMemoryOp, type Stamp, stampAfter } from './memory-set.ts';

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
  let stamp = last;
  const records = changes.map((change) => {
    stamp = stampAfter(stamp, nowMs, home.writer);
    return { ...change, ...stamp };
  });
  writeJournal(home, records);
}

/** Brings the pages to what all journals say. */
export function renderMemories(home: SyncHome, pages: MemoryPages): void {
  const { live } = memorySet(allOps(home));
  pages.render(live);
  pages.writeRendered(live);
}

const allOps = (home: SyncHome): readonly MemoryOp[] =>
  journalsOf(home).flatMap((log) => readJournal(home, log).flatMap((record) => parseMemoryOp(record) ?? []));

const keyOf = ({ group, page, id }: Omit<LiveEntry, 'line'>): string => JSON.stringify([group, page, id]);

const byKey = (entries: readonly LiveEntry[]): ReadonlyMap<string, LiveEntry> => new Map(entries.map((entry) => [keyOf(entry), entry]));
