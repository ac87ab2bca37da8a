import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../../domain/value/or-undefined.ts';

/** Of the output the first part is kept and the newest ones: up to 4 MiB in all. */
const PART_BYTES = 512 * 1024;
const MAX_NEW_PARTS = 7;

/** Returns what writes what a command prints as it comes. What the disk refuses is left out, and later parts say so by where they begin. */
export function createJobOutput(folder: string): (text: string) => void {
  let start = 0;
  let size = 0;
  const write = (bytes: Buffer): void => {
    if (size >= PART_BYTES) {
      start += size;
      size = 0;
      dropOldParts(folder);
    }
    try {
      appendFileSync(join(folder, `out-${start}`), bytes, { mode: 0o600 });
      size += bytes.length;
    } catch {
      start += size + bytes.length;
      size = 0;
    }
  };
  return (text) => {
    const bytes = Buffer.from(text, 'utf8');
    for (let at = 0; at < bytes.length; at += PART_BYTES) write(bytes.subarray(at, at + PART_BYTES));
  };
}

function dropOldParts(folder: string): void {
  const parts = partsIn(folder);
  for (const { path } of parts.slice(1, Math.max(1, parts.length - MAX_NEW_PARTS))) orUndefined(() => rmSync(path));
}

const partsIn = (folder: string) =>
  (orUndefined(() => readdirSync(folder)) ?? [])
    .flatMap((name) => {
      const start = /^out-(\d{1,15})$/.exec(name)?.[1];
      return start === undefined ? [] : [{ start: Number(start), path: join(folder, name) }];
    })
    .sort((a, b) => a.start - b.start);

/** What was kept of an output, in order. `lostBytes` came before the text and were not kept. */
export type OutputPiece = { readonly start: number; readonly lostBytes: number; readonly text: string };

/** The pieces from a position on. Positions count all bytes that were printed, kept or not. */
export function readOutput(folder: string, from: number): { readonly pieces: readonly OutputPiece[]; readonly end: number } {
  const pieces: OutputPiece[] = [];
  let end = from;
  for (const { start, path } of partsIn(folder)) {
    const bytes = orUndefined(() => readFileSync(path));
    if (bytes === undefined || start + bytes.length <= from) continue;
    const first = Math.max(start, from);
    pieces.push({ start: first, lostBytes: Math.max(0, first - end), text: bytes.subarray(first - start).toString('utf8') });
    end = start + bytes.length;
  }
  return { pieces, end };
}
