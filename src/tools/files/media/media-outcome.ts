import type { ToolOutcome } from '../../../agent/ports/tools.ts';
import { describeMedia, mediaSource } from '../../../domain/session/media.ts';
import type { ContentBlock } from '../../../domain/session/message.ts';
import { redactPart } from '../../../domain/value/redact.ts';
import { continuation, type PageRange, pageOf } from '../../page.ts';
import type { ResolvedPath } from '../../place/place.ts';
import { failure, quantity } from '../../tool.ts';
import type { ToolContext } from '../../tool-context.ts';
import type { MediaFile } from './media.ts';

type Reading = { readonly context: ToolContext; readonly range: PageRange; readonly signal: AbortSignal };

/** An image or a PDF for a model that sees; for another one the text of a PDF, and of an image what it is. */
export async function mediaOutcome(
  target: ResolvedPath,
  media: Exclude<MediaFile, { kind: 'other' }>,
  reading: Reading,
): Promise<ToolOutcome> {
  const { displayName, path } = target;
  if (media.kind === 'refused')
    return media.pdf === undefined
      ? failure(`${displayName}: ${media.why}`, 'not readable')
      : pdfText(target, { bytes: media.pdf, why: media.why }, reading);
  const { block, label } = media;
  if (reading.context.sees?.() === true)
    return { ok: true, content: `${displayName}: ${label}`, note: label, media: [block], source: path };
  if (block.type !== 'document') return notSeen(displayName, label);
  const bytes = Buffer.from(mediaSource(block)?.data ?? '', 'base64');
  return pdfText(target, { bytes, why: `is shown as text, since the model in use takes no PDFs (${label})` }, reading);
}

/** An image or a PDF that went to a file. */
export function seenAgain(name: string, block: ContentBlock, { sees }: ToolContext): ToolOutcome {
  const label = describeMedia(block);
  return sees?.() === true ? { ok: true, content: `${name}: ${label}`, note: label, media: [block], readBack: true } : notSeen(name, label);
}

const notSeen = (name: string, label: string): ToolOutcome =>
  failure(`${name}: ${label}. The model in use takes no images; ask the user what it shows, or use a program.`, 'not seen');

type Unshown = { readonly bytes: Buffer /** Why it is not shown, in words that follow its name. */; readonly why: string };

async function pdfText(
  { displayName, path }: ResolvedPath,
  { bytes, why }: Unshown,
  { context, range, signal }: Reading,
): Promise<ToolOutcome> {
  const { readPdfText } = await import('./read-pdf.ts');
  const found = await readPdfText(bytes, { workerFile: context.pdfWorker, deadline: context.deadline }, signal);
  if (found.kind === 'failed') return failure(`${displayName}: ${found.why}`, 'not readable');
  const { text, pages, read } = found;
  if (text.replace(/^--- page \d+$/gm, '').trim() === '')
    return failure(
      `${displayName}: ${why}, and it has no text: ${quantity(pages, 'page')} of pictures. Use a program that reads them.`,
      'no text',
    );
  const page = pageOf(text, range, range.charOffset === undefined ? Number.POSITIVE_INFINITY : context.pageChars);
  if (page.kind === 'past_end')
    return failure(
      `${displayName}: that is past the end; its text has ${quantity(page.lines, 'line')}, ${quantity(page.chars, 'character')}`,
      'past the end',
    );
  const parts = [
    `${displayName}: ${why}. Pictures in it are left out.`,
    ...(read < pages ? [` Only pages 1 to ${read} of ${pages}.`] : []),
    ...(page.next === undefined ? [] : [` Not all of it, go on with ${continuation(page.next)}.`]),
  ];
  // A secret that goes on beyond the page is masked as if all of it stood there.
  const shown = context.redactSecrets ? redactPart(text, page.firstChar, page.endChar) : page.text;
  return { ok: true, content: `${parts.join('')}\n${shown}`, note: quantity(pages, 'page'), source: path };
}
