import { createHash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { basename } from 'node:path';
import type { SnapshotBody } from '../../../agent/ports/disk.ts';
import type { Bilingual } from '../../../domain/language.ts';
import type { BodyRef } from '../../../domain/session/message.ts';
import { isObject, isString } from '../../../domain/value/json.ts';
import { type Disk, readerOf, readOwnFile, withOwnFile } from '../../files/disk.ts';
import { openLineFile } from '../../files/line-file.ts';
import { namesIn, type StorePaths } from '../../files/paths.ts';
import { encodeRecord, type LineLocation, lineSpans, readLine, readRecord } from '../../files/record-line.ts';
import { visitLines } from '../../files/rewrite-lines.ts';

/**
 * Encodes a body as UTF-8, or as WTF-8 when the text has lone surrogates: a superset of UTF-8 that writes each of them as the three bytes
 * (ED A0..BF xx) that UTF-8 forbids. So every string has one encoding, is restored as it was, and its hash is that of the file.
 */
export function encodeBody(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  return Buffer.concat(
    text
      .split(LONE_SURROGATE)
      .map((part) => (part.length === 1 && !part.isWellFormed() ? encodeSurrogate(part) : Buffer.from(part, 'utf8'))),
  );
}

/** Returns the string that `encodeBody` encoded. */
export function decodeBody(bytes: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1)) {
    const second = bytes[at + 1] ?? 0;
    if (second < 0xa0) continue;
    parts.push(bytes.toString('utf8', from, at), String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | ((bytes[at + 2] ?? 0) & 0x3f)));
    from = at + 3;
  }
  return parts.join('') + bytes.toString('utf8', from);
}

/** With the u flag a pair is one character, so only lone halves match; the group keeps them in the result of `split`. */
const LONE_SURROGATE = /(\p{Cs})/u;

function encodeSurrogate(surrogate: string): Buffer {
  const unit = surrogate.charCodeAt(0);
  return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The images and documents that a file holds as they are: the ending of its name, and how such a file begins. */
const mediaFiles = [
  { extension: 'png', mediaType: 'image/png', start: '\x89PNG\r\n\x1a\n' },
  { extension: 'jpg', mediaType: 'image/jpeg', start: '\xff\xd8\xff' },
  { extension: 'gif', mediaType: 'image/gif', start: 'GIF8' },
  { extension: 'webp', mediaType: 'image/webp', start: 'RIFF' },
  { extension: 'pdf', mediaType: 'application/pdf', start: '%PDF-' },
] as const;

const prefixOf = (mediaType: string): string => `data:${mediaType};base64,`;

/** What stands before the base64 of a file with this ending, in the text of its body; undefined for a file that is text. */
export function mediaPrefix(extension: string | undefined): string | undefined {
  const mediaType = mediaFiles.find((each) => each.extension === extension)?.mediaType;
  return mediaType === undefined ? undefined : prefixOf(mediaType);
}

/** Returns the image or document that an encoded body stands for, if it can be told from its bytes alone what the body was. */
export function bodyMedia(body: Buffer): { readonly extension: NonNullable<BodyRef['extension']>; readonly bytes: Buffer } | undefined {
  if (!body.subarray(0, 5).equals(Buffer.from('data:'))) return undefined;
  const text = body.toString('latin1');
  for (const { extension, mediaType, start } of mediaFiles) {
    const prefix = prefixOf(mediaType);
    if (!text.startsWith(prefix)) continue;
    const bytes = Buffer.from(text.slice(prefix.length), 'base64');
    const isSame = bytes.toString('base64') === text.slice(prefix.length);
    return isSame && bytes.toString('latin1', 0, start.length) === start ? { extension, bytes } : undefined;
  }
  return undefined;
}

/** Returns the ref of an encoded body. Lines are counted as a reader does: "a" and "a\n" are one, "" is none. */
export function bodyRefOf(bytes: Buffer): BodyRef {
  let lines = bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  const extension = bodyMedia(bytes)?.extension;
  return { sha256: sha256Of(bytes), bytes: bytes.length, lines, ...(extension !== undefined && { extension }) };
}

/** The file of a body: its path, and the first half of the hash of the body. */
export type BodyFile = { readonly path: string; readonly prefix: string };

/** How the name of a body's file may end. Images and PDFs may be text too: an older SanBot wrote them so, and a purge may have. */
export const bodyExtensions = ['txt', 'png', 'jpg', 'gif', 'webp', 'pdf'] as const;

const NAME = new RegExp(`^([0-9a-f]{32})\\.(${bodyExtensions.join('|')})$`);

/** Returns the beginning of the hash that the name of a body's file says; undefined for any other name. */
export const prefixInName = (name: string): string | undefined => NAME.exec(name)?.[1];

export const bodyFiles = (paths: StorePaths, sessionId: string): readonly BodyFile[] =>
  namesIn(paths.offloaded(sessionId)).flatMap((name) => {
    const [, prefix, extension] = NAME.exec(name) ?? [];
    return prefix === undefined ? [] : [{ prefix, path: paths.body(sessionId, { sha256: prefix, extension }) }];
  });

/** Returns what stands in the file of a body with this ref: an image or a PDF as itself, so that any program opens it, else the text. */
export const encodeBodyFile = (body: Buffer, { extension }: BodyRef): Buffer =>
  extension === undefined ? body : (bodyMedia(body)?.bytes ?? body);

/** Returns the encoded text of the body that is in a file, unverified; undefined when there is no such file. Throws the system's error. */
export function readBodyFile(path: string): Buffer | undefined {
  const bytes = readOwnFile(path);
  const prefix = mediaPrefix(NAME.exec(basename(path))?.[2]);
  return bytes === undefined || prefix === undefined ? bytes : Buffer.from(prefix + bytes.toString('base64'), 'latin1');
}

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
