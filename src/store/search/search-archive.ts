import { join } from 'node:path';
import { groupBy } from '../../domain/lists.ts';
import type { RecallKind } from '../../domain/recall.ts';
import { WHOLE_HEADING } from '../../domain/session/message.ts';
import { parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { groupsOf, isId, namesIn, type StorePaths } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import type { SearchIndex } from './search-index.ts';
import { fileStamp } from './search-pages.ts';
import type { EntryRow, SourceRow } from './search-rows.ts';
import { indexedText, MESSAGE_TEXT, type TextAnalyzer } from './search-texts.ts';

type ArchiveOptions = {
  readonly analyzer: TextAnalyzer;
  readonly knownSources: ReadonlyMap<string, SourceRow>;
  readonly liveSessions: ReadonlySet<string>;
};

/** Indexes the archive pages of sessions that are gone; of others, whose logs say the same, only the session is noted. */
export function indexArchives(index: SearchIndex, paths: StorePaths, { analyzer, knownSources, liveSessions }: ArchiveOptions): void {
  const bySession = groupBy(archivePages(paths, knownSources), ({ group, session }) => `${group} ${session}`);
  const incomplete = lostPages(paths, knownSources);
  for (const pages of bySession.values()) {
    const session = pages[0]?.session ?? '';
    const isGone = isId(session) && !liveSessions.has(session);
    const isCurrent = pages.every((page) => page.indexedSource?.stamp === page.stamp && page.indexedSource.done > 0 === isGone);
    if (!isCurrent || (isGone && incomplete.has(session))) index.write(() => indexPages(index, pages, { isGone, analyzer }));
  }
}

/** In the order of their names, which begin with their dates. A page that cannot be read is left out and hides no other. */
const archivePages = (paths: StorePaths, knownSources: ReadonlyMap<string, SourceRow>) =>
  groupsOf(paths).flatMap((group) =>
    namesIn(paths.conversations(group))
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.slice(0, -'.md'.length))
      .sort()
      .flatMap((name) => {
        const path = join(paths.conversations(group), `${name}.md`);
        const before = knownSources.get(path);
        const stamp = fileStamp(path);
        const session = stamp !== undefined && stamp === before?.stamp ? before.session : sessionOf(textIn(path, HEAD_BYTES));
        return stamp === undefined || session === undefined ? [] : [{ path, group, stamp, session, indexedSource: before }];
      }),
  );

const HEAD_BYTES = 2_000;
const sessionOf = (head: string | undefined): string | undefined =>
  head === undefined ? undefined : (/^- Session: (\S+)$/m.exec(head)?.[1] ?? '');

/** Returns the sessions that have lost a page: it may have been the one indexed for a text that other pages repeat. */
const lostPages = (paths: StorePaths, knownSources: ReadonlyMap<string, SourceRow>): ReadonlySet<string> =>
  new Set(
    [...knownSources.values()]
      .filter(({ path, session }) => isId(session) && path !== paths.log(session) && fileStamp(path) === undefined)
      .map(({ session }) => session),
  );

type PagesOptions = { readonly isGone: boolean; readonly analyzer: TextAnalyzer };

/** The pages of one session overlap, since each holds everything that was in the context: a text on two pages is indexed once. */
function indexPages(index: SearchIndex, pages: Readonly<ReturnType<typeof archivePages>>, { isGone, analyzer }: PagesOptions): void {
  const seen = new Set<string>();
  for (const { path, group, stamp, session } of pages) {
    const before = index.sourceAt(path);
    if (before !== undefined) index.removeSource(before.id);
    const text = isGone ? textIn(path, MAX_PAGE_BYTES) : undefined;
    const source = { path, grp: group, session, folder: '', stamp, done: text === undefined ? 0 : Math.max(1, text.length) };
    const id = index.addSource(source);
    for (const document of documentsOf(text ?? '', analyzer)) {
      const { n, block, kind, tool, at } = document;
      const key = sha256Of(Buffer.from(`${at} ${kind} ${document.text}`)).slice(0, 16);
      if (seen.has(key)) continue;
      seen.add(key);
      const entry = { source: id, n, part: -1, block, key, kind, tool, at, place: '' };
      index.addEntry({ ...entry, ...indexedText(source, document, analyzer) });
    }
  }
}

export function readArchivedText(
  path: string,
  { n, block }: Pick<EntryRow, 'n' | 'block'>,
  analyzer: TextAnalyzer,
): { readonly text: string; readonly lead: string } | undefined {
  return documentsOf(textIn(path, MAX_PAGE_BYTES) ?? '', analyzer).find((each) => each.n === n && each.block === block);
}

const MAX_PAGE_BYTES = 256 * 1024 * 1024;

const textIn = (path: string, maxBytes: number): string | undefined => orUndefined(() => readText(path, maxBytes));

