import { closeSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import type { Tool, ToolOutcome } from '../../agent/ports/tools.ts';
import { type Bilingual, because, joinTexts, sameInBoth } from '../../domain/language.ts';
import { mediaInBody } from '../../domain/session/media.ts';
import { redactPart } from '../../domain/value/redact.ts';
import { BODY_HEAD_CHARS, continuation, countLines, type Page, type PageRange, type PastEnd, pageOf, pageRoom } from '../page.ts';
import { bodyName, type ResolvedPath, resolvePath, stillResolvesTo } from '../place/place.ts';
import { visibleLine } from '../place/visible.ts';
import { counted, createTool, failure, invalid, namingFailure, quantity, readPlan } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import type { KnownFiles, SeenLines } from './known-files.ts';
import { type LargePage, readLargePage } from './large-file.ts';
import { readMedia } from './media/media.ts';
import { mediaOutcome, seenAgain } from './media/media-outcome.ts';
import { fingerprintOf, openRegular, readTextFile } from './text-file.ts';

const inputSchema = z.strictObject({
  path: z.string().min(1),
  offset: z.int().min(1).optional().describe('First line, from 1.'),
  limit: z.int().min(1).optional().describe('How many lines.'),
  char_offset: z.int().min(0).optional().describe('First character, from 0, in place of offset.'),
});

const READ_FILE = sameInBoth('read_file');
const NO_FILE: Bilingual = { en: 'no such file', zh: '没有此文件' };
const NO_BODY: Bilingual = {
  en: 'no result of this session is stored there, or it is damaged',
  zh: '那里没有保存本会话的结果，或者已经损坏',
};

export const readFileDefinition = { name: 'read_file', input: () => inputSchema };

/** Reads text: a file whole or by lines, an offloaded body page by page. What it leaves out is said in the first line. */
export function readFileTool(context: ToolContext, knownFiles: KnownFiles): Tool {
  return createTool(readFileDefinition, async ({ path, offset, limit, char_offset: charOffset }) => {
    if (offset !== undefined && charOffset !== undefined)
      return invalid(because(READ_FILE, { en: 'give offset or char_offset, not both', zh: '请给出 offset 或 char_offset，不能两者都给' }));
    const target = resolvePath(path, context);
    if (target.kind === 'refused') return invalid(because(READ_FILE, target.message));
    const range = { offset, limit, charOffset };
    const run = async (signal: AbortSignal): Promise<ToolOutcome> => {
      if (target.place === 'own_body') return readBody(target, range, context);
      if (!stillResolvesTo(path, target, context))
        return failure(
          because(sameInBoth(target.displayName), { en: 'now leads elsewhere; nothing was read', zh: '现在指向别处；没有读取任何内容' }),
        );
      const readContext = { signal, knownFiles, pageChars: context.pageChars, redactSecrets: context.redactSecrets };
      return namingFailure(target.displayName, async () => {
        const media = await readMedia(target.path, signal);
        return media.kind === 'other' ? readOnDisk(target, range, readContext) : mediaOutcome(target, media, { context, range, signal });
      });
    };
    return readPlan(`read_file ${target.displayName}`, run, target);
  });
}

function readBody(target: ResolvedPath, range: PageRange, context: ToolContext): ToolOutcome {
  const name = bodyName(target.path);
  const text = context.readBody(target.path);
  if (text === undefined) return failure(because(sameInBoth(name), NO_BODY));
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
    return failure(
      because(sameInBoth(target.displayName), joinTexts([NO_FILE, ...(await nearestName(target.path))], { en: '; ', zh: '；' })),
    );
  if (file.kind === 'unreadable') return failure(because(sameInBoth(target.displayName), file.why));
  if (file.kind === 'large') return await readLarge(target, range, { ...context, bytes: file.bytes });
  const page = pageOf(file.text, range, range.charOffset === undefined ? Number.POSITIVE_INFINITY : context.pageChars);
  if (page.kind === 'past_end') return pastEnd(target.displayName, page);
  const lines = countLines(file.text);
  context.knownFiles.recordRead(target.path, file.sha256, seenLines(page, range, lines));
  const around = { text: file.text, at: page.firstChar };
  return pageOutcome(target, { page: { ...page, around }, range, totals: { lines, chars: file.text.length } }, context);
}

/** Returns the lines that were shown whole. A page counted in characters shows none, unless it is the whole file. */
function seenLines(page: Page, range: PageRange, total: number): SeenLines {
  if (page.firstChar === 0 && page.next === undefined) return { first: 1, last: total, total };
  return range.charOffset === undefined ? { first: page.firstLine, last: page.lastLine, total } : { first: 1, last: 0, total };
}

async function readLarge(target: ResolvedPath, range: PageRange, from: ReadContext & { readonly bytes: number }): Promise<ToolOutcome> {
  const openResult = openRegular(target.path);
  if (openResult.kind !== 'open')
    return failure(because(sameInBoth(target.displayName), openResult.kind === 'missing' ? NO_FILE : openResult.why));
  try {
    const page = await readLargePage(openResult.file, range, from.signal);
    if (page.kind === 'unreadable') return failure(because(sameInBoth(target.displayName), page.why));
    if (page.kind === 'past_end') return pastEnd(target.displayName, page);
    from.knownFiles.recordRead(target.path, await fingerprintOf(target.path), { first: 1, last: 0, total: 1 });
    return pageOutcome(target, { page, range, totals: { bytes: from.bytes } }, from);
  } finally {
    closeSync(openResult.file);
  }
}

type Totals = { readonly lines: number; readonly chars: number } | { readonly bytes: number };

type PageResult = { readonly page: LargePage; readonly range: PageRange; readonly totals: Totals };

function pageOutcome(target: ResolvedPath, { page, range, totals }: PageResult, { redactSecrets }: ReadContext): ToolOutcome {
  const byChars = range.charOffset !== undefined;
  // Whole lines are shown with plain line feeds; characters that are counted stay as they are.
  const crlf = !byChars && page.text.includes('\r\n') && !/(?<!\r)\n/.test(page.text);
  const head = headOf(target.displayName, page, { totals, byChars, crlf });
  const { around } = page;
  // A secret that goes on beyond the page is masked as if all of it stood there.
  const shown = redactSecrets ? redactPart(around.text, around.at, around.at + page.text.length) : page.text;
  const text = crlf ? shown.replaceAll('\r\n', '\n') : shown;
  return { ok: true, content: `${head}\n${text}`, note: noteOf(page, range), source: target.path };
}

type HeadOptions = { readonly totals: Totals; readonly byChars: boolean; readonly crlf?: boolean };

/** Returns the first line of a result: what this is, what is left out and how to go on. */
function headOf(name: string, page: Page, facts: HeadOptions): string {
  if (page.text === '') return `${name}: empty file`;
  const { next } = page;
  const cut = next !== undefined && 'charOffset' in next;
  const line = `line${page.firstLine === page.lastLine ? '' : 's'} ${lineSpan(page)}`;
  const { totals } = facts;
  const size = 'bytes' in totals ? ` of a file of ${quantity(totals.bytes, 'byte')}` : '';
  const chars = 'bytes' in totals ? size : ` of ${totals.chars}`;
  const lines = 'bytes' in totals ? line : `${line} of ${totals.lines}`;
  const what = facts.byChars || cut ? `characters ${page.firstChar}-${page.endChar - 1}${chars} (${lines})` : `${lines}${size}`;
  const ends = facts.crlf === true ? ', CRLF line ends' : '';
  const open = next === undefined && !page.text.endsWith('\n') ? ', no line feed at the end' : '';
  return `${name}: ${what}${ends}${open}${next === undefined ? '' : `; not all of it, go on with ${continuation(next)}`}`;
}

const lineSpan = (page: Page): string => (page.firstLine === page.lastLine ? String(page.firstLine) : `${page.firstLine}-${page.lastLine}`);

const pastEnd = (name: string, end: PastEnd): ToolOutcome =>
  failure(
    because(sameInBoth(name), {
      en: `that is past the end; it has ${quantity(end.lines, 'line')}, ${quantity(end.chars, 'character')}`,
      zh: `超出了末尾；它有 ${end.lines} 行、${end.chars} 个字符`,
    }),
    {
      en: 'past the end',
      zh: '超出末尾',
    },
  );

function noteOf(page: Page, range: PageRange): Bilingual {
  if (page.text === '') return { en: 'empty', zh: '空文件' };
  const lines = page.lastLine - page.firstLine + 1;
  if (range.charOffset !== undefined) return counted(page.text.length, 'character', '个字符');
  return counted(lines, 'line', '行');
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
