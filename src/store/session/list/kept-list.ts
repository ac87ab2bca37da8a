import type { SessionColumns, SessionListEntry } from '../../../domain/session/session-list-entry.ts';
import { isObject, isString, parseJson } from '../../../domain/value/json.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { readOwnFile } from '../../files/disk.ts';
import type { StorePaths } from '../../files/paths.ts';

/** What was read of a session, and when its log and its folder had last changed then: the folder tells of its lock and its title. */
export type KnownSession = { readonly entry: SessionListEntry; readonly logMs: number; readonly folderMs: number };

/** When and where a list was made. */
export type ListBasis = {
  /** Undefined where the system does not tell: then no list is trusted. */
  readonly bootId: string | undefined;
  /** How much of the file of marks was taken into account, and its name; undefined when there was none. */
  readonly marks: { readonly name: string; readonly bytes: number } | undefined;
  readonly checkedMs: number;
  readonly sessionsMs: number;
};

/** What the file of the list holds. */
export type KeptList = {
  readonly basis: ListBasis;
  /** True when it has every session that was there. */
  readonly isWhole: boolean;
  /** Of all rows, last used first. Not checked whether each id may name a session. */
  readonly shown: SessionColumns;
  readonly entryAt: (row: number) => SessionListEntry;
  readonly knownAt: (row: number) => KnownSession;
};

/** What of it is written. */
export type ListToKeep = Pick<KeptList, 'basis' | 'isWhole'> & { readonly sessions: readonly KnownSession[] };

const COLUMNS = ['sessionId', 'createdAt', 'updatedAt', 'cwd', 'model', 'group', 'title', 'bytes', 'logMs', 'folderMs'] as const;
type ColumnName = (typeof COLUMNS)[number];

const VERSION = 3;

/**
 * All values of a column are one text: in a home of 10,000 sessions, reading the list is most of what `sanbot history` does, and cutting ten
 * texts takes a fifth of what 100,000 do that JSON tells apart. A line is a value as JSON writes it, without its quotes and beyond ASCII
 * escaped.
 */
export function encodeList({ basis, isWhole, sessions }: ListToKeep): Buffer {
  const rows = sessions.map(({ entry, logMs, folderMs }) => ({ ...entry, logMs, folderMs }));
  const columns = COLUMNS.map((name) => [name, rows.map((row) => encodeCell(row[name])).join('\n')]);
  return Buffer.from(JSON.stringify({ v: VERSION, ...basis, isWhole, columns: Object.fromEntries(columns) }));
}

const encodeCell = (value: string | number): string =>
  typeof value === 'number'
    ? String(value)
    : JSON.stringify(value)
        .slice(1, -1)
        .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const decodeCell = (cell: string): string => (cell.includes('\\') ? String(parseJson(`"${cell}"`) ?? '') : cell);

const decodeCells = (text: string): readonly string[] => {
  const cells = text.split('\n');
  return text.includes('\\') ? cells.map(decodeCell) : cells;
};

/** Undefined where there is no such file, or one that cannot be used. */
export function readKept(paths: StorePaths): KeptList | undefined {
  const file = orUndefined(() => readOwnFile(paths.sessionList));
  const value = file === undefined ? undefined : parseJson(file.toString('latin1'));
  if (!isObject(value) || value.v !== VERSION || !isObject(value.columns)) return undefined;
  const texts = readTexts(value.columns);
  const shown = texts && shownColumns(texts);
  if (texts === undefined || shown === undefined) return undefined;
  const entryAt = entriesIn(shown, texts);
  const [logMs, folderMs] = [cellsOf(texts.logMs), cellsOf(texts.folderMs)];
  return {
    basis: readBasis(value),
    isWhole: value.isWhole === true,
    shown,
    entryAt,
    knownAt: (row) => ({ entry: entryAt(row), logMs: Number(logMs(row)), folderMs: Number(folderMs(row)) }),
  };
}

function readBasis({ bootId, marks, checkedMs, sessionsMs }: Readonly<Record<string, unknown>>): ListBasis {
  return {
    bootId: isString(bootId) ? bootId : undefined,
    marks: isObject(marks) && isString(marks.name) && isNumber(marks.bytes) ? { name: marks.name, bytes: marks.bytes } : undefined,
    checkedMs: isNumber(checkedMs) ? checkedMs : Number.NaN,
    sessionsMs: isNumber(sessionsMs) ? sessionsMs : Number.NaN,
  };
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

type ColumnTexts = Readonly<Record<ColumnName, string>>;

/** What a value of some columns may be made of; of all others, what can be shown as it is. */
const LETTERS: Partial<Record<ColumnName, RegExp>> = {
  sessionId: /^[a-z0-9_\n-]+$/,
  bytes: /^[\d\n]+$/,
  logMs: /^[\d.\n]+$/,
  folderMs: /^[\d.\n]+$/,
};
const SHOWN = /^[\x20-\x7e\n]*$/;

function readTexts(texts: Readonly<Record<string, unknown>>): ColumnTexts | undefined {
  const read: Partial<Record<ColumnName, string>> = {};
  for (const name of COLUMNS) {
    const text = texts[name];
    if (!isString(text) || !(LETTERS[name] ?? SHOWN).test(text)) return undefined;
    read[name] = text;
  }
  return hasAll(read) ? read : undefined;
}

const hasAll = (texts: Partial<ColumnTexts>): texts is ColumnTexts => COLUMNS.every((name) => texts[name] !== undefined);

/** Undefined unless each has as many values. */
function shownColumns(texts: ColumnTexts): SessionColumns | undefined {
  const sessionId = texts.sessionId.split('\n');
  const bytes = texts.bytes.split('\n').map(Number);
  const updatedAt = texts.updatedAt.split('\n');
  const [cwd, title] = [decodeCells(texts.cwd), decodeCells(texts.title)];
  return [bytes, updatedAt, cwd, title].every(({ length }) => length === sessionId.length)
    ? { sessionId, updatedAt, cwd, title, bytes }
    : undefined;
}

/** So many rows are looked at in most homes; cutting a column to its end costs a thousand times as much in a large one. */
const FEW = 128;

/** Returns one value of a column, '' beyond its end. */
function cellsOf(text: string): (row: number) => string {
  let cells: readonly string[] = [];
  let limit = 0;
  return (row) => {
    if (row >= limit) {
      limit = row < FEW ? FEW : Number.POSITIVE_INFINITY;
      cells = text.split('\n', row < FEW ? FEW : undefined);
    }
    return cells[row] ?? '';
  };
}

function entriesIn(shown: SessionColumns, texts: ColumnTexts): (row: number) => SessionListEntry {
  const [createdAt, model, group] = [cellsOf(texts.createdAt), cellsOf(texts.model), cellsOf(texts.group)];
  return (row) => ({
    sessionId: shown.sessionId[row] ?? '',
    createdAt: decodeCell(createdAt(row)),
    updatedAt: shown.updatedAt[row] ?? '',
    cwd: shown.cwd[row] ?? '',
    model: decodeCell(model(row)),
    group: decodeCell(group(row)),
    title: shown.title[row] ?? '',
    bytes: shown.bytes[row] ?? 0,
    open: false,
  });
}
