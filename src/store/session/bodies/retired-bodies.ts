import { fstatSync } from 'node:fs';
import type { SnapshotBody } from '../../../agent/ports/disk.ts';
import type { Bilingual } from '../../../domain/language.ts';
import { isObject, isString } from '../../../domain/value/json.ts';
import { type Disk, readerOf, withOwnFile } from '../../files/disk.ts';
import { openLineFile } from '../../files/line-file.ts';
import { encodeRecord, type LineLocation, lineSpans, readLine, readRecord } from '../../files/record-line.ts';
import { visitLines } from '../../files/rewrite-lines.ts';
import { encodeBody, sha256Of } from './body-text.ts';

/** The beginning of a line: the hash comes first, so that the index is built without parsing megabytes of text. */
const HEAD = /^\{"sha256":"([0-9a-f]{64})"/;
const HEAD_BYTES = 80;

/** bodies.jsonl: bodies that no context refers to, never removed. Positions are kept in memory; a lookup reads what was added since. */
export function createRetiredBodies(disk: Disk, path: string) {
  const index: Index = { locations: new Map(), end: 0 };
  return {
    /** Returns the text of a hash; undefined when there is none that matches it. */
    text: (sha256: string): string | undefined =>
      withOwnFile(path, (file) => {
        update(index, file);
        const location = index.locations.get(sha256);
        const body = location && retiredBodyIn(readLine(readerOf(file), location));
        return body?.sha256 === sha256 ? body.text : undefined;
      }),
    /** Returns the whole hash of a body that begins with `prefix`; undefined when there is none. */
    hash: (prefix: string): string | undefined =>
      withOwnFile(path, (file) => {
        update(index, file);
        return [...index.locations.keys()].find((sha256) => sha256.startsWith(prefix));
      }),
    /** Appends all bodies or none; they are on disk when it returns. Returns warnings about repairs made before. Throws store_failed. */
    append: (bodies: readonly SnapshotBody[]): readonly Bilingual[] => {
      const lines = bodies.map(retiredLine);
      const { file, warnings } = openLineFile(disk, path, { point: 'bodies' });
      try {
        file.append(Buffer.concat(lines));
      } finally {
        file.close();
      }
      return warnings;
    },
  };
}

export type RetiredBodies = ReturnType<typeof createRetiredBodies>;

type Index = { readonly locations: Map<string, Pick<LineLocation, 'position' | 'length'>>; end: number };

function update(index: Index, file: number): void {
  if (fstatSync(file).size < index.end) {
    // Shorter than before, so it is another file.
    index.locations.clear();
    index.end = 0;
  }
  for (const { position, length, head } of lineSpans(readerOf(file), index.end, HEAD_BYTES)) {
    const [, sha256] = HEAD.exec(head.toString('latin1')) ?? [];
    if (sha256 !== undefined) index.locations.set(sha256, { position, length });
    index.end = position + length + 1;
  }
}

/** Encodes a body as a line of bodies.jsonl. */
export const retiredLine = ({ ref: { sha256, bytes, lines }, text }: SnapshotBody): Buffer => encodeRecord({ sha256, bytes, lines, text });

/** Returns the body in such a line; undefined when it does not match its hash. */
export function retiredBodyIn(bytes: Buffer | undefined): { readonly sha256: string; readonly text: string } | undefined {
  const line = readRecord(bytes);
  if (!isObject(line) || !isString(line.sha256) || !isString(line.text)) return undefined;
  const { sha256, text } = line;
  return sha256Of(encodeBody(text)) === sha256 ? { sha256, text } : undefined;
}

/** Verifies every line against its hash; undefined when there is no such file. Throws the system's error when it cannot be read. */
export function scanRetiredBodies(path: string) {
  return withOwnFile(path, (file) => {
    const damagedLines: LineLocation[] = [];
    const { state, ...tail } = visitLines(file, ({ bytes, ...location }) => {
      if (location.length > 0 && retiredBodyIn(bytes) === undefined) damagedLines.push(location);
    });
    if (state === 'damaged') damagedLines.push(tail);
    return { damagedLines, tailBytes: tail.length };
  });
}
