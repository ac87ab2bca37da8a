import { isObject, parseJson } from '../domain/value/json.ts';

/**
 * How lines of a log here stand to the lines of a segment. `same`: they begin with them, `bytes` long here. `behind`: they end within them,
 * and the missing ones are given. `parted`: they say something else.
 */
export type Alignment =
  | { readonly kind: 'same'; readonly bytes: number }
  | { readonly kind: 'behind'; readonly bytes: number; readonly missing: Buffer }
  | { readonly kind: 'parted' };

/** The header of a fork that was brought here differs from that of its segment in who it is, and in nothing else. */
export function align(local: Buffer, segment: Buffer): Alignment {
  const heads = [local, segment].map((bytes) => bytes.indexOf(0x0a) + 1);
  const [own = 0, other = 0] = heads;
  const isHeader = own > 0 && other > 0 && !local.subarray(0, own).equals(segment.subarray(0, other));
  if (isHeader && !isSameHeader(local.subarray(0, own), segment.subarray(0, other))) return { kind: 'parted' };
  const [from, at] = isHeader ? [own, other] : [0, 0];
  const common = Math.min(local.length - from, segment.length - at);
  if (!local.subarray(from, from + common).equals(segment.subarray(at, at + common))) return { kind: 'parted' };
  if (at + common === segment.length) return { kind: 'same', bytes: from + common };
  return { kind: 'behind', bytes: from + common, missing: segment.subarray(at + common) };
}

function isSameHeader(local: Buffer, segment: Buffer): boolean {
  const [own, other] = [local, segment].map((line) => parseJson(line));
  return isObject(own) && isObject(other) && own.type === 'header' && other.type === 'header' && plain(own) === plain(other);
}

const plain = ({ sessionId: _, parent: __, crc: ___, ...rest }: Readonly<Record<string, unknown>>): string => JSON.stringify(rest);
