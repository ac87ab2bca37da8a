import { z } from 'zod';
import { bodyRefSchema } from '../../domain/session/message.ts';
import { readOwnFile } from '../files/disk.ts';
import { parseJson } from '../files/json-line.ts';
import type { StorePaths } from '../files/paths.ts';
import { isObject, isString } from '../files/shape.ts';
import { decodeBody, encodeBody, refOf, sha256Of } from '../session/body-text.ts';
import { type Leak, PURGED } from './leak.ts';
import { type HomeFile, partsOf, purgedPart } from './purge-files.ts';
import type { Hashes, NewHash } from './purge-values.ts';

/** What changes names: bodies are known by the hash of their text, and a snapshot's meta holds that of its file. */
export type Renamed = { readonly bodies: Hashes; readonly snapshots: Hashes };

export const OFFLOADED = /[\\/]offloaded[\\/]([0-9a-f]{32})\.txt$/;
const SNAPSHOT = /[\\/]session-summaries[\\/][^\\/]+\.jsonl$/;
export const isSnapshot = ({ path }: HomeFile): boolean => SNAPSHOT.test(path);
export const metaOf = (path: string): string => path.replace(/\.jsonl$/, '.meta.json');

/** Of all bodies and snapshots that hold the leak, and those that an interrupted purge has begun to change. */
export function renamedBy(leak: Leak, files: readonly HomeFile[], paths: StorePaths): Renamed {
  const earlier = readJournal(paths) ?? { bodies: new Map(), snapshots: new Map() };
  const bodies = continued(earlier.bodies, new Map(files.flatMap((file) => changedBodies(leak, file))));
  const found = files.filter(isSnapshot).flatMap(({ path, name, kind }): (readonly [string, NewHash])[] => {
    const said = shaIn(metaOf(path));
    const parts = [...partsOf({ path, name, kind })];
    const next = Buffer.concat(parts.map((part) => purgedPart(part, kind, { leak, hashes: bodies })));
    const now = sha256Of(Buffer.concat(parts));
    // One whose meta says something else was altered before, and stays so.
    if (said === undefined || now !== (earlier.snapshots.get(said)?.sha256 ?? said) || sha256Of(next) === now) return [];
    return [[now, { sha256: sha256Of(next), bytes: next.length }]];
  });
  return { bodies, snapshots: continued(earlier.snapshots, new Map(found)) };
}

/** What was on its way to a hash that changes now goes on to the newest. */
function continued(earlier: Hashes, found: Hashes): Hashes {
  const moved = [...earlier].map(([old, made]) => [old, found.get(made.sha256) ?? made] as const);
  return new Map([...found, ...moved]);
}

function changedBodies(leak: Leak, file: HomeFile): readonly (readonly [string, NewHash])[] {
  const [, prefix] = OFFLOADED.exec(file.path) ?? [];
  if (prefix !== undefined) {
    const bytes = Buffer.concat([...partsOf(file)]);
    const sha256 = sha256Of(bytes);
    return sha256.startsWith(prefix) ? changed(leak, sha256, decodeBody(bytes)) : [];
  }
  if (!file.path.endsWith('bodies.jsonl') && !isSnapshot(file)) return [];
  const found: (readonly [string, NewHash])[] = [];
  for (const part of partsOf(file)) {
    if (part.toString('latin1').search(leak.inBytes) < 0) continue;
    const line = parseJson(part);
    if (!isObject(line) || !isString(line.text)) continue;
    const sha256 = isObject(line.ref) ? line.ref.sha256 : line.sha256;
    if (isString(sha256)) found.push(...changed(leak, sha256, line.text));
  }
  return found;
}

function changed(leak: Leak, sha256: string, text: string): readonly (readonly [string, NewHash])[] {
  const next = purgedBody(leak, text);
  return next === text ? [] : [[sha256, refOf(encodeBody(next))]];
}

export const purgedBody = (leak: Leak, text: string): string => text.replace(leak.inText, PURGED);

function shaIn(meta: string): string | undefined {
  try {
    const value = parseJson(readOwnFile(meta) ?? '');
    return isObject(value) && isString(value.sha256) ? value.sha256 : undefined;
  } catch {
    return undefined;
  }
}

const sha = z.string().regex(/^[0-9a-f]{64}$/);
const pairs = z.array(z.tuple([sha, bodyRefSchema.partial({ lines: true })]));
const journalSchema = z.object({ v: z.literal(1), bodies: pairs, snapshots: pairs });

/** What an interrupted purge has left; undefined when there is none. */
export function readJournal(paths: StorePaths): Renamed | undefined {
  const parsed = journalSchema.safeParse(parseJson(readOwnFile(paths.purge) ?? ''));
  return parsed.success ? { bodies: new Map(parsed.data.bodies), snapshots: new Map(parsed.data.snapshots) } : undefined;
}

export const journalBytes = ({ bodies, snapshots }: Renamed): Buffer =>
  Buffer.from(`${JSON.stringify({ v: 1, bodies: [...bodies], snapshots: [...snapshots] })}\n`, 'utf8');
