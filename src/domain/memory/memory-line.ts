import { orUndefined } from '../value/or-undefined.ts';
import type { MemoryEntry, MemoryKind } from './memory.ts';
import { hashOf, plainText } from './memory-sense.ts';

/** One entry of a page of L1: a list item with its source in a comment; a line that a person wrote has none, but is an entry too. */
export type MemoryLine = {
  /** `m…` for our entries, as in the comment; `p…` for a person's line, made from its words. */
  readonly id: string;
  readonly kind: MemoryKind;
  readonly text: string;
  /** The line as it is in the file, without its line end. */
  readonly line: string;
  readonly byHand: boolean;
  readonly day: string | undefined;
  readonly sessionId: string | undefined;
  readonly messageId: string | undefined;
  readonly by: 'user' | 'model' | undefined;
  readonly cwd: string | undefined;
  readonly supersedes: readonly string[];
  /** For an entry that was replaced: the one that replaced it, or a word such as `rollback`. */
  readonly supersededBy: string | undefined;
};

const ITEM_START = /^\s*[-*] (?:\[(\d{4}-\d\d-\d\d)\] )?/;
const SOURCE_START = '<!-- session ';
const SOURCE = /^<!-- session (\S+) message (\S+)((?: \S+)*?) -->$/;

type ItemParts = { readonly day: string | undefined; readonly text: string; readonly source: RegExpExecArray | null };

/** Taken apart from both ends: one pattern for all of it would look for its end from each blank in the text. */
function itemParts(line: string): ItemParts | undefined {
  const start = ITEM_START.exec(line);
  if (start === null) return undefined;
  const rest = line.slice(start[0].length).trimEnd();
  const at = rest.endsWith(' -->') ? rest.lastIndexOf(SOURCE_START) : -1;
  const source = at < 0 ? null : SOURCE.exec(rest.slice(at));
  return { day: start[1], text: source === null ? rest : rest.slice(0, at).trimEnd(), source };
}

export function parseMemoryLine(line: string, kind: MemoryKind): MemoryLine | undefined {
  const { day, text, source } = itemParts(line) ?? { day: undefined, text: '', source: null };
  if (text.trim() === '') return undefined;
  const [, sessionId, messageId, marks = ''] = source ?? [];
  const entryText = text.includes('<!--') && sessionId === undefined ? text.slice(0, text.lastIndexOf('<!--')).trim() : text;
  const attributes = parseAttributes(marks);
  const by = attributes.get('by');
  const byHand = sessionId === undefined;
  return {
    id: attributes.get('id') ?? `${byHand ? 'p' : 'm'}${hashOf(`${kind} ${plainText(entryText)}`).slice(0, 8)}`,
    kind,
    text: entryText,
    line,
    byHand,
    day,
    sessionId,
    messageId,
    by: by === 'user' || by === 'model' ? by : undefined,
    cwd: decodePath(attributes.get('in')),
    supersedes: attributes.get('supersedes')?.split(',') ?? [],
    supersededBy: attributes.get('superseded-by'),
  };
}

export const parseMemoryPage = (page: string, kind: MemoryKind): readonly MemoryLine[] =>
  page.split('\n').flatMap((line) => parseMemoryLine(line, kind) ?? []);

/** Returns the entries of a page that still hold: superseded ones, such as those that a rollback marked, are left out. */
export const currentEntries = (page: string, kind: MemoryKind): readonly MemoryLine[] =>
  parseMemoryPage(page, kind).filter(({ supersededBy }) => supersededBy === undefined);

/** The same entry gets the same id, however often it is extracted. */
export const memoryId = ({ kind, text, sessionId, messageId }: MemoryEntry): string =>
  `m${hashOf(`${kind} ${plainText(sanitizeMemoryText(text))} ${sessionId} ${messageId}`).slice(0, 8)}`;

export function memoryLine(entry: MemoryEntry, id: string, supersedes: readonly string[] = []): string {
  const marks = [
    `session ${attributeText(entry.sessionId)} message ${attributeText(entry.messageId)} id ${id}`,
    ...(entry.by === undefined ? [] : [`by ${entry.by}`]),
    ...(entry.cwd === undefined ? [] : [`in ${encodePath(entry.cwd)}`]),
    ...(supersedes.length === 0 ? [] : [`supersedes ${supersedes.join(',')}`]),
  ];
  return `- [${entry.at.slice(0, 10)}] ${sanitizeMemoryText(entry.text)} <!-- ${marks.join(' ')} -->`;
}

export const supersededLine = ({ line }: MemoryLine, by: string): string => line.trimEnd().replace(/ -->$/, ` superseded-by ${by} -->`);

export const rewordedLine = (entry: MemoryLine, text: string): string => entry.line.replace(entry.text, () => sanitizeMemoryText(text));

const MAX_ENTRY_CHARS = 2000;

/** Returns the entry's words on one line, so that they cannot open or close the comment behind them. */
export function sanitizeMemoryText(text: string): string {
  const line = text
    .slice(0, MAX_ENTRY_CHARS)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.replaceAll('<!--', '<! --').replaceAll('-->', '-- >');
}

const attributeText = (text: string): string => sanitizeMemoryText(text).replaceAll(' ', '_') || '-';

const encodePath = (path: string): string => encodeURI(path.toWellFormed());

const decodePath = (path: string | undefined): string | undefined =>
  path === undefined ? undefined : (orUndefined(() => decodeURI(path)) ?? path);

function parseAttributes(text: string): ReadonlyMap<string, string> {
  const words = text.trim().split(' ');
  const attributes = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; at += 2) attributes.set(words[at] ?? '', words[at + 1] ?? '');
  return attributes;
}
