import { ends, mayEnd, type Statement, statementOf } from '../../domain/memory/ends.ts';
import { type MemoryEntry, type MemoryKind, type RememberResult, SESSION_LINE, type SupersededMark } from '../../domain/memory/memory.ts';
import {
  currentEntries,
  type MemoryLine,
  memoryId,
  memoryLine,
  parseMemoryLine,
  sanitizeMemoryText,
  supersededLine,
} from '../../domain/memory/memory-line.ts';
import { sameSense } from '../../domain/memory/memory-sense.ts';
import { type KnownMemories, wasDeleted } from './known-memories.ts';

export type AddOptions = {
  /** Entries written before, which a person may have deleted since. */
  readonly known: KnownMemories;
  /** True for an entry that a person wants remembered now, even if it was deleted before. */
  readonly explicit: boolean;
};

/** Above this size our oldest entries make room, down to three quarters of it: what is read into a context must stay small. */
export const MAX_PAGE_BYTES = 256 * 1024;

const headings: Readonly<Record<MemoryKind, string>> = {
  decisions: '# Decisions',
  facts: '# Facts',
  preferences: '# Preferences',
  runtime: '# Runtime',
};

/**
 * Adds to a page of L1 what it does not say yet, in any words: a heading, and a list item per entry with its source in a comment. Entries
 * that it contradicts leave the page, except those a person wrote; all else stays.
 */
export function addToPage(
  page: string,
  kind: MemoryKind,
  { entries, ...options }: AddOptions & { readonly entries: readonly MemoryEntry[] },
) {
  const items: Item[] = currentEntries(page, kind).map((line) => itemOf(line));
  const lines = new Map<string, string>();
  const superseded = new Map<string, string>();
  const remembered: RememberResult[] = [];
  for (const entry of entries) {
    const result = planEntry(entry, items, options);
    if (result === undefined) continue;
    remembered.push(result);
    if (result.outcome === 'known') continue;
    for (const item of items.filter(({ line: { id, byHand } }) => !byHand && result.superseded.includes(id)))
      supersede(item, result.id, { items, lines, superseded });
    const line = memoryLine(entry, result.id, result.superseded);
    lines.set(result.id, line);
    const parsed = parseMemoryLine(line, kind);
    if (parsed !== undefined) items.push(itemOf(parsed));
  }
  const newLines = [...lines.values()];
  const remaining = withoutLines(page, superseded);
  const trimmed =
    newLines.length === 0
      ? { kept: undefined, older: [] }
      : trimPage(remaining, Buffer.byteLength(newLines.map((line) => `${line}\n`).join('')));
  const kept = trimmed.kept ?? (superseded.size === 0 ? undefined : remaining);
  return {
    /** To be appended; empty when there is nothing new and the page has a heading. */
    appended: pagePrefix(kept ?? page, kind, newLines) + newLines.map((line) => `${line}\n`).join(''),
    /** What remains of the page when lines had to make room or were superseded; undefined when the page stays as it is. */
    kept,
    /** The lines that left the page, to be kept elsewhere; a superseded line names the entry that contradicts it. */
    older: [...superseded.values(), ...trimmed.older],
    /** One result per entry that says something, in order. */
    remembered,
  };
}

type Item = { readonly line: MemoryLine; readonly statement: Statement };
const itemOf = (line: MemoryLine): Item => ({ line, statement: statementOf(line.text) });

function planEntry(entry: MemoryEntry, items: readonly Item[], { known, explicit }: AddOptions): RememberResult | undefined {
  const text = sanitizeMemoryText(entry.text);
  const statement = statementOf(text);
  if (statement.plain === '') return undefined;
  const id = memoryId({ ...entry, text });
  const isRuntime = entry.kind === 'runtime';
  const isSame = ({ line, statement: other }: Item) =>
    line.id === id || other.plain === statement.plain || (!isRuntime && sameSense(statement.sense, other.sense));
  const duplicate = items.find(isSame);
  if (duplicate !== undefined) return { outcome: 'known', id: duplicate.line.id, kind: entry.kind, superseded: [] };
  const live = new Set(items.map(({ line }) => line.id));
  if (!explicit && (known.has(id) || (!isRuntime && wasDeleted(known, { kind: entry.kind, sense: statement.sense, live }))))
    return { outcome: 'known', id, kind: entry.kind, superseded: [] };
  const contradicted = items.filter(
    ({ line, statement: other }) =>
      !line.byHand && (isRuntime ? replacesRun({ entry, statement }, { line, statement: other }) : ends(statement, other)),
  );
  // An earlier statement that is found later does not replace what was said since.
  if (!explicit && contradicted.some(({ line }) => (known.get(line.id)?.at ?? line.day ?? '') > entry.at))
    return { outcome: 'known', id, kind: entry.kind, superseded: [] };
  return { outcome: 'added', id, kind: entry.kind, superseded: contradicted.map(({ line }) => line.id) };
}

