import { type Bilingual, because } from '../../../domain/language.ts';

/** What the thread that reads a PDF is given. */
export type PdfOrder = { readonly bytes: Uint8Array };

export type PdfText =
  | { readonly kind: 'text'; readonly text: string; readonly pages: number /** How many of them the text has. */; readonly read: number }
  /** In words that follow its name and, in Chinese, a colon. */
  | { readonly kind: 'failed'; readonly why: Bilingual };

export const MAX_MS = 30_000;
/** Of all the process that reads one, the program in it included. */
export const MAX_MEMORY_MB = 400;
export const MAX_TEXT_CHARS = 2_000_000;
export const MAX_TEXT_PAGES = 1_000;

/** `reason` in words of its own where there is one. */
export const unreadablePdf = (reason?: Bilingual): PdfText => {
  const why: Bilingual = { en: 'is a PDF that could not be read', zh: '是无法读取的 PDF' };
  return { kind: 'failed', why: reason === undefined ? why : because(why, reason) };
};

export const tookTooLong: PdfText = {
  kind: 'failed',
  why: {
    en: `is a PDF whose text was not found in ${MAX_MS / 1_000} seconds`,
    zh: `是 PDF，但在 ${MAX_MS / 1_000} 秒内没有读出文字`,
  },
};
export const tookTooMuch = unreadablePdf({
  en: `it takes more than ${MAX_MEMORY_MB} MB of memory`,
  zh: `需要超过 ${MAX_MEMORY_MB} MB 内存`,
});
