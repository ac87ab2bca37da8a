import type { ToolOutcome } from '../../../agent/ports/tools.ts';
import type { Bilingual } from '../../../domain/language.ts';
import { mediaSource, mediaText } from '../../../domain/session/media.ts';
import type { ContentBlock } from '../../../domain/session/message.ts';
import { redactPart } from '../../../domain/value/redact.ts';
import { continuation, PAST_END, type PageRange, pageOf, pastEndText } from '../../page.ts';
import type { Parser } from '../../parse/parser.ts';
import type { ResolvedPath } from '../../place/place.ts';
import { counted, failureOf, quantity } from '../../tool.ts';
import type { ToolContext } from '../../tool-context.ts';
import type { MediaFile } from './media.ts';
import type { PdfText } from './pdf-text.ts';

type SomeMedia = Exclude<MediaFile, { kind: 'other' }>;
type Reading = { readonly context: ToolContext; readonly range: PageRange; readonly signal: AbortSignal };

/** An image or a PDF for a model that sees; for another one the text of a PDF, and of an image what it is. */
export async function mediaOutcome(target: ResolvedPath, media: SomeMedia, reading: Reading): Promise<ToolOutcome> {
  const { displayName, path } = target;
  if (media.kind === 'refused')
    return media.pdf === undefined
      ? failureOf(displayName, media.why, NOT_READABLE)
      : pdfText(target, { bytes: media.pdf, why: media.why }, reading);
  const { block, label } = media;
  if (reading.context.sees?.() === true)
    return { ok: true, content: `${displayName}: ${label.en}`, note: label, media: [block], source: path };
  if (block.type !== 'document') return notSeen(displayName, label);
  const why = {
    en: `is shown as text, since the model in use takes no PDFs (${label.en})`,
    zh: `以文字显示，因为所用模型不接收 PDF（${label.zh}）`,
  };
  return pdfText(target, { bytes: Buffer.from(mediaSource(block)?.data ?? '', 'base64'), why }, reading);
}

/** An image or a PDF that went to a file. */
export function seenAgain(name: string, block: ContentBlock, { sees }: ToolContext): ToolOutcome {
  const label = mediaText(block);
  return sees?.() === true
    ? { ok: true, content: `${name}: ${label.en}`, note: label, media: [block], readBack: true }
    : notSeen(name, label);
}

const NOT_READABLE: Bilingual = { en: 'not readable', zh: '无法读取' };

function notSeen(name: string, label: Bilingual): ToolOutcome {
  const why = {
    en: `${label.en}. The model in use takes no images; ask the user what it shows, or use a program.`,
    zh: `${label.zh}。所用模型不接收图片；模型会问用户它显示什么，或使用程序。`,
  };
  return failureOf(name, why, { en: 'not seen', zh: '未查看' });
}

type Unshown = { readonly bytes: Buffer /** Why it is not shown, in words that follow its name. */; readonly why: Bilingual };

async function pdfText({ displayName, path }: ResolvedPath, { bytes, why }: Unshown, reading: Reading): Promise<ToolOutcome> {
  const { context, range, signal } = reading;
  const found = await textOf(bytes, context.parser, signal);
  if (found.kind === 'failed') return failureOf(displayName, found.why, NOT_READABLE);
  const { text, pages, read } = found;
  if (text.replace(/^--- page \d+$/gm, '').trim() === '') {
    const noText = {
      en: `${why.en}, and it has no text: ${quantity(pages, 'page')} of pictures. Use a program that reads them.`,
      zh: `${why.zh}，而且没有文字：${pages} 页图片。请使用能读取图片的程序。`,
    };
    return failureOf(displayName, noText, { en: 'no text', zh: '没有文字' });
  }
  const page = pageOf(text, range, range.charOffset === undefined ? Number.POSITIVE_INFINITY : context.pageChars);
  if (page.kind === 'past_end') return failureOf(displayName, pastEndText(page, { en: 'its text', zh: '其文字' }), PAST_END);
  const parts = [
    `${displayName}: ${why.en}. Pictures in it are left out.`,
    ...(read < pages ? [` Only pages 1 to ${read} of ${pages}.`] : []),
    ...(page.next === undefined ? [] : [` Not all of it, go on with ${continuation(page.next)}.`]),
  ];
  // A secret that goes on beyond the page is masked as if all of it stood there.
  const shown = context.redactSecrets ? redactPart(text, page.firstChar, page.endChar) : page.text;
  return { ok: true, content: `${parts.join('')}\n${shown}`, note: counted(pages, 'page', '页'), source: path };
}

/** Says of a limit that was met what else can be done. */
async function textOf(bytes: Buffer, parser: Parser, signal: AbortSignal): Promise<PdfText> {
  const found = await parser.parse('pdf', { bytes }, signal);
  if (found.kind === 'parsed') return found.output;
  const { en, zh } = found.why;
  const why = {
    en: `is a PDF that could not be read: ${en}. A program that reads PDFs may take longer and more.`,
    zh: `是无法读取的 PDF：${zh}。读取 PDF 的程序可以用更多时间和内存。`,
  };
  return { kind: 'failed', why };
}