/**
 * Marks what new statements end in the pages of other kinds: "we use Redis" is a fact, and "no Redis any more" a decision. Lines that a
 * person wrote stay, and so does what was said later.
 */
export function endedAcross(
  lines: readonly MemoryLine[],
  remembered: readonly RememberResult[],
  timeOf: (line: MemoryLine) => string,
): readonly SupersededMark[] {
  const added = new Set(remembered.flatMap(({ outcome, id }) => (outcome === 'added' ? id : [])));
  const statements = lines.filter(({ kind }) => kind !== 'runtime');
  const newItems = statements.filter(({ id, text }) => added.has(id) && mayEnd(text)).map((line) => itemOf(line));
  if (newItems.length === 0) return [];
  return statements.flatMap((line): readonly SupersededMark[] => {
    const { statement } = itemOf(line);
    const isEnd = ({ line: later, statement: said }: Item): boolean =>
      later.kind !== line.kind && timeOf(line) <= timeOf(later) && ends(said, statement);
    const end = line.byHand ? undefined : newItems.find(isEnd);
    return end === undefined ? [] : [{ id: line.id, by: end.line.id }];
  });
}

/** A session has one line about its calls, and a command one about its failure. */
function replacesRun({ entry, statement }: { readonly entry: MemoryEntry; readonly statement: Statement }, older: Item): boolean {
  if (entry.text.startsWith(SESSION_LINE)) return older.line.text.startsWith(SESSION_LINE) && older.line.sessionId === entry.sessionId;
  return commandIn(statement) === commandIn(older.statement);
}

/** `npm test: failed: …` and `npm test: ok`, which earlier versions wrote, are about the same command. */
const commandIn = ({ plain }: Statement): string => plain.replace(/: (?:ok|failed(?:: .*)?)$/, '');

type PageDraft = { readonly items: Item[]; readonly lines: Map<string, string>; readonly superseded: Map<string, string> };

/** An entry added in the same run was never on the page: it goes straight to the older ones. */
function supersede(item: Item, by: string, { items, lines, superseded }: PageDraft): void {
  items.splice(items.indexOf(item), 1);
  lines.delete(item.line.id);
  superseded.set(item.line.line, supersededLine(item.line, by));
}

/** Returns what goes between the page and the new lines. */
function pagePrefix(page: string, kind: MemoryKind, lines: readonly string[]): string {
  if (page.trim() === '') return `${headings[kind]}\n\n`;
  return page.endsWith('\n') || lines.length === 0 ? '' : '\n';
}

/** An item as we write it: a person's own lines are never moved. */
const OWN_ITEM = /^- \[\d{4}-\d\d-\d\d\] .* <!-- session \S+ message \S+(?: \S+)* -->\s*$/;

function trimPage(page: string, newBytes: number): { readonly kept: string | undefined; readonly older: readonly string[] } {
  const size = Buffer.byteLength(page) + newBytes;
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

export const removeLines = (page: string, lines: readonly MemoryLine[]): string =>
  withoutLines(page, new Set(lines.map(({ line }) => line)));

const withoutLines = (page: string, removed: Pick<ReadonlySet<string>, 'has'>): string => {
  const kept = page.split('\n').filter((line) => !removed.has(line));
  return kept.join('\n');
};

/** Puts entries back, without the mark that they were superseded by something, unless something with their id is there. */
export function restoreLines(page: string, lines: readonly MemoryLine[], kind: MemoryKind): string {
  const presentIds = new Set(currentEntries(page, kind).map(({ id }) => id));
  const restored = lines.filter(({ id }) => !presentIds.has(id)).map(({ line }) => line.replace(/ superseded-by \S+(?= )/, ''));
  return restored.length === 0 ? page : `${page}${page.endsWith('\n') || page === '' ? '' : '\n'}${restored.join('\n')}\n`;
}
