import type { PdfSource, PdfText } from '../files/media/pdf-text.ts';
import type { PageText } from '../web/page-text.ts';

/** What is parsed by a library: what each parser takes, and what it answers. */
export type Parsers = {
  readonly page: { /** HTML */ readonly input: string; readonly output: PageText };
  readonly pdf: { readonly input: PdfSource; readonly output: PdfText };
};

export type ParserName = keyof Parsers;

/** How long one text may take, and how much memory all of the process that parses it. */
export type Limit = { readonly ms: number; readonly memoryMb: number };

/** What the thread is told: `prepare` loads a parser before its first text has come. */
export type Task =
  | { readonly kind: 'prepare'; readonly name: ParserName }
  | { readonly kind: 'parse'; readonly name: ParserName; readonly input: Parsers[ParserName]['input'] };

/** What the process is told. */
export type Order = { readonly task: Task; readonly threadFile: string; readonly limit: Limit };

/** What comes back of a text. */
export type Reply =
  | { readonly kind: 'parsed'; readonly output: unknown }
  /** The parser threw, or its thread ended. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'too_much_memory' }
  | { readonly kind: 'too_slow' };

export type MeasuredReply = { readonly reply: Reply /** What the process took when it was done. */; readonly memoryBytes: number };
