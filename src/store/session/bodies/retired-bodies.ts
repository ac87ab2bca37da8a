import { fstatSync } from 'node:fs';
import type { Bilingual } from '../../../domain/language.ts';
import type { BodyRef } from '../../../domain/session/message.ts';
import { isObject, isString } from '../../../domain/value/json.ts';
import { type Disk, readAt, withOwnFile } from '../../files/disk.ts';
import { type LineLocation, lineSpans } from '../../files/json-line.ts';
import { openLineFile } from '../../files/line-file.ts';
import { encodeRecord, readLine, readRecord } from '../../files/record-line.ts';
import { tailState } from '../../files/repair-tail.ts';
import { encodeBody, sha256Of } from './body-text.ts';

export type RetiredBody = { readonly ref: BodyRef; readonly text: string };

/** bodies.jsonl: the bodies that no context refers to any more, one per line, never removed. */
export type RetiredBodies = {
  /** Returns the text stored under a hash, unverified; undefined when there is none. */
  readonly text: (sha256: string) => string | undefined;
  /** Returns the whole hash of a body that begins with `prefix`; undefined when there is none. */
  readonly hash: (prefix: string) => string | undefined;
  /** Appends all bodies or none; they are on disk when it returns. Returns warnings about repairs made before. Throws store_failed. */
  readonly append: (bodies: readonly RetiredBody[]) => readonly Bilingual[];
};

/** The beginning of a line: the hash comes first, so that the index is built without parsing megabytes of text. */
const HEAD = /^\{"sha256":"([0-9a-f]{64})"/;
const HEAD_BYTES = 80;

type Location = { readonly position: number; readonly length: number };

/** Keeps the positions of the bodies in memory, not the bodies; a lookup reads only what was added since the last one. */
export function createRetiredBodies(disk: Disk, path: string): RetiredBodies {
  const index: Index = { locations: new Map(), end: 0 };
  return {
    text: (sha256) => withOwnFile(path, (file) => textOf(index, file, sha256)),
    hash: (prefix) =>
      withOwnFile(path, (file) => {
        update(index, file);
        return [...index.locations.keys()].find((sha256) => sha256.startsWith(prefix));
      }),
    append: (bodies) => append(disk, path, bodies),
  };
}

type Index = { readonly locations: Map<string, Location>; end: number };

function textOf(index: Index, file: number, sha256: string): string | undefined {
  update(index, file);
  const location = index.locations.get(sha256);
  if (location === undefined) return undefined;
  const bytes = readLine((at, count) => readAt(file, at, count), location);
  const line = bytes === undefined ? undefined : readRecord(bytes);
  return isObject(line) && line.sha256 === sha256 && isString(line.text) ? line.text : undefined;
}

function update(index: Index, file: number): void {
  if (fstatSync(file).size < index.end) {
    // Shorter than before, so it is another file.
    index.locations.clear();
    index.end = 0;
  }
  for (const { position, length, head } of lineSpans((at, count) => readAt(file, at, count), index.end, HEAD_BYTES)) {
    const [, sha256] = HEAD.exec(head.toString('latin1')) ?? [];
    if (sha256 !== undefined) index.locations.set(sha256, { position, length });
    index.end = position + length + 1;
  }
}

function append(disk: Disk, path: string, bodies: readonly RetiredBody[]): readonly Bilingual[] {
  const lines = bodies.map(({ ref, text }) => encodeRecord({ sha256: ref.sha256, bytes: ref.bytes, lines: ref.lines, text }));
  const { file, warnings } = openLineFile(disk, path, { point: 'bodies' });
  try {
    file.append(Buffer.concat(lines));
  } finally {
    file.close();
  }
  return warnings;
}

/** What is damaged in a bodies.jsonl. */
export type RetiredBodiesScan = { readonly damagedLines: readonly LineLocation[]; readonly tailBytes: number };

/** Verifies every line against its hash; undefined when there is no such file. Throws the system's error when it cannot be read. */
export function scanRetiredBodies(path: string): RetiredBodiesScan | undefined {
  return withOwnFile(path, (file) => {
    const damagedLines: LineLocation[] = [];
    let end = 0;
    let line = 0;
    const read = (at: number, count: number) => readAt(file, at, count);
    for (const { position, length } of lineSpans(read, 0, 0)) {
      line += 1;
      end = position + length + 1;
      if (length > 0 && !isBodyLine(readLine(read, { position, length }))) damagedLines.push({ line, position, length });
    }
    const tailBytes = fstatSync(file).size - end;
    if (tailState(readLine(read, { position: end, length: tailBytes })) === 'damaged')
      damagedLines.push({ line: line + 1, position: end, length: tailBytes });
    return { damagedLines, tailBytes };
  });
}

function isBodyLine(bytes: Buffer | undefined): boolean {
  const line = bytes === undefined ? undefined : readRecord(bytes);
  return isObject(line) && isString(line.sha256) && isString(line.text) && sha256Of(encodeBody(line.text)) === line.sha256;
}
