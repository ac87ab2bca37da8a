/**
 * Reading, writing, editing and restoring files for a model. Files are text in UTF-8, whole or in pages; anything else is refused with its
 * reason, and never shown with replacement characters.
 *
 * A path comes in that `place/` has resolved. A change is planned on what the file holds now and made only if it still holds that: written
 * beside it, then renamed over it, with its line ends, byte order mark and mode kept. Before that, both contents are recorded, so that
 * every change can be taken back.
 *
 * It never writes over a content that has changed since the plan. It replaces no links and no protected files, and does not wait for
 * pipes or devices.
 */

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { AbortedError, ReasonError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { FileContent } from '../../domain/session/file.ts';
import { codeOf } from '../tool.ts';
import { encodingProblem } from './encoding.ts';

/** A larger file is only read in pieces and never edited: this limits memory, not usefulness. */
export const MAX_TEXT_BYTES = 10 * 1024 * 1024;

export type TextFile = {
  readonly kind: 'text';
  /** Decoded, without the byte order mark. */
  readonly text: string;
  readonly bom: boolean;
  readonly bytes: number;
  /** The hash of the bytes on disk. */
  readonly sha256: string;
};
export type TextFileFailure =
  | { readonly kind: 'missing' }
  | { readonly kind: 'large'; readonly bytes: number }
  | { readonly kind: 'unreadable'; readonly why: Bilingual };

/**
 * Reads a whole text file. Folders, pipes, devices, sockets, binary files and encodings other than UTF-8 are `unreadable`, with the reason;
 * the text never contains replacement characters instead. Never waits for data. Throws the system's errors and AbortedError.
 */
export async function readTextFile(path: string, signal?: AbortSignal): Promise<TextFile | TextFileFailure> {
  const openResult = await openRegular(path);
  if (openResult.kind !== 'open') return openResult;
  try {
    const bytes = await readAll(openResult.file, signal);
    if (bytes === undefined) return { kind: 'large', bytes: (await openResult.file.stat()).size };
    const why = encodingProblem(bytes);
    if (why !== undefined) return { kind: 'unreadable', why };
    const bom = bytes.subarray(0, 3).equals(BOM);
    return { kind: 'text', text: bytes.toString('utf8', bom ? 3 : 0), bom, bytes: bytes.length, sha256: sha256Hex(bytes) };
  } finally {
    await openResult.file.close();
  }
}

export const sha256Hex = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the text as it is stored on disk. */
export const bytesOf = (text: string, bom: boolean): Buffer => Buffer.concat([bom ? BOM : Buffer.alloc(0), Buffer.from(text, 'utf8')]);

/** The fingerprint of a path where there is no file. */
export const ABSENT = 'absent';

/**
 * Returns a fingerprint that tells whether a file has changed: the sha256 of its content, or of a large one its size, time and inode;
 * `absent` when there is no file. Throws the system's errors, and an Error for anything that is not a regular file.
 */
export async function fingerprintOf(path: string): Promise<string> {
  return (await contentOf(path))?.fingerprint ?? ABSENT;
}

/** Returns the same with the content itself, unless that is too large to be read; undefined when there is no file. */
export async function contentOf(path: string): Promise<FileContent | undefined> {
  const openResult = await openRegular(path);
  if (openResult.kind === 'missing') return undefined;
  if (openResult.kind === 'unreadable') throw new ReasonError(openResult.why);
  try {
    const content = await readAll(openResult.file, undefined);
    const { size, mtimeNs, ino, mode } = await openResult.file.stat({ bigint: true });
    const fingerprint = content === undefined ? `${size}-${mtimeNs}-${ino}` : sha256Hex(content);
    return { fingerprint, bytes: content?.length ?? Number(size), mode: Number(mode & 0o777n), content };
  } finally {
    await openResult.file.close();
  }
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

type OpenResult =
  | { readonly kind: 'open'; readonly file: FileHandle }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: Bilingual };

/** Checks before opening, since opening alone can act on a device, and again afterwards, since the path may have changed. */
export async function openRegular(path: string): Promise<OpenResult> {
  try {
    const problem = fileKindProblem(await stat(path));
    if (problem !== undefined) return { kind: 'unreadable', why: problem };
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const currentProblem = fileKindProblem(await file.stat());
    if (currentProblem === undefined) return { kind: 'open', file };
    await file.close();
    return { kind: 'unreadable', why: currentProblem };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'missing' };
    throw error;
  }
}

type FileKind = {
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
  readonly isFIFO: () => boolean;
  readonly isSocket: () => boolean;
};

/** Returns what is there when it is not a regular file; undefined when it is. */
export function fileKindProblem(stats: FileKind): Bilingual | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return { en: 'is a folder; list_files shows what is in it', zh: '是文件夹；list_files 可列出其内容' };
  if (stats.isFIFO()) return { en: 'is a named pipe, not a file', zh: '是命名管道，不是文件' };
  return stats.isSocket()
    ? { en: 'is a socket, not a file', zh: '是套接字，不是文件' }
    : { en: 'is a device, not a file', zh: '是设备，不是文件' };
}

/** The first bytes of a regular file, and its size; undefined where there is no regular file. Throws the system's errors and AbortedError. */
export async function readRegular(
  path: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly bytes: Buffer; readonly size: number } | undefined> {
  const openResult = await openRegular(path);
  if (openResult.kind !== 'open') return undefined;
  try {
    if (signal?.aborted === true) throw new AbortedError('stopped');
    const { size } = await openResult.file.stat();
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const { bytesRead } = await openResult.file.read(buffer, 0, buffer.length, 0);
    return { bytes: buffer.subarray(0, bytesRead), size };
  } finally {
    await openResult.file.close();
  }
}

/** Returns all bytes, whatever size the system reports (0 for files of /proc); undefined when there are too many. */
async function readAll(file: FileHandle, signal: AbortSignal | undefined): Promise<Buffer | undefined> {
  const reportedSize = (await file.stat()).size;
  if (reportedSize > MAX_TEXT_BYTES) return undefined;
  const chunks: Buffer[] = [];
  for (let total = 0; ; ) {
    if (signal?.aborted === true) throw new AbortedError('stopped');
    const chunk = Buffer.allocUnsafe(reportedSize === 0 ? 65_536 : Math.min(reportedSize + 1, 1 << 20));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    total += bytesRead;
    if (total > MAX_TEXT_BYTES) return undefined;
    chunks.push(chunk.subarray(0, bytesRead));
  }
}
