import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { orUndefined } from '../../../domain/value/or-undefined.ts';

/** What an archive holds beyond these is not told: they bound what a look at one costs, whoever made it. */
const MAX_NAMES = 10_000;
const MAX_COMPRESSED = 8 * 1024 * 1024;
const MAX_INFLATED = 64 * 1024 * 1024;
const MAX_NAME_BYTES = 64 * 1024;
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;

type Bytes = { readonly length: number; readonly at: (start: number, length: number) => Buffer };

/** The names of what comes out of a zip, a tar, or a tar in gzip; none of another kind, or what cannot be read. Never throws. */
export const archiveNames = (path: string): readonly string[] => orUndefined(() => readNames(path)) ?? [];

function readNames(path: string): readonly string[] {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return [];
    const at = (start: number, length: number): Buffer => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, stats.size - start)));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
    };
    const begins = at(0, 4).toString('latin1');
    if (begins.startsWith('PK')) return zipNames({ length: stats.size, at });
    if (!begins.startsWith('\x1f\x8b')) return tarNames({ length: stats.size, at });
    const inflated = gunzipSync(at(0, MAX_COMPRESSED), { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: MAX_INFLATED });
    return tarNames({ length: inflated.length, at: (start, length) => inflated.subarray(start, start + length) });
  } finally {
    closeSync(file);
  }
}

const BLOCK = 512;
const USTAR = 'ustar\0';

const textAt = (bytes: Buffer, start: number, length: number): string => bytes.toString('utf8', start, start + length).replace(/\0.*/s, '');

function tarNames({ length, at }: Bytes): readonly string[] {
  const names: string[] = [];
  let long: string | undefined;
  for (let start = 0; start + BLOCK <= length && names.length < MAX_NAMES; ) {
    const header = at(start, BLOCK);
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    if (header[0] === 0 || !(size >= 0)) break;
    const body = (): string => at(start + BLOCK, Math.min(size, MAX_NAME_BYTES)).toString();
    const kind = textAt(header, 156, 1);
    if (kind === 'L') long = body().replace(/\0.*/s, '');
    else if (kind === 'x') long = /^\d+ path=(.*)$/m.exec(body())?.[1] ?? long;
    else if (kind !== 'K' && kind !== 'g') {
      const folder = header.toString('latin1', 257, 263) === USTAR ? textAt(header, 345, 155) : '';
      names.push(long ?? `${folder === '' ? '' : `${folder}/`}${textAt(header, 0, 100)}`);
      long = undefined;
    }
    start += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return names;
}

/** The end of a zip says where the list of all that is in it stands. */
const END_BYTES = 22;
const MOST_COMMENT_BYTES = 65_535;
const ENTRY_BYTES = 46;

function zipNames({ length, at }: Bytes): readonly string[] {
  const tail = at(Math.max(0, length - END_BYTES - MOST_COMMENT_BYTES), END_BYTES + MOST_COMMENT_BYTES);
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0) return [];
  const list = at(tail.readUInt32LE(end + 16), Math.min(tail.readUInt32LE(end + 12), MAX_DIRECTORY_BYTES));
  const names: string[] = [];
  for (let start = 0; start + ENTRY_BYTES <= list.length && names.length < MAX_NAMES; ) {
    const nameBytes = list.readUInt16LE(start + 28);
    names.push(list.toString('utf8', start + ENTRY_BYTES, start + ENTRY_BYTES + nameBytes));
    start += ENTRY_BYTES + nameBytes + list.readUInt16LE(start + 30) + list.readUInt16LE(start + 32);
  }
  return names;
}
