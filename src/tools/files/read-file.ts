import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import type { Tool, ToolOutcome } from '../../agent/ports.ts';
import { countLines, type Page, type PastEnd, pageOf, type Wanted } from '../page.ts';
import { bodyName, leadsThere, type Placed, placePath } from '../place/place.ts';
import { visibleLine } from '../place/visible.ts';
import { counted, defineTool, failed, failureText, invalid } from '../tool.ts';
import type { ToolWorld } from '../tool-world.ts';
import type { KnownFiles, Seen } from './known-files.ts';
import { readLargePage } from './large-file.ts';
import { fingerprintOf, openRegular, readTextFile } from './text-file.ts';

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('The file.'),
  offset: z.int().min(1).optional().describe('First line to read, counted from 1.'),
  limit: z.int().min(1).optional().describe('How many lines to read.'),
  char_offset: z.int().min(0).optional().describe('First character to read, counted from 0; instead of offset, for very long lines.'),
});

/** Reads text: a file whole or by lines, an offloaded body page by page. What it leaves out is said in the first line. */
export function readFileTool(world: ToolWorld, known: KnownFiles): Tool {
  return defineTool({
    name: 'read_file',
    description: world.prompts('read_file'),
    input: inputSchema,
    plan: async ({ path, offset, limit, char_offset: charOffset }) => {
      if (offset !== undefined && charOffset !== undefined) return invalid('read_file: give offset or char_offset, not both');
      const placed = await placePath(path, world);
      if (placed.kind === 'refused') return invalid(`read_file: ${placed.message}`);
      const wanted = { offset, limit, charOffset };
      return {
        kind: 'ready',
        access: 'read',
        path: placed.path,
        place: placed.place,
        title: `read_file ${placed.shown}`,
        preview: '',
        run: async (signal) => {
          if (placed.place === 'own_body') return readBody(placed, wanted, world);
          if (!(await leadsThere(path, placed, world))) return failed(`${placed.shown}: now leads elsewhere; nothing was read`);
          return await readOnDisk(placed, wanted, { signal, known, pageChars: world.pageChars });
        },
      };
    },
  });
}

/** Room that the first line of a page needs at most. */
const HEAD_CHARS = 300;
const MIN_PAGE_CHARS = 100;

function readBody(placed: Placed, wanted: Wanted, world: ToolWorld): ToolOutcome {
  const name = bodyName(placed.path);
  const text = world.readBody(placed.path);
  if (text === undefined) return failed(`${name}: no result of this session is stored there, or it is damaged`);
  const page = pageOf(text, wanted, Math.max(MIN_PAGE_CHARS, world.pageChars - HEAD_CHARS));
  if (page.kind === 'past_end') return pastEnd(name, page);
  const head = headOf(name, page, { whole: { lines: countLines(text), chars: text.length }, byChars: wanted.charOffset !== undefined });
  return { ok: true, content: `${head}\n${page.text}`, note: noteOf(page, wanted), readBack: true };
}

type Reading = { readonly signal: AbortSignal; readonly known: KnownFiles; readonly pageChars: number };

async function readOnDisk(placed: Placed, wanted: Wanted, reading: Reading): Promise<ToolOutcome> {
  try {
    const file = await readTextFile(placed.path, reading.signal);
    if (file.kind === 'missing') return failed(`${placed.shown}: no such file${await nearestName(placed.path)}`);
    if (file.kind === 'unreadable') return failed(`${placed.shown}: ${file.why}`);
    if (file.kind === 'large') return await readLarge(placed, wanted, { ...reading, bytes: file.bytes });
    const page = pageOf(file.text, wanted, wanted.charOffset === undefined ? Number.POSITIVE_INFINITY : reading.pageChars);
    if (page.kind === 'past_end') return pastEnd(placed.shown, page);
    const lines = countLines(file.text);
    reading.known.noteRead(placed.path, file.sha256, seenOf(page, wanted, lines));
    return shown(placed, { page, wanted, totals: { lines, chars: file.text.length } });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return failed(failureText(error, placed.shown));
    throw error;
  }
}

/** The lines that were shown whole; of pages counted by characters only a single one with everything counts. */
function seenOf(page: Page, wanted: Wanted, total: number): Seen {
  if (page.firstChar === 0 && page.next === undefined) return { first: 1, last: total, total };
  return wanted.charOffset === undefined ? { first: page.firstLine, last: page.lastLine, total } : { first: 1, last: 0, total };
}

