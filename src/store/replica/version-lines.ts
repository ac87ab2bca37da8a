import { z } from 'zod';
import { actorsOf, type Change, type ChangeSet, type Entry } from '../../domain/session/change.ts';
import { isObject } from '../../domain/value/json.ts';
import { changeLine, setOf } from '../changes/change-lines.ts';
import { named } from '../changes/look/standing.ts';
import { entryExists } from '../files/disk.ts';
import { encodeRecord, readRecord } from '../files/record-line.ts';
import { completeLines } from '../files/rewrite-lines.ts';

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
/**
 * A content of a file: an object that is a line with `under`, then the content, so that it is of one journal alone. `of`: the hash of the
 * content; what was purged has none. `blob`: where this was noted, git keeps it.
 */
const versionSchema = z.object({
  type: z.literal('version'),
  sha256: sha256Schema,
  of: sha256Schema,
  under: z.string(),
  bytes: z.int().nonnegative(),
  blob: z.string().optional(),
});
export type Version = Readonly<z.infer<typeof versionSchema>>;

/** What a line tells of a content; undefined for any other line. */
export const versionIn = (line: Buffer): Version | undefined =>
  line.includes('"type":"version"') ? versionSchema.safeParse(readRecord(line)).data : undefined;

export const versionObject = (under: string, content: Buffer): Buffer => Buffer.concat([Buffer.from(`${under}\n`), content]);

/** A change with the time of the record of the log that stood last before it, which tells to which state of a session it belongs. */
export type ToldSet = { readonly set: ChangeSet; readonly said: string | undefined };

export function toldSetIn(line: Buffer): ToldSet | undefined {
  const value = line.includes('"type":"changes"') ? readRecord(line) : undefined;
  const [set] = isObject(value) && value.type === 'changes' ? setOf(value) : [];
  return set === undefined || !isObject(value) ? undefined : { set, said: typeof value.said === 'string' ? value.said : undefined };
}

export const toldSetLine = ({ set, said }: ToldSet): Buffer =>
  encodeRecord({ type: 'changes', ...set, said, changes: set.changes.map(changeLine) });

/** What a journal tells: contents by their hashes, those that git keeps by their names there too, and changes by their numbers. */
export function notedIn(path: string) {
  const noted = { versions: new Map<string, Version>(), blobs: new Map<string, string>(), sets: new Map<number, ChangeSet>() };
  for (const { bytes } of entryExists(path) ? completeLines(path) : []) {
    const line = bytes ?? Buffer.alloc(0);
    const version = versionIn(line);
    const set = toldSetIn(line)?.set;
    const dropped = line.includes('"type":"dropped"') ? readRecord(line) : undefined;
    if (version !== undefined) noted.versions.set(version.of, version);
    if (version?.blob !== undefined) noted.blobs.set(version.blob, version.of);
    if (set !== undefined) noted.sets.set(set.n, set);
    for (const { of, blob, sha256 } of isObject(dropped) ? noted.versions.values() : []) {
      if (!isObject(dropped) || sha256 !== dropped.sha256) continue;
      noted.versions.delete(of);
      noted.blobs.delete(blob ?? '');
    }
  }
  return noted;
}

export const entriesOf = ({ changes }: ChangeSet): readonly Entry[] =>
  changes.flatMap(({ before, after }) => [before, after]).filter((entry) => entry !== null);

/** What is kept here by git is told of by its content, and nothing of what runs later: it is put back where it stands. */
export function leavingSet({ later: _, ...set }: ChangeSet, blobs: ReadonlyMap<string, string>): ChangeSet {
  const leaving = (entry: Entry | null): Entry | null => {
    const of = blobs.get(named('blob', entry ?? undefined) ?? '');
    return entry === null || of === undefined ? entry : { ...entry, holds: `sha256:${of}` };
  };
  const changes = set.changes.map(({ path, before, after }): Change => ({ path, before: leaving(before), after: leaving(after) }));
  return { ...set, changes };
}

/** The number of the record of the log before a change; undefined for what nobody did, and for what was before the first. */
export function recordBefore(set: ChangeSet): number | undefined {
  const record = actorsOf(set)[0]?.record ?? 0;
  return record > 0 ? record : undefined;
}

/** When records were written, by their numbers. */
export function recordTimes(log: string, wanted: ReadonlySet<number>): ReadonlyMap<number, string> {
  const times = new Map<number, string>();
  for (const { bytes } of wanted.size > 0 && entryExists(log) ? completeLines(log) : []) {
    // Only records that are wanted are read whole.
    const n = Number(/"n":(\d+)/.exec(bytes?.toString('latin1', 0, 200) ?? '')?.[1] ?? 0);
    const record = wanted.has(n) ? readRecord(bytes) : undefined;
    if (isObject(record) && record.n === n && typeof record.at === 'string') times.set(n, record.at);
  }
  return times;
}
