import { groupBy } from '../../domain/lists.ts';
import {
  isPlace,
  masterItem,
  masterNote,
  masterPlace,
  masterSections,
  masterTitle,
  parseMasterPage,
  withoutDay,
} from '../../domain/memory/master-page.ts';
import { type MemoryEntry, type StatementKind, statementKinds } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { senseOf } from '../../domain/memory/memory-sense.ts';
import type { Message } from '../../domain/session/message.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { saysOne } from '../sentence/form.ts';
import { statesPurpose } from '../sentence/work.ts';
import { neutralize } from '../text/sentences.ts';
import { extractMemories } from './extract-memories.ts';

export type RequestLine = Omit<MemoryEntry, 'kind' | 'by'>;

const REQUEST_LINE = /^- (\d\d:\d\d) asked: (.*?) <!-- session (\S+) message (\S+) by user in (\S+) -->\s*$/;

export function parseRequestLines(page: string, day: string): readonly RequestLine[] {
  return page.split('\n').flatMap((line) => {
    const [, time, text, sessionId, messageId, folder = ''] = REQUEST_LINE.exec(line) ?? [];
    if (text === undefined || sessionId === undefined || messageId === undefined) return [];
    return [{ text, sessionId, messageId, cwd: orUndefined(() => decodeURI(folder)), at: `${day}T${time}:00.000Z` }];
  });
}

/**
 * L0 to L1: what the user said in sessions that were killed before their end. By rule in any case: a model is given whole messages at the
 * end of a session, and the daily log has lines cut to length.
 */
export const entriesFromDaily = (requests: readonly RequestLine[]): readonly MemoryEntry[] =>
  requests.flatMap(({ text, sessionId, messageId, cwd, at }) => {
    // The daily log cuts a long request; half a sentence says something else.
    const completeText = text.endsWith('…') ? text.slice(0, text.search(/[.!?。！？][^.!?。！？]*$/) + 1) : text;
    const message: Message = { id: messageId, at, role: 'user', origin: 'user', content: [{ type: 'text', text: completeText }] };
    return extractMemories([message], { sessionId, cwd });
  });

/** A line that a model proposes for the page of L2, with the entries it comes from. */
export type MasterLine = { readonly kind: StatementKind; readonly text: string; readonly ids: readonly string[] };

export type MasterPageOptions = {
  readonly entries: readonly MemoryLine[];
  readonly before: string;
  readonly at: string;
  /** Undefined: by rule, one line per entry, in its words, with its day, grouped by folder and by what it is about. */
  readonly lines: readonly MasterLine[] | undefined;
};

/** Limit of what a consolidation writes; a person's lines come on top. What does not fit stays in L1. */
const MASTER_CHARS = 12_000;

/** L1 to L2: the page of master.md. A person's lines and words stay, and an item that a person deleted does not come back. */
export function masterPage({ entries, before, at, lines }: MasterPageOptions): string {
  const page = parseMasterPage(before);
  const presentIds = new Set(page.items.flatMap(({ ids }) => ids));
  const deletedIds = page.listedIds.filter((id) => !presentIds.has(id));
  const entriesById = new Map(
    entries.filter(({ kind }) => statementKinds.some((each) => each === kind)).map((entry) => [entry.id, entry] as const),
  );
  const rewordedItems = page.items.filter(({ text, ids }) => ids.length === 1 && (entriesById.get(ids[0] ?? '')?.text ?? text) !== text);
  const rewordedIds = new Set(rewordedItems.flatMap(({ ids }) => ids));
  const proposedLines = lines ?? [...entriesById.values()].map(({ kind, text, id }) => ({ kind, text, ids: [id] }));
  const pageLines: MasterLine[] = [
    ...rewordedItems.map(({ text, ids }) => ({ kind: entriesById.get(ids[0] ?? '')?.kind ?? 'facts', text, ids })),
    ...proposedLines.filter(({ ids }) => ids.every((id) => entriesById.has(id) && !deletedIds.includes(id) && !rewordedIds.has(id))),
  ].flatMap(({ kind, ...line }) => (kind === 'runtime' ? [] : [{ kind, ...line }]));
  const chosenLines = newestThatFit(pageLines, entriesById);
  const sectionOf = ({ kind, text }: MasterLine) => (lines === undefined && (tellsWho(text) || statesPurpose(text)) ? 'about' : kind);
  const sections = (['about', 'preferences', 'decisions', 'facts'] as const).map((kind) => {
    const some = chosenLines.filter((line) => sectionOf(line) === kind);
    if (some.length === 0) return '';
    const items = lines === undefined ? groupLines(some, entriesById) : some.map(({ text, ids }) => masterItem(text, ids)).join('\n');
    return `${masterSections[kind]}\n\n${items}\n`;
  });
  const listedIds = [...new Set([...deletedIds, ...chosenLines.flatMap(({ ids }) => ids)])];
  const manualLines = page.byHand.length === 0 ? '' : `${page.byHand.join('\n')}\n`;
  return [`${masterTitle}\n`, manualLines, ...sections, `${masterNote(at, listedIds)}\n`].filter((part) => part !== '').join('\n');
}