async function readLarge(placed: Placed, wanted: Wanted, from: Reading & { readonly bytes: number }): Promise<ToolOutcome> {
  const opened = await openRegular(placed.path);
  if (opened.kind !== 'open') return failed(`${placed.shown}: ${opened.kind === 'missing' ? 'no such file' : opened.why}`);
  try {
    const page = await readLargePage(opened.file, wanted, from.signal);
    if (page.kind === 'unreadable') return failed(`${placed.shown}: ${page.why}`);
    if (page.kind === 'past_end') return pastEnd(placed.shown, page);
    from.known.noteRead(placed.path, await fingerprintOf(placed.path), { first: 1, last: 0, total: 1 });
    return shown(placed, { page, wanted, totals: { bytes: from.bytes } });
  } finally {
    await opened.file.close();
  }
}

type Totals = { readonly lines: number; readonly chars: number } | { readonly bytes: number };

function shown(placed: Placed, read: { readonly page: Page; readonly wanted: Wanted; readonly totals: Totals }): ToolOutcome {
  const { page, wanted, totals } = read;
  const byChars = wanted.charOffset !== undefined;
  // Whole lines are shown with plain line feeds; characters that are counted stay as they are.
  const crlf = !byChars && page.text.includes('\r\n') && !/(?<!\r)\n/.test(page.text);
  const head = headOf(placed.shown, page, { whole: totals, byChars, crlf });
  const text = crlf ? page.text.replaceAll('\r\n', '\n') : page.text;
  return { ok: true, content: `${head}\n${text}`, note: noteOf(page, wanted), source: placed.path };
}

type HeadFacts = { readonly whole: Totals; readonly byChars: boolean; readonly crlf?: boolean };

/** The first line of a result: what this is, what is left out and how to go on. */
function headOf(name: string, page: Page, facts: HeadFacts): string {
  if (page.text === '') return `${name}: empty file`;
  const { next } = page;
  const cut = next !== undefined && 'charOffset' in next;
  const line = `line${page.firstLine === page.lastLine ? '' : 's'} ${span(page)}`;
  const { whole } = facts;
  const size = 'bytes' in whole ? ` of a file of ${whole.bytes} bytes` : '';
  const chars = 'bytes' in whole ? size : ` of ${whole.chars}`;
  const lines = 'bytes' in whole ? line : `${line} of ${whole.lines}`;
  const what = facts.byChars || cut ? `characters ${page.firstChar}-${page.endChar - 1}${chars} (${lines})` : `${lines}${size}`;
  const ends = facts.crlf === true ? ', CRLF line ends' : '';
  const open = next === undefined && !page.text.endsWith('\n') ? ', no line feed at the end' : '';
  return `${name}: ${what}${ends}${open}${next === undefined ? '' : `; not all of it, go on with ${goOn(next)}`}`;
}

const span = (page: Page): string => (page.firstLine === page.lastLine ? String(page.firstLine) : `${page.firstLine}-${page.lastLine}`);
const goOn = (next: NonNullable<Page['next']>): string => ('offset' in next ? `offset=${next.offset}` : `char_offset=${next.charOffset}`);

const pastEnd = (name: string, end: PastEnd): ToolOutcome =>
  failed(`${name}: that is past the end; it has ${counted(end.lines, 'line')}, ${counted(end.chars, 'character')}`, 'past the end');

function noteOf(page: Page, wanted: Wanted): string {
  if (page.text === '') return 'empty';
  const lines = page.lastLine - page.firstLine + 1;
  if (wanted.charOffset !== undefined) return `${page.text.length} characters`;
  return counted(lines, 'line');
}

/** A name in the same folder that was perhaps meant. */
async function nearestName(path: string): Promise<string> {
  try {
    const wanted = stem(basename(path));
    const near = (await readdir(dirname(path))).filter((name) => stem(name) === wanted).slice(0, 3);
    return near.length === 0 ? '' : `; there is ${near.map((name) => visibleLine(name, 100)).join(', ')}`;
  } catch {
    return '; its folder does not exist either';
  }
}

const stem = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[-_ ]/g, '');
