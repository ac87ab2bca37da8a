import { readFileSync } from 'node:fs';
import { lowest } from '../../../domain/lists.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';

const MAGIC = 0xff744f63;
/** Where the table of how many ids begin with each byte stands, and the ids behind it. */
const FANOUT_AT = 8;
const IDS_AT = FANOUT_AT + 256 * 4;

/** The ids of the objects in a pack, sorted, one behind the other, by its index of version 2; undefined where that cannot be read. */
export function packedIds(path: string, idBytes: number): Buffer | undefined {
  return orUndefined(() => {
    const bytes = readFileSync(path);
    if (bytes.readUInt32BE(0) !== MAGIC || bytes.readUInt32BE(4) !== 2) return undefined;
    const end = IDS_AT + bytes.readUInt32BE(IDS_AT - 4) * idBytes;
    return end > bytes.length ? undefined : bytes.subarray(IDS_AT, end);
  });
}

/** Those of some sorted ids that none of these tables has, in hexadecimal. */
export function* idsBeyond(ids: Buffer, tables: readonly Buffer[], idBytes: number): Generator<string> {
  const places = tables.map(() => 0);
  const isIn = (table: Buffer, t: number, id: number): boolean => {
    const compare = (n: number): number => table.compare(ids, id, id + idBytes, n * idBytes, (n + 1) * idBytes);
    const low = lowest(places[t] ?? 0, table.length / idBytes, (n) => compare(n) >= 0);
    places[t] = low;
    return low * idBytes < table.length && compare(low) === 0;
  };
  for (let id = 0; id < ids.length; id += idBytes)
    if (!tables.some((table, t) => isIn(table, t, id))) yield ids.toString('hex', id, id + idBytes);
}
