import { getDocumentProxy } from 'unpdf';
import type { Bilingual } from '../../../domain/language.ts';
import { isObject, isString } from '../../../domain/value/json.ts';

export type PdfSource = { readonly bytes: Uint8Array };

export type PdfText =
  | { readonly kind: 'text'; readonly text: string; readonly pages: number /** How many of them the text has. */; readonly read: number }
  /** In words that follow its name and, in Chinese, a colon. */
  | { readonly kind: 'failed'; readonly why: Bilingual };

const MAX_TEXT_CHARS = 2_000_000;
const MAX_TEXT_PAGES = 1_000;

/**
 * Returns the text of a PDF, page by page, as far as it may be long. The library is pdf.js in one file without a canvas (unpdf 1.6, 1.6 MB, on
 * Node 20 some 20 ms to load and a second for 36 pages; later versions of it need Node 22, and so does pdfjs-dist 6). It runs in the process
 * that parses, and only when a PDF is read that is not shown.
 */
export async function textOfPdf({ bytes }: PdfSource): Promise<PdfText> {
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, isEvalSupported: false });
    let text = '';
    let page = 0;
    while (page < Math.min(pdf.numPages, MAX_TEXT_PAGES) && text.length < MAX_TEXT_CHARS) {
      page += 1;
      text += `--- page ${page}\n${await textOfPage(pdf, page)}\n`;
    }
    return { kind: 'text', text: text.slice(0, MAX_TEXT_CHARS).toWellFormed(), pages: pdf.numPages, read: page };
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    return { kind: 'failed', why: isLocked ? ENCRYPTED : DAMAGED };
  }
}

const ENCRYPTED: Bilingual = { en: 'is a PDF that is encrypted', zh: '是加密的 PDF' };
const DAMAGED: Bilingual = { en: 'is a PDF that is damaged: its pages cannot be read', zh: '是损坏的 PDF：无法读取其页面' };

async function textOfPage(pdf: Awaited<ReturnType<typeof getDocumentProxy>>, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items
    .map((item: unknown) => (isObject(item) && isString(item.str) ? `${item.str}${item.hasEOL === true ? '\n' : ''}` : ''))
    .join('')
    .trim();
}
