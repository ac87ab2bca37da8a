/**
 * Reading, writing, editing and restoring files for a model. Files are text in UTF-8, or in UTF-16 with a mark, whole or in pages; anything
 * else is refused with its reason, and never shown with replacement characters.
 *
 * A path comes in that `place/` has resolved. A change is planned on what the file holds now and made only if it still holds that: written
 * beside it, then renamed over it, with its encoding, byte order mark, line ends and mode kept. Before that, both contents are recorded, so that
 * every change can be taken back.
 *
 * It never writes over a content that has changed since the plan. It replaces no links and no protected files, and does not wait for
 * pipes or devices.
 */

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type StatsBase, statSync } from 'node:fs';
import { AbortedError, ReasonError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { FileContent } from '../../domain/session/record.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { decodeFileText } from './encoding.ts';

/** A larger file is only read in pieces and never edited: this limits memory, not usefulness. */
const MAX_TEXT_BYTES = 10 * 1024 * 1024;

/**
 * Reads a whole text file. Folders, pipes, devices, sockets, binary files and other encodings are `unreadable`, with the reason; the text,
 * which is without its byte order mark, never contains replacement characters instead. Never waits for data. Throws the system's
 * errors and AbortedError.
 */
export async function readTextFile(path: string, signal?: AbortSignal) {
  if (signal?.aborted === true) throw new AbortedError('stopped');
  const openResult = openRegular(path);
  if (openResult.kind !== 'open') return openResult;
  try {
    const bytes = readAll(openResult);
    if (bytes === undefined) return { kind: 'large', bytes: fstatSync(openResult.file).size } as const;
    const read = decodeFileText(bytes);
    return read.kind === 'text' ? { ...read, sha256: sha256Hex(bytes) } : read;
  } finally {
    closeSync(openResult.file);
  }
}

export const sha256Hex = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

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
  const openResult = openRegular(path);
  if (openResult.kind === 'missing') return undefined;
  if (openResult.kind === 'unreadable') throw new ReasonError(openResult.why);
  try {
    const content = readAll(openResult);
    const { size, mtimeNs, ino, mode } = fstatSync(openResult.file, { bigint: true });
    const fingerprint = content === undefined ? `${size}-${mtimeNs}-${ino}` : sha256Hex(content);
    return { fingerprint, bytes: content?.length ?? Number(size), mode: Number(mode & 0o777n), content };
  } finally {
    closeSync(openResult.file);
  }
}

/** `size` as the system reports it: 0 for files of /proc. */
type OpenFile = { readonly kind: 'open'; readonly file: number; readonly size: number };
type OpenResult =
  | OpenFile
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: Bilingual; readonly isText: false };

/**
 * Checks before opening, since opening alone can act on a device, and again afterwards, since the path may have changed. Whoever gets the
 * file closes it.
 */
export function openRegular(path: string): OpenResult {
  try {
    const problem = fileKindProblem(statSync(path));
    if (problem !== undefined) return { kind: 'unreadable', why: problem, isText: false };
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    const currentProblem = fileKindProblem(stats);
    if (currentProblem === undefined) return { kind: 'open', file, size: stats.size };
    closeSync(file);
    return { kind: 'unreadable', why: currentProblem, isText: false };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { kind: 'missing' };
    throw error;
  }
}

type FileKind = Pick<StatsBase<bigint>, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket'>;

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
  if (signal?.aborted === true) throw new AbortedError('stopped');
  const openResult = openRegular(path);
  if (openResult.kind !== 'open') return undefined;
  const { file, size } = openResult;
  try {
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    return { bytes: buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0)), size };
  } finally {
    closeSync(file);
  }
}

/** Returns all bytes, whatever size the system reports (0 for files of /proc); undefined when there are too many. */
function readAll({ file, size }: OpenFile): Buffer | undefined {
  if (size > MAX_TEXT_BYTES) return undefined;
  const chunks: Buffer[] = [];
  // One byte more shows that the file has ended.
  let chunk = Buffer.allocUnsafe(size === 0 ? CHUNK_BYTES : size + 1);
  let filled = 0;
  for (let total = 0; total <= MAX_TEXT_BYTES; ) {
    const bytesRead = readSync(file, chunk, filled, chunk.length - filled, null);
    filled += bytesRead;
    total += bytesRead;
    if (bytesRead > 0 && filled < chunk.length) continue;
    chunks.push(chunk.subarray(0, filled));
    if (bytesRead === 0) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    filled = 0;
  }
  return undefined;
}

const CHUNK_BYTES = 65_536;
