import { closeSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import type { ToolOutcome } from '../../agent/ports/tools.ts';
import { type Bilingual, isBilingual, joinTexts } from '../../domain/language.ts';
import { mediaInBody } from '../../domain/session/media.ts';
import { redactPart } from '../../domain/value/redact.ts';
import {
  BODY_HEAD_CHARS,
  continuation,
  countLines,
  ONE_OFFSET,
  PAST_END,
  type Page,
  type PageRange,
  type PastEnd,
  pageOf,
  pageRoom,
  pastEndText,
} from '../page.ts';
import { bodyName, knowTemporary, NO_BODY, type ResolvedPath, resolvePath, unlessMoved } from '../place/place.ts';
import { visibleLine } from '../place/visible.ts';
import { counted, defineTool, failureOf, namingFailure, quantity, readPlan } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import type { KnownFiles, SeenLines } from './known-files.ts';
import { type LargePage, readLargePage } from './large-file.ts';
import { lineEndsOf } from './line-ends.ts';
import { readMedia } from './media/media.ts';
import { mediaOutcome, seenAgain } from './media/media-outcome.ts';
import { fingerprintOf, openRegular, readTextFile } from './text-file.ts';

const inputSchema = z.strictObject({
  path: z.string().min(1),
  offset: z.int().min(1).optional().describe('First line, from 1.'),
  limit: z.int().min(1).optional().describe('How many lines.'),
  char_offset: z.int().min(0).optional().describe('First character, from 0, in place of offset.'),
});

const NO_FILE: Bilingual = { en: 'no such file', zh: '没有此文件' };
/** Reads text: a file whole or by lines, an offloaded body page by page. What it leaves out is said in the first line. */
export const readFileTool = defineTool(
  'read_file',
  inputSchema,
  async ({ path, offset, limit, char_offset: charOffset }, context: ToolContext, knownFiles: KnownFiles) => {
    if (offset !== undefined && charOffset !== undefined) return ONE_OFFSET;
    await knowTemporary(path, context);
    const target = resolvePath(path, context);
    if (isBilingual(target)) return target;
    const range = { offset, limit, charOffset };
    const read = async (signal: AbortSignal): Promise<ToolOutcome> => {
      const media = await readMedia(target.path, signal);
      if (media.kind !== 'other') return mediaOutcome(target, media, { context, range, signal });
      return readOnDisk(target, range, { signal, knownFiles, pageChars: context.pageChars, redactSecrets: context.redactSecrets });
    };
    const run = async (signal: AbortSignal): Promise<ToolOutcome> =>
      target.place === 'own_body'
        ? readBody(target, range, context)
        : unlessMoved({ path, target, context }, { en: 'read', zh: '读取' }, () => namingFailure(target.displayName, () => read(signal)));
    return readPlan(`read_file ${target.displayName}`, run, target);
  },
);

function readBody(target: ResolvedPath, range: PageRange, context: ToolContext): ToolOutcome {
  const name = bodyName(target.path);
  const text = context.readBody(target.path);
  if (text === undefined) return failureOf(name, NO_BODY);
  const media = mediaInBody(text);
  if (media !== undefined) return seenAgain(name, media, context);
  const page = pageOf(text, range, pageRoom(context, BODY_HEAD_CHARS));
  if (page.kind === 'past_end') return pastEnd(name, page);
  const head = headOf(name, page, { totals: { lines: countLines(text), chars: text.length }, byChars: range.charOffset !== undefined });
  return { ok: true, content: `${head}\n${page.text}`, note: noteOf(page, range), readBack: true };
}

type ReadContext = Pick<ToolContext, 'pageChars' | 'redactSecrets'> & { readonly signal: AbortSignal; readonly knownFiles: KnownFiles };

async function readOnDisk(target: ResolvedPath, range: PageRange, context: ReadContext): Promise<ToolOutcome> {
  const file = await readTextFile(target.path, context.signal);
  if (file.kind === 'missing')
    return failureOf(target.displayName, joinTexts([NO_FILE, ...(await nearestName(target.path))], { en: '; ', zh: '；' }));
  if (file.kind === 'unreadable') return failureOf(target.displayName, file.why);
  if (file.kind === 'large') return await readLarge(target, range, { ...context, bytes: file.bytes });
  const page = pageOf(file.text, range, range.charOffset === undefined ? Number.POSITIVE_INFINITY : context.pageChars);
  if (page.kind === 'past_end') return pastEnd(target.displayName, page);
  const lines = countLines(file.text);
  context.knownFiles.recordRead(target.path, file.sha256, seenLines(page, range, lines));
  const around = { text: file.text, at: page.firstChar };
  const facts = { encoding: file.form.encoding, totals: { lines, chars: file.text.length } };
  return pageOutcome(target, { page: { ...page, around }, range, ...facts }, context);
}

/** Returns the lines that were shown whole. A page counted in characters shows none, unless it is the whole file. */
function seenLines(page: Page, range: PageRange, total: number): SeenLines {
  if (page.firstChar === 0 && page.next === undefined) return { first: 1, last: total, total };
  return range.charOffset === undefined ? { first: page.firstLine, last: page.lastLine, total } : { first: 1, last: 0, total };
}

async function readLarge(target: ResolvedPath, range: PageRange, from: ReadContext & { readonly bytes: number }): Promise<ToolOutcome> {
  const openResult = openRegular(target.path);
  if (openResult.kind !== 'open') return failureOf(target.displayName, openResult.kind === 'missing' ? NO_FILE : openResult.why);
  try {
    const page = await readLargePage(openResult.file, range, from.signal);
    if (isBilingual(page)) return failureOf(target.displayName, page);
    if (page.kind === 'past_end') return pastEnd(target.displayName, page);
    from.knownFiles.recordRead(target.path, await fingerprintOf(target.path), { first: 1, last: 0, total: 1 });
    return pageOutcome(target, { page, range, totals: { bytes: from.bytes } }, from);
  } finally {
    closeSync(openResult.file);
  }
}

type Totals = { readonly lines: number; readonly chars: number } | { readonly bytes: number };

type PageResult = { readonly page: LargePage; readonly range: PageRange; readonly totals: Totals; readonly encoding?: string };

function pageOutcome(
  target: ResolvedPath,
  { page, range, totals, encoding = 'utf-8' }: PageResult,
  { redactSecrets }: ReadContext,
): ToolOutcome {
  const byChars = range.charOffset !== undefined;
  // Whole lines are shown with plain line feeds; characters that are counted stay as they are.
  const ends = lineEndsOf(page.text);
  const crlf = !byChars && ends === 'crlf';
  const form = [
    encoding === 'utf-8' ? '' : encoding.toUpperCase(),
    crlf ? 'CRLF line ends' : ends === 'mixed' ? 'line ends of both kinds' : '',
  ];
  const head = headOf(target.displayName, page, { totals, byChars, form: form.filter((part) => part !== '') });
  const { around } = page;
  // A secret that goes on beyond the page is masked as if all of it stood there.
  const shown = redactSecrets ? redactPart(around.text, around.at, around.at + page.text.length) : page.text;
  const text = crlf ? shown.replaceAll('\r\n', '\n') : shown;
  return {
    ok: true,
    content: `${head}\n${text}`,
    note: noteOf(page, range),
    source: target.place === 'temporary' ? target.given : target.path,
  };
}

type HeadOptions = { readonly totals: Totals; readonly byChars: boolean; readonly form?: readonly string[] };

/** Returns the first line of a result: what this is, what is left out and how to go on. */
function headOf(name: string, page: Page, facts: HeadOptions): string {
  if (page.text === '') return `${name}: empty file`;
  const { next } = page;
  const cut = next !== undefined && 'charOffset' in next;
  const line = page.firstLine === page.lastLine ? `line ${page.firstLine}` : `lines ${page.firstLine}-${page.lastLine}`;
  const { totals } = facts;
  const size = 'bytes' in totals ? ` of a file of ${quantity(totals.bytes, 'byte')}` : '';
  const chars = 'bytes' in totals ? size : ` of ${totals.chars}`;
  const lines = 'bytes' in totals ? line : `${line} of ${totals.lines}`;
  const what = facts.byChars || cut ? `characters ${page.firstChar}-${page.endChar - 1}${chars} (${lines})` : `${lines}${size}`;
  const form = (facts.form ?? []).map((part) => `, ${part}`).join('');
  const open = next === undefined && !page.text.endsWith('\n') ? ', no line feed at the end' : '';
  return `${name}: ${what}${form}${open}${next === undefined ? '' : `; not all of it, go on with ${continuation(next)}`}`;
}

const pastEnd = (name: string, end: PastEnd): ToolOutcome => failureOf(name, pastEndText(end), PAST_END);

function noteOf(page: Page, range: PageRange): Bilingual {
  if (page.text === '') return { en: 'empty', zh: '空文件' };
  if (range.charOffset !== undefined) return counted(page.text.length, 'character', '个字符');
  return counted(page.lastLine - page.firstLine + 1, 'line', '行');
}

/** Returns names in the same folder that may have been meant. */
async function nearestName(path: string): Promise<readonly Bilingual[]> {
  try {
    const targetStem = stem(basename(path));
    const similar = (await readdir(dirname(path))).filter((name) => stem(name) === targetStem).slice(0, 3);
    const names = similar.map((name) => visibleLine(name, 100)).join(', ');
    return similar.length === 0 ? [] : [{ en: `there is ${names}`, zh: `有 ${names}` }];
  } catch {
    return [{ en: 'its folder does not exist either', zh: '它的文件夹也不存在' }];
  }
}

const stem = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[-_ ]/g, '');
