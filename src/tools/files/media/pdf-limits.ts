/** What the thread that reads a PDF is given. */
export type PdfOrder = { readonly bytes: Uint8Array };

export type PdfText =
  | { readonly kind: 'text'; readonly text: string; readonly pages: number /** How many of them the text has. */; readonly read: number }
  /** In words that follow its name. */
  | { readonly kind: 'failed'; readonly why: string };

export const MAX_MS = 30_000;
/** Of all the process that reads one, the program in it included. */
export const MAX_MEMORY_MB = 400;
export const MAX_TEXT_CHARS = 2_000_000;
export const MAX_TEXT_PAGES = 1_000;

export const tookTooLong: PdfText = { kind: 'failed', why: `is a PDF whose text was not found in ${MAX_MS / 1_000} seconds` };
export const tookTooMuch: PdfText = {
  kind: 'failed',
  why: `is a PDF that could not be read: it takes more than ${MAX_MEMORY_MB} MB of memory`,
};