type ArchivedDocument = Pick<EntryRow, 'n' | 'block' | 'kind' | 'tool' | 'at'> & ReturnType<TextAnalyzer['callText']>;

function documentsOf(page: string, analyzer: TextAnalyzer): readonly ArchivedDocument[] {
  const documents: ArchivedDocument[] = [];
  const openCalls = new Map<string, OpenCall>();
  for (const { n, speaker, at, text } of sectionsOf(page)) {
    const base = { n, at, failed: false, tool: '', lead: '' };
    const calls = speaker === 'Assistant' ? [...text.matchAll(CALL)] : [];
    const results = speaker === 'Assistant' || speaker === 'User' ? [] : [...text.matchAll(RESULT)];
    const messageText = [...calls, ...results]
      .reduce((rest, [fullMatch]) => rest.replace(fullMatch, () => ''), text)
      .replace(CALL_LINE, '')
      .trim();
    if (messageText !== '' && messageText !== '(no text)')
      documents.push({ ...base, block: MESSAGE_TEXT, kind: KINDS[speaker] ?? 'notice', text: messageText });
    for (const [block, [, name = '', id = '', , input = '']] of calls.entries()) {
      const call = { name, input: parseJson(input) };
      const document: ArchivedDocument = { ...base, block, kind: 'tool', ...analyzer.callText(call, undefined), tool: name };
      openCalls.set(id, { call, document });
      documents.push(document);
    }
    for (const [block, [, kind, id = '', , content = '']] of results.entries()) {
      const result = { text: content, isError: kind === 'Error' };
      const open = openCalls.get(id);
      if (open === undefined) documents.push({ ...base, block, kind: 'tool', failed: result.isError, text: content });
      else Object.assign(open.document, analyzer.callText(open.call, result));
    }
  }
  return documents.filter(({ tool }) => tool !== analyzer.excludedTool);
}

type OpenCall = { readonly call: { readonly name: string; readonly input: unknown }; readonly document: ArchivedDocument };

const CALL = /^Call of `(.+?)` \((\S+)\):\n\n(`{3,})json\n([\s\S]*?)\n\3$/gm;
const RESULT = /^(Result|Error) of (\S+):(?:\n\n\[The whole result [^\n]*)?\n\n(`{3,})\n([\s\S]*?)\n\3$/gm;

/** What stands in the text for what is whole at the end of the page. */
const CALL_LINE = /^\[(?:Call of `.+?` \(\S+\)|(?:Result|Error) of \S+): .*\]$/gm;

const KINDS: Readonly<Record<string, RecallKind>> = {
  User: 'user',
  Assistant: 'assistant',
  'Summary of what came before': 'summary',
};

const HEADING = /^## (\d+)\. (.+), (\d{4}-\d\d-\d\dT[\d:.]+Z)$/gm;

/** A heading counts only when its number is the next one. What a page has whole at its end counts as a part of the message it is of. */
function sectionsOf(page: string) {
  const heads: { readonly speaker: string; readonly at: string; readonly start: number; readonly end: number }[] = [];
  const count = Number(/^- Messages: (\d+)$/m.exec(page.slice(0, HEAD_BYTES))?.[1] ?? Number.POSITIVE_INFINITY);
  for (const match of page.matchAll(HEADING)) {
    const [fullMatch, number, speaker = '', at = ''] = match;
    if (Number(number) !== heads.length + 1) continue;
    heads.push({ speaker, at, start: match.index, end: match.index + fullMatch.length });
    if (heads.length === count) break;
  }
  const said = page.indexOf(`\n${WHOLE_HEADING}\n`, heads.at(-1)?.end);
  const wholes = said === -1 ? new Map<string, string>() : wholesIn(page.slice(said));
  const endOf = (i: number) => heads[i + 1]?.start ?? (said === -1 ? undefined : said);
  return heads.map(({ speaker, at, end }, i) => ({
    ...{ n: i + 1, speaker, at },
    text: `${page.slice(end, endOf(i))}${wholes.get(String(i + 1)) ?? ''}`.trim(),
  }));
}

/** By the number of their message. What stands in a fence is no heading. */
function wholesIn(end: string): ReadonlyMap<string, string> {
  const wholes = new Map<string, string>();
  let from: { readonly n: string; readonly start: number } | undefined;
  for (const { index, 0: found, 2: n } of [...end.matchAll(FENCE_OR_MESSAGE), { index: end.length, 0: '', 2: '' }]) {
    if (n === undefined) continue;
    if (from !== undefined) wholes.set(from.n, end.slice(from.start, index));
    from = { n, start: index + found.length };
  }
  return wholes;
}

const FENCE_OR_MESSAGE = /^(`{3,})\w*\n[\s\S]*?\n\1$|^### Of (\d+)$/gm;
