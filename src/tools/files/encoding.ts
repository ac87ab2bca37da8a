import { TextDecoder } from 'node:util';
import { type Bilingual, sameInBoth } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { decodeText, formOf, type TextForm } from '../../domain/value/text-bytes.ts';
import { counted } from '../tool.ts';

export type TextBytes =
  | { readonly kind: 'text'; readonly text: string; readonly form: TextForm }
  /** `isText` where it is text, as far as one can see, in another encoding. */
  | { readonly kind: 'unreadable'; readonly why: Bilingual; readonly isText: boolean };

/** The text that these bytes are, in UTF-8 or in UTF-16 with a mark; or why they are none that can be shown and written back without harm. */
export function decodeFileText(bytes: Buffer): TextBytes {
  const decoded = decodeText(bytes);
  if (decoded !== undefined && !decoded.text.includes('\0')) return { kind: 'text', ...decoded };
  const size = counted(bytes.length, 'byte', '字节');
  const { encoding } = formOf(bytes);
  if (encoding !== 'utf-8' && decoded === undefined)
    return unreadable(true, {
      en: `begins as ${encoding.toUpperCase()} text (${size.en}) and is not valid in it`,
      zh: `开头是 ${encoding.toUpperCase()} 文本（${size.zh}），但内容不合法`,
    });
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined)
    return unreadable(true, {
      en: `is ${utf16} text without a mark (${size.en}), not UTF-8; convert it with iconv -f ${utf16} -t UTF-8 before reading or editing it`,
      zh: `是没有标记的 ${utf16} 文本（${size.zh}），不是 UTF-8；读取或编辑之前请用 iconv -f ${utf16} -t UTF-8 转换`,
    });
  const nul = bytes.indexOf(0);
  const kind = kindOfBinary(bytes);
  if (nul >= 0)
    return unreadable(false, {
      en: `is binary (${size.en}${kind.en}; first NUL at byte ${nul})`,
      zh: `是二进制文件（${size.zh}${kind.zh}；第一个 NUL 在字节 ${nul} 处）`,
    });
  if (kind.en !== '') return unreadable(false, { en: `is binary (${size.en}${kind.en})`, zh: `是二进制文件（${size.zh}${kind.zh}）` });
  const whole = [1, 2, 3].map((cut) => bytes.length - cut).find((end) => decode('utf-8', bytes.subarray(0, end)) !== undefined);
  if (whole !== undefined && whole > 0 && decode('utf-8', bytes, true) !== undefined)
    return unreadable(true, {
      en: `is UTF-8 that ends in the middle of a character (${size.en}); head -c ${whole} gives all before it`,
      zh: `是 UTF-8，但末尾的字符不完整（${size.zh}）；用 head -c ${whole} 可得到它之前的全部内容`,
    });
  const guess = guessText(bytes);
  const wrong = firstWrongByte(bytes);
  return unreadable(true, {
    en: `is not UTF-8 (${size.en}, first wrong byte at ${wrong})${guess.en}`,
    zh: `不是 UTF-8（${size.zh}，第一个错误字节在 ${wrong} 处）${guess.zh}`,
  });
}

const unreadable = (isText: boolean, why: Bilingual) => ({ kind: 'unreadable', why, isText }) as const;

/** Returns the kind of UTF-16 without a mark, from zeros in every other byte of what would otherwise be plain Latin text. */
function utf16Of(bytes: Buffer): 'UTF-16LE' | 'UTF-16BE' | undefined {
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

function guessText(bytes: Buffer): Bilingual {
  const names = guessEastAsian(bytes).map((name) => name.toUpperCase());
  const [name] = names;
  if (name === undefined) return sameInBoth('');
  return {
    en: `; the bytes would be valid ${names.join(', ')}: if that is what it is, convert it with iconv -f ${name} -t UTF-8`,
    zh: `；这些字节符合 ${names.join('、')}：如果确实是它，请用 iconv -f ${name} -t UTF-8 转换`,
  };
}

const guessEastAsian = (bytes: Buffer, isCut = false): readonly string[] =>
  ['gb18030', 'big5', 'shift_jis', 'euc-kr'].filter((encoding) => {
    const text = decode(encoding, bytes, isCut);
    return text !== undefined && EAST_ASIAN.test(text) && !UNLIKELY.test(text);
  });

/** What a file that is not UTF-8 is, from its beginning: its probable encoding, or `binary`. */
export const probableEncoding = (head: Buffer): string =>
  utf16Of(head.subarray(0, 512))?.toLowerCase() ??
  (head.includes(0) || kindOfBinary(head).en !== '' ? 'binary' : (guessEastAsian(head, true)[0] ?? 'latin1'));

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Characters that hardly occur in text, but soon appear in a wrong decoding. */
const UNLIKELY = /(?![\t\n\r\f])[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;

const MAGIC: readonly (readonly [string, Bilingual])[] = [
  ['89504e47', { en: 'PNG image', zh: 'PNG 图片' }],
  ['ffd8ff', { en: 'JPEG image', zh: 'JPEG 图片' }],
  ['47494638', { en: 'GIF image', zh: 'GIF 图片' }],
  ['25504446', { en: 'PDF document', zh: 'PDF 文档' }],
  ['504b0304', { en: 'ZIP archive, or a document in one', zh: 'ZIP 压缩包，或其中的文档' }],
  ['1f8b', { en: 'gzip archive', zh: 'gzip 压缩包' }],
  ['7f454c46', { en: 'ELF program', zh: 'ELF 程序' }],
  ['53514c697465', { en: 'SQLite database', zh: 'SQLite 数据库' }],
];

function kindOfBinary(bytes: Buffer): Bilingual {
  const start = bytes.subarray(0, 8).toString('hex');
  const kind = MAGIC.find(([magic]) => start.startsWith(magic))?.[1];
  return kind === undefined ? sameInBoth('') : { en: `, ${kind.en}`, zh: `，${kind.zh}` };
}
