import type { Bilingual } from '../language.ts';
import { orUndefined } from './or-undefined.ts';

/** How a text stands in a file. What is in UTF-16 is text only where a mark says so. */
export type TextForm = { readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; readonly mark: boolean };

export const PLAIN_FORM: TextForm = { encoding: 'utf-8', mark: false };

/** As the first bytes tell. */
export function formOf(bytes: Uint8Array): TextForm {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', mark: true };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', mark: true };
  return { encoding: 'utf-8', mark: first === 0xef && second === 0xbb && third === 0xbf };
}

/** The whole text without its mark, and its form: `encodeText` makes the same bytes of them. Undefined where the bytes are not valid. */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly form: TextForm } | undefined {
  const form = formOf(bytes);
  const text = orUndefined(() => new TextDecoder(form.encoding, { fatal: true }).decode(bytes));
  return text === undefined ? undefined : { text, form };
}

/** False where something is not valid, or is a NUL, which a text in UTF-16 without a mark is full of. */
export const isValidText = (bytes: Uint8Array, { isCut = false } = {}): boolean =>
  orUndefined(() => new TextDecoder(formOf(bytes).encoding, { fatal: true }).decode(bytes, { stream: isCut }))?.includes('\0') === false;

/** What is said of a file for which this is false. */
export const NO_TEXT: Bilingual = {
  en: 'it is not text in UTF-8, or in UTF-16 with a byte order mark',
  zh: '不是 UTF-8 文本，也不是带字节顺序标记的 UTF-16',
};

/** The text without its mark, with a replacement character for what is not valid. Of a text that was cut, a character cut in two is dropped. */
export const decodeLoosely = (bytes: Uint8Array, { isCut = false } = {}): string =>
  new TextDecoder(formOf(bytes).encoding).decode(bytes, { stream: isCut });

export function encodeText(text: string, { encoding, mark }: TextForm): Buffer {
  const marked = mark ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked, 'utf8');
  const units = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16le' ? units : units.swap16();
}
