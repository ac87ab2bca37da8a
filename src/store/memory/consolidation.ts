import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SanbotError } from '../../domain/errors.ts';
import { parseMasterPage, removeEntries } from '../../domain/memory/master-page.ts';
import { type MemoryEntry, memoryKinds, type SupersededMark } from '../../domain/memory/memory.ts';
import { parseMemoryLine } from '../../domain/memory/memory-line.ts';
import { parseJson } from '../../domain/value/json.ts';
import { unlinkIfExists, writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { orStoreFailure } from '../files/failure.ts';
import { acquireLock, type Lock, printableHolder } from '../files/lock.ts';
import { folderOf, formatTimestamp, namesIn, type StorePaths } from '../files/paths.ts';
import { readBytes, readText } from '../files/read-text.ts';
import { createMemories } from './memories.ts';

/** What a consolidation changes. Its note in `master` contains `at`; once that page is written, the consolidation counts. */
export type ConsolidationChange = {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly entries: readonly MemoryEntry[];
  readonly aside: readonly SupersededMark[];
  /** The whole new page. */
  readonly master: string;
};

const recordSchema = z.object({
  at: z.string(),
  added: z.array(z.string()),
  aside: z.array(z.object({ kind: z.enum(memoryKinds), line: z.string() })),
  before: z.string().nullable(),
  after: z.string(),
});

type ConsolidationRecord = Readonly<z.infer<typeof recordSchema>>;

const MAX_BYTES = 16 * 1024 * 1024;
/** How many records of consolidations are kept to look at; only the newest can be undone. */
const MAX_RECORDS = 20;

/** The master page (L2) of one group, and its consolidation from extracted entries (L1). */
export function createConsolidations(disk: Disk, paths: StorePaths, group: string) {
  const scope: Scope = { disk, paths, group };
  const master = () => readText(paths.master(group), MAX_BYTES) ?? '';
  return {
    master,
    /** The pages of the daily log from this day on, oldest first. */
    daily: (since: string) =>
      namesIn(paths.dailyFolder(group))
        .flatMap((name) => /^(\d{4}-\d\d-\d\d)\.md$/.exec(name)?.[1] ?? [])
        .filter((day) => day >= since)
        .sort()
        .map((day) => ({ day, text: readText(paths.daily(group, day), MAX_BYTES) ?? '' })),
    /** Runs `work` in one process at a time, after settling an interrupted consolidation. Rejects with refused, naming the holder. */
    exclusively: async <T>(work: () => Promise<T>): Promise<T> => {
      const lock = acquireOrRefuse(scope);
      try {
        revertInterrupted(scope);
        return await work();
      } finally {
        lock.release();
      }
    },
    /** Removes what these entries say from the master page (L2). */
    dropEntries: (ids: readonly string[]): void => {
      const before = master();
      const after = removeEntries(before, ids);
      if (after !== before) writeFileAtomic(disk, paths.master(group), Buffer.from(after, 'utf8'), { point: 'master' });
    },
    /** Call only within `exclusively`. If interrupted before the master page (L2) is written, the next `exclusively` reverts it. */
    apply: (change: ConsolidationChange): void => apply(scope, change),
    /** Undoes the newest consolidation: entries it added, entries it put aside, and the master page (L2). Undefined when there is none. */
    undo: () => undo(scope),
  };
}

export type Consolidations = ReturnType<typeof createConsolidations>;

type Scope = { readonly disk: Disk; readonly paths: StorePaths; readonly group: string };

function acquireOrRefuse({ disk, paths, group }: Scope): Lock {
  const path = paths.consolidationLock(group);
  ensureFolder(disk, paths.memory(group));
  ensureFolder(disk, folderOf(path));
  const result = acquireLock(disk, path);
  if (result.kind === 'held') return result.lock;
  const { pid, place, time } = printableHolder(result.holder);
  throw new SanbotError(
    'refused',
    {
      en: `Memories are being consolidated by process ${pid} on ${place} since ${time}`,
      zh: `${place} 上的进程 ${pid} 正在整理记忆，始于 ${time}`,
    },
    { en: 'Wait until it is done.', zh: '请等它完成。' },
  );
}

function apply(scope: Scope, { at, entries, aside, master }: ConsolidationChange): void {
  const { disk, paths, group } = scope;
  const memories = createMemories(disk, paths, group);
  const additions = memories.preview(entries).remembered.filter(({ outcome }) => outcome === 'added');
  const asideIds = new Set([...aside.map(({ id }) => id), ...additions.flatMap(({ superseded }) => superseded)]);
  const lines = memories.list().filter(({ id, byHand }) => asideIds.has(id) && !byHand);
  const record: ConsolidationRecord = {
    at,
    added: additions.map(({ id }) => id),
    aside: lines.map(({ kind, line }) => ({ kind, line })),
    before: readText(paths.master(group), MAX_BYTES) ?? null,
    after: master,
  };
  writeRecord(scope, paths.pendingConsolidation(group), record);
  memories.add(entries);
  memories.putAside(aside);
  writeFileAtomic(disk, paths.master(group), Buffer.from(master.toWellFormed(), 'utf8'), { point: 'master' });
  finish(scope, record);
}

function writeRecord({ disk }: Scope, path: string, record: ConsolidationRecord): void {
  ensureFolder(disk, folderOf(path));
  writeFileAtomic(disk, path, Buffer.from(`${JSON.stringify(record)}\n`.toWellFormed(), 'utf8'), { point: 'consolidation' });
}

/** Moves the record to the earlier ones, where undo finds it. */
function finish(scope: Scope, record: ConsolidationRecord): void {
  const { paths, group } = scope;
  writeRecord(scope, join(paths.consolidations(group), `${formatTimestamp(new Date(record.at))}.json`), record);
  removeFile(paths.pendingConsolidation(group));
  for (const name of recordNames(scope).slice(0, -MAX_RECORDS)) unlinkIfExists(join(paths.consolidations(group), name));
}

const removeFile = (path: string): void => orStoreFailure('remove', path, () => unlinkSync(path));

const recordNames = ({ paths, group }: Scope): readonly string[] =>
  namesIn(paths.consolidations(group))
    .filter((name) => /^\d{8}T\d{9}Z\.json$/.test(name))
    .sort();

function readRecord(path: string): ConsolidationRecord | undefined {
  const parsed = recordSchema.safeParse(parseJson(readBytes(path, MAX_BYTES) ?? Buffer.alloc(0)));
  return parsed.success ? parsed.data : undefined;
}

/** With the master page in place, the consolidation counts and only its record is moved; otherwise its changes to L1 are reverted. */
function revertInterrupted(scope: Scope): void {
  const { paths, group } = scope;
  const pending = paths.pendingConsolidation(group);
  const record = readRecord(pending);
  if (record === undefined) {
    unlinkIfExists(pending);
    return;
  }
  if (parseMasterPage(readText(paths.master(group), MAX_BYTES) ?? '').consolidatedAt === record.at) finish(scope, record);
  else {
    revert(scope, record);
    removeFile(pending);
  }
}

function revert({ disk, paths, group }: Scope, { added, aside }: ConsolidationRecord) {
  const memories = createMemories(disk, paths, group);
  const removed = memories.forget(added, { unlearn: true }).length;
  const lines = aside.flatMap(({ kind, line }) => parseMemoryLine(line, kind) ?? []);
  memories.putBack(lines);
  return { removed, putBack: lines.length };
}

function undo(scope: Scope) {
  const { disk, paths, group } = scope;
  const name = recordNames(scope).at(-1);
  const path = name === undefined ? undefined : join(paths.consolidations(group), name);
  const record = path === undefined ? undefined : readRecord(path);
  if (path === undefined || record === undefined) return undefined;
  const currentPage = readText(paths.master(group), MAX_BYTES) ?? '';
  const counts = revert(scope, record);
  // The record keeps the current page, with what a person has written into it since.
  writeRecord(scope, path.replace(/\.json$/, '.undone.json'), { ...record, after: currentPage });
  writeFileAtomic(disk, paths.master(group), Buffer.from(record.before ?? '', 'utf8'), { point: 'master' });
  removeFile(path);
  return { at: record.at, ...counts };
}
