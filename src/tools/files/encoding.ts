import { TextDecoder } from 'node:util';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { quantity } from '../tool.ts';

/**
 * Returns why these bytes are not text that can be shown and written back without harm; undefined when they are UTF-8. Takes linear time;
 * the platform's fatal decoder decides.
 */
export function encodingProblem(bytes: Buffer): string | undefined {
  const size = quantity(bytes.length, 'byte');
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined)
    return `is ${utf16} text (${size}), not UTF-8; convert it with iconv -f ${utf16} -t UTF-8 before reading or editing it`;
  const nul = bytes.indexOf(0);
  if (nul >= 0) return `is binary (${size}${kindOfBinary(bytes)}; first NUL at byte ${nul})`;
  if (decode('utf-8', bytes) !== undefined) return undefined;
  const kind = kindOfBinary(bytes);
  if (kind !== '') return `is binary (${size}${kind})`;
  const guess = guessEncoding(bytes);
  return `is not UTF-8 (${size}, first wrong byte at ${firstWrongByte(bytes)})${guess}`;
}

/** Returns the kind of UTF-16, from the byte order mark, or from zeros in every other byte of what would otherwise be plain Latin text. */
function utf16Of(bytes: Buffer): 'UTF-16LE' | 'UTF-16BE' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'UTF-16BE';
  const head = bytes.subarray(0, 512);
  if (head.length < 8 || head.length % 2 === 1) return undefined;
  const zeros = [0, 0];
  head.forEach((byte, i) => {
    if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const threshold = head.length * 0.4;
  if (odd > threshold && even === 0) return 'UTF-16LE';
  return even > threshold && odd === 0 ? 'UTF-16BE' : undefined;
}

const decode = (encoding: string, bytes: Buffer, stream = false): string | undefined =>
  orUndefined(() => new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream }));

/** A binary search for the shortest invalid beginning, rather than another implementation of the rules of UTF-8. */
function firstWrongByte(bytes: Buffer): number {
  const isValid = (length: number): boolean => decode('utf-8', bytes.subarray(0, length), true) !== undefined;
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isValid(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

function guessEncoding(bytes: Buffer): string {
  for (const encoding of ['gb18030', 'big5', 'shift_jis', 'euc-kr']) {
    const text = decode(encoding, bytes);
    if (text !== undefined && EAST_ASIAN.test(text) && !UNLIKELY.test(text)) {
      return `; the bytes would be valid ${encoding.toUpperCase()}: if that is what it is, convert it with iconv -f ${encoding.toUpperCase()} -t UTF-8`;
    }
  }
  return '';
}

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Characters that hardly occur in text, but soon appear in a wrong decoding. */
const UNLIKELY = /(?![\t\n\r\f])[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;

const MAGIC: readonly (readonly [string, string])[] = [
  ['89504e47', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['47494638', 'GIF image'],
  ['25504446', 'PDF document'],
  ['504b0304', 'ZIP archive, or a document in one'],
  ['1f8b', 'gzip archive'],
  ['7f454c46', 'ELF program'],
  ['53514c697465', 'SQLite database'],
];

function kindOfBinary(bytes: Buffer): string {
  const start = bytes.subarray(0, 8).toString('hex');
  const kind = MAGIC.find(([magic]) => start.startsWith(magic))?.[1];
  return kind === undefined ? '' : `, ${kind}`;
}
