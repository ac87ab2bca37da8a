import { fstatSync } from 'node:fs';
import { sep } from 'node:path';
import type { Change, Entry, Holding } from '../../domain/session/change.ts';
import { type Fields, isObject, isString, parseJson } from '../../domain/value/json.ts';
import { baseLine, baseLineOf, changeLine, changeOf, entryLine, seenIn } from '../changes/change-lines.ts';
import { placesIn } from '../changes/contents.ts';
import { readAt, withFile } from '../files/disk.ts';
import { hasMatch, purgedValue, type Redaction } from './secret-pattern.ts';

/** Objects of a user's repository, which SanBot keeps under second names: they cannot be changed, nor are they SanBot's. */
export const isOfRepository = (path: string): boolean => OBJECTS.test(path.replaceAll(sep, '/'));
const OBJECTS = /\/changes\/git\/[0-9a-f]{16}\/objects$/;

/** The kept contents of files, each with its header; what a crash left behind the last of them comes as it is. */
export function* contentsIn(path: string): Generator<Buffer> {
  let end = 0;
  for (const [sha256, { at, bytes }] of placesIn(path, '')) {
    // A clone has no header.
    if (at === 0) return yield Buffer.concat([Buffer.from(`${sha256} ${bytes}\n`), readPart(path, 0, bytes)]);
    yield readPart(path, end, at + bytes + 1 - end);
    end = at + bytes + 1;
  }
  const rest = readPart(path, end, Number.MAX_SAFE_INTEGER);
  if (rest.length > 0) yield rest;
}

const readPart = (path: string, from: number, length: number): Buffer =>
  withFile(path, (file) => readAt(file, from, Math.max(0, Math.min(length, fstatSync(file).size - from))));

export const contentName = (part: Buffer): string => part.toString('latin1', 0, 64);

/** What held the secret is said to be purged, and a path that has it is no longer told of. The same object when nothing changes. */
export function purgedChanges(part: Buffer, redaction: Redaction): Buffer {
  const { pattern, gone } = redaction;
  const raw = part.toString('latin1');
  const names = gone !== undefined && gone.size > 0 ? (raw.match(/(?<=sha256:)[0-9a-f]{64}/g) ?? []) : [];
  const isTouched = hasMatch(raw, pattern.inBytes) || names.some((name) => gone?.has(name) === true);
  if (!isTouched) return part;
  const value = parseJson(part);
  const isClean = (text: string): boolean => !hasMatch(text, pattern.inText);
  const purged = (entry: Entry): Entry => ({ ...entry, ...(isPurged(entry.holds) && { holds: 'purged' as const }) });
  const isPurged = (holds: Holding | undefined): boolean =>
    holds !== undefined && (gone?.has(holds.slice('sha256:'.length)) === true || !isClean(holds));
  const line = lineOf(value, { isClean, purged });
  return line === undefined ? Buffer.alloc(0) : Buffer.from(`${JSON.stringify(purgedValue(line, redaction))}\n`);
}

type Means = { readonly isClean: (text: string) => boolean; readonly purged: (entry: Entry) => Entry };

function lineOf(value: unknown, means: Means): unknown {
  const { isClean, purged } = means;
  if (!Array.isArray(value)) return isObject(value) ? fieldsOf(value, means) : undefined;
  const line = baseLineOf(value);
  if (line === undefined) return value;
  if (!isClean(line.folder)) return undefined;
  const entries = line.entries.filter(([name]) => isClean(name) && isClean(`${line.folder}/${name}`));
  return entries.length === 0 ? undefined : baseLine({ ...line, entries: entries.map(([name, entry]) => [name, purged(entry)]) });
}

/** What changed, what was found where nobody had looked before, and what was not looked at, are told by their paths. */
function fieldsOf(line: Fields, { isClean, purged }: Means): Fields {
  const cleaned = (name: string, known: (each: unknown) => unknown): Fields => {
    const list = line[name];
    if (!Array.isArray(list)) return {};
    const clean = list.filter((each) => Array.isArray(each) && isString(each[0]) && isClean(each[0]));
    // What only a newer version understands stays as it is: without it, that would take what stands there for new.
    return { [name]: clean.map((each) => known(each) ?? each) };
  };
  const change = ({ path, before, after }: Change) => changeLine({ path, before: before && purged(before), after: after && purged(after) });
  return {
    ...line,
    ...cleaned('changes', (each) => changeOf(each).map(change)[0]),
    ...cleaned('seen', (each) => seenIn([each]).map(([path, entry]) => [path, entryLine(purged(entry))])[0]),
    ...cleaned('uncovered', (each) => each),
  };
}
