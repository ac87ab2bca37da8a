import type { MemoryEntry, MemoryKind, Remembered } from '../../domain/memory/memory.ts';
import { type Statement, statementOf, supersedes } from '../../domain/memory/memory-conflict.ts';
import {
  currentEntries,
  type MemoryLine,
  memoryId,
  memoryLine,
  memoryText,
  parseMemoryLine,
  supersededLine,
} from '../../domain/memory/memory-line.ts';
import { sameSense } from '../../domain/memory/memory-sense.ts';
import { type KnownMemories, wasDeleted } from './known-memories.ts';

/**
 * One file of L1 as a text: a heading, then one list item per entry, its source in a comment that Markdown does not show.
 * People edit these files, so whatever else is in one stays as it is.
 */
export type PageChange = {
  /** To be added at the end; empty when there is nothing new and the page has a heading. */
  readonly appended: string;
  readonly added: number;
  /** What remains of the page when lines had to make room or were superseded; undefined when it stays as it is. */
  readonly kept: string | undefined;
  /** The lines that left the page, to be kept elsewhere; those that a newer statement contradicts say which. */
  readonly older: readonly string[];
  /** One for each entry that says something, in order. */
  readonly remembered: readonly Remembered[];
};

export type Adding = {
  /** What was written before, and may have been deleted by a person since. */
  readonly known: KnownMemories;
  /** True for what a person wants remembered now: then it does not matter that it was deleted once. */
  readonly explicit: boolean;
};

/** Beyond this the oldest entries of ours make room, down to three quarters: what is read into a context must stay small. */
export const MAX_PAGE_BYTES = 256 * 1024;

const headings: Readonly<Record<MemoryKind, string>> = {
  decisions: '# Decisions',
  facts: '# Facts',
  preferences: '# Preferences',
  runtime: '# Runtime',
};

/** Adds what is not said there yet, in these words or others. What it contradicts leaves the page, save what a person wrote. */
export function addToPage(
  page: string,
  kind: MemoryKind,
  { entries, ...wish }: Adding & { readonly entries: readonly MemoryEntry[] },
): PageChange {
  const items: Item[] = currentEntries(page, kind).map((line) => itemOf(line));
  const lines = new Map<string, string>();
  const gone = new Map<string, string>();
  const remembered: Remembered[] = [];
  for (const entry of entries) {
    const placed = place(entry, items, wish);
    if (placed === undefined) continue;
    remembered.push(placed);
    if (placed.outcome === 'known') continue;
    for (const id of placed.superseded) putAside({ id, by: placed.id }, { items, lines, gone });
    const line = memoryLine(entry, placed.id, placed.superseded);
    lines.set(placed.id, line);
    const parsed = parseMemoryLine(line, kind);
    if (parsed !== undefined) items.push(itemOf(parsed));
  }
  const coming = [...lines.values()];
  const rest =
    gone.size === 0
      ? page
      : page
          .split('\n')
          .filter((line) => !gone.has(line))
          .join('\n');
  const room = coming.length === 0 ? { kept: undefined, older: [] } : makeRoom(rest, byteLength(coming));
  const kept = room.kept ?? (gone.size === 0 ? undefined : rest);
  return {
    appended: opening(kept ?? page, kind, coming) + coming.map((line) => `${line}\n`).join(''),
    added: coming.length,
    kept,
    older: [...gone.values(), ...room.older],
    remembered,
  };
}

type Item = { readonly line: MemoryLine; readonly says: Statement };
const itemOf = (line: MemoryLine): Item => ({ line, says: statementOf(line.text) });

function place(entry: MemoryEntry, items: readonly Item[], { known, explicit }: Adding): Remembered | undefined {
  const text = memoryText(entry.text);
  const says = statementOf(text);
  if (says.plain === '') return undefined;
  const id = memoryId({ ...entry, text });
  const isRun = entry.kind === 'runtime';
  const isSame = ({ line, says: other }: Item) =>
    line.id === id || other.plain === says.plain || (!isRun && sameSense(says.sense, other.sense));
  const same = items.find(isSame);
  if (same !== undefined) return { outcome: 'known', id: same.line.id, kind: entry.kind, superseded: [] };
  const live = new Set(items.map(({ line }) => line.id));
  if (!explicit && (known.has(id) || (!isRun && wasDeleted(known, { kind: entry.kind, sense: says.sense, live }))))
    return { outcome: 'known', id, kind: entry.kind, superseded: [] };
  const contradicted = items.filter(
    ({ line, says: other }) => !line.byHand && (isRun ? commandIn(says) === commandIn(other) : supersedes(says, other)),
  );
  // An earlier statement that is found later does not take the place of what was said since.
  if (!explicit && contradicted.some(({ line }) => (known.get(line.id)?.at ?? line.day ?? '') > entry.at))
    return { outcome: 'known', id, kind: entry.kind, superseded: [] };
  return { outcome: 'added', id, kind: entry.kind, superseded: contradicted.map(({ line }) => line.id) };
}

/** `npm test: failed: …` and `npm test: ok` are about one command. */
const commandIn = ({ plain }: Statement): string => plain.replace(/: (?:ok|failed(?:: .*)?)$/, '');

type Page = { readonly items: Item[]; readonly lines: Map<string, string>; readonly gone: Map<string, string> };

/** One that came in the same run never was on the page: it goes straight to the older ones. */
function putAside({ id, by }: { readonly id: string; readonly by: string }, { items, lines, gone }: Page): void {
  const at = items.findIndex(({ line }) => line.id === id);
  const found = items[at];
  if (found === undefined) return;
  items.splice(at, 1);
  lines.delete(id);
  gone.set(found.line.line, supersededLine(found.line, by));
}

/** What stands between the page and the new lines. */
function opening(page: string, kind: MemoryKind, lines: readonly string[]): string {
  if (page.trim() === '') return `${headings[kind]}\n\n`;
  return page.endsWith('\n') || lines.length === 0 ? '' : '\n';
}

const byteLength = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

/** An item of ours, as it was written: a person's own lines are never moved. */
const OWN_ITEM = /^- \[\d{4}-\d\d-\d\d\] .* <!-- session \S+ message \S+(?: \S+)* -->\s*$/;

function makeRoom(page: string, coming: number): Pick<PageChange, 'kept' | 'older'> {
  const size = Buffer.byteLength(page) + coming;
  if (size <= MAX_PAGE_BYTES) return { kept: undefined, older: [] };
  let excess = size - (MAX_PAGE_BYTES * 3) / 4;
  const older: string[] = [];
  const kept = page.split('\n').filter((line) => {
    if (excess <= 0 || !OWN_ITEM.test(line)) return true;
    older.push(line);
    excess -= Buffer.byteLength(line) + 1;
    return false;
  });
  return older.length === 0 ? { kept: undefined, older } : { kept: kept.join('\n'), older };
}