const tellsWho = saysOne(
  () => `
who: ^(?:call me|address me|i go by|my name|my pronouns)\\b|^(?:{IAM}|i work|i teach|i speak) \\w
  + I work as a nurse. - The port is 8080.
who: ^叫我|^{I}(?:们?是|叫|在[^，。]{1,12}(?:工作|上班|教))
  + 我叫小鹿 - 端口是 8443
`,
);

function newestThatFit(lines: readonly MasterLine[], entriesById: ReadonlyMap<string, MemoryLine>): readonly MasterLine[] {
  let remainingChars = MASTER_CHARS;
  const fittingLines = new Set(
    lines
      .toSorted((a, b) => dayOf(b, entriesById).localeCompare(dayOf(a, entriesById)))
      .filter(({ text }) => {
        remainingChars -= text.length + 40;
        return remainingChars >= 0;
      }),
  );
  return lines.filter((line) => fittingLines.has(line));
}

const dayOf = ({ ids }: Line, entriesById: ReadonlyMap<string, MemoryLine>): string =>
  ids.map((id) => entriesById.get(id)?.day ?? '').reduce((a, b) => (a > b ? a : b), '');

/** Returns the page unchanged, including its date, when there is nothing new to say. */
export function updateMasterPage(options: MasterPageOptions): string {
  if (options.before === '' && options.entries.every(({ kind }) => kind === 'runtime')) return '';
  const page = masterPage(options);
  const { gone, come } = diffPages(options.before, page);
  return gone.length + come.length === 0 && options.before !== '' ? options.before : page;
}

/** Returns the lines that a page lost and gained, in their order; moved lines, days and the headings of folders count as neither. */
export function diffPages(before: string, after: string): { readonly gone: readonly string[]; readonly come: readonly string[] } {
  const contentLines = (page: string) =>
    page
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '' && !line.startsWith('<!-- consolidated ') && !isPlace(line))
      .map(withoutDay);
  const [oldLines, newLines] = [contentLines(before), contentLines(after)];
  return { gone: oldLines.filter((line) => !newLines.includes(line)), come: newLines.filter((line) => !oldLines.includes(line)) };
}

type Line = { readonly text: string; readonly ids: readonly string[] };

/** The lines of one section: those of no folder first, then folder by folder, in each by topic and the newest first. */
function groupLines(lines: readonly Line[], entriesById: ReadonlyMap<string, MemoryLine>): string {
  const rows = lines.map((line) => ({
    line,
    day: dayOf(line, entriesById),
    place: line.ids.flatMap((id) => entriesById.get(id) ?? [])[0]?.cwd ?? '',
  }));
  const places = [...groupBy(rows, ({ place }) => place)].sort(([a, x], [b, y]) => Number(a !== '') - Number(b !== '') || newest(y, x));
  return places
    .map(([place, some]) => {
      const items = byTopic(some).map(({ line: { text, ids }, day }) => masterItem(text, ids, day === '' ? undefined : day));
      return `${place === '' ? '' : `${masterPlace(neutralize(place))}\n\n`}${items.join('\n')}`;
    })
    .join('\n\n');
}

type Row = { readonly line: Line; readonly day: string; readonly place: string };

const newest = (a: readonly Row[], b: readonly Row[]): number => lastDay(a).localeCompare(lastDay(b));
const lastDay = (rows: readonly Row[]): string => rows.reduce((day, row) => (row.day > day ? row.day : day), '');

/** Lines with a word in common stand together: each goes with the word of its own that most others have. */
function byTopic(rows: readonly Row[]): readonly Row[] {
  const terms = new Map(rows.map((row) => [row, senseOf(row.line.text).terms] as const));
  const counts = new Map<string, number>();
  for (const some of terms.values()) for (const term of some) counts.set(term, (counts.get(term) ?? 0) + 1);
  const count = (term: string): number => counts.get(term) ?? 0;
  const topicOf = (row: Row): string => {
    const term = (terms.get(row) ?? []).reduce((best, each) => (count(each) > count(best) ? each : best), '');
    return count(term) > 1 ? term : row.line.ids.join();
  };
  return [...groupBy(rows, topicOf)]
    .sort(([, a], [, b]) => newest(b, a))
    .flatMap(([, some]) => some.toSorted((a, b) => b.day.localeCompare(a.day)));
}
