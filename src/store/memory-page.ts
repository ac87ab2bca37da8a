import type { MemoryEntry, MemoryKind } from '../domain/memory.ts';

/**
 * One file of L1 as a text: a heading, then one list item per entry, its source in a comment that Markdown does not show.
 * People edit these files, so whatever else is in one stays as it is.
 */
export type PageChange = {
  /** To be added at the end; empty when there is nothing new and the page has a heading. */
  readonly appended: string;
  readonly added: number;
  /** What remains of the page when lines had to make room; undefined when it stays as it is. */
  readonly kept: string | undefined;
  /** The lines that made room, to be kept elsewhere. */
  readonly older: readonly string[];
};

/** Beyond this the oldest entries of ours make room, down to three quarters: what is read into a context must stay small. */
export const MAX_PAGE_BYTES = 256 * 1024;
const MAX_ENTRY_CHARS = 2000;

const headings: Readonly<Record<MemoryKind, string>> = {
  decisions: '# Decisions',
  facts: '# Facts',
  preferences: '# Preferences',
  runtime: '# Runtime',
};

/** Adds what is not there yet, in the same words but for case, width, blanks and a full stop. */
export function addToPage(page: string, kind: MemoryKind, entries: readonly MemoryEntry[]): PageChange {
  const known = new Set(page.split('\n').flatMap((line) => normalItem(line) ?? []));
  const lines: string[] = [];
  for (const entry of entries) {
    const text = oneLine(entry.text);
    const normal = normalText(text);
    if (normal === '' || known.has(normal)) continue;
    known.add(normal);
    lines.push(`- [${entry.at.slice(0, 10)}] ${text} <!-- session ${oneLine(entry.sessionId)} message ${oneLine(entry.messageId)} -->`);
  }
  const room = lines.length === 0 ? { kept: undefined, older: [] } : makeRoom(page, byteLength(lines));
  return { ...room, appended: opening(page, kind, lines) + lines.map((line) => `${line}\n`).join(''), added: lines.length };
}

/** What stands between the page and the new lines. */
function opening(page: string, kind: MemoryKind, lines: readonly string[]): string {
  if (page.trim() === '') return `${headings[kind]}\n\n`;
  return page.endsWith('\n') || lines.length === 0 ? '' : '\n';
}

const byteLength = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

/** An item of ours, as it was written: a person's own lines are never moved. */
const OWN_ITEM = /^- \[\d{4}-\d\d-\d\d\] .* <!-- session \S+ message \S+ -->\s*$/;

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

/** The entry's words on one line, unable to open or close the comment behind them. */
function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_ENTRY_CHARS)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.replaceAll('<!--', '<! --').replaceAll('-->', '-- >');
}

/** What a list item says, for comparing; undefined for any other line. */
function normalItem(line: string): string | undefined {
  const [, said] = /^\s*[-*] (?:\[\d{4}-\d\d-\d\d\] )?(.*)$/.exec(line) ?? [];
  if (said === undefined) return undefined;
  const comment = said.lastIndexOf('<!--');
  return normalText(comment < 0 ? said : said.slice(0, comment));
}

const normalText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[.。!！]+$/u, '');
