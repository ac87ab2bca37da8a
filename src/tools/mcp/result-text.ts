import type { ToolOutcome } from '../../agent/ports/tools.ts';
import type { ContentBlock } from '../../domain/session/message.ts';
import { type Fields, isDeeperThan, isObject, isString } from '../../domain/value/json.ts';
import { mediaOf } from '../files/media/media.ts';
import { visibleLine } from '../place/visible.ts';
import { counted, quantity } from '../tool.ts';
import type { McpResult } from './types.ts';

const MAX_FIELD_CHARS = 300;

/** Of images and documents in one result. */
const MAX_MEDIA = 10;
const MAX_MEDIA_BYTES = 8_000_000;

/** Takes an image or a document along, and says what it is; or says why it is not kept. */
type KeepMedia = (base64: string, mimeType: string) => string;

/** A result as the model reads it: texts as they are, images and PDFs for a model that sees, and a line for whatever is neither. */
export function outcomeOf({ isError, content, structured, problem }: McpResult, { sees }: { readonly sees: boolean }): ToolOutcome {
  const media: ContentBlock[] = [];
  const keep = mediaKeeper(media, sees);
  const parts = content.map((block) => textOfBlock(block, keep)).filter((part) => part !== '');
  // Servers are to repeat it as a text.
  if (structured !== undefined && !isRepeated(structured, content)) parts.push(structuredText(structured));
  if (problem !== undefined) parts.push(`[its structured content does not match what the tool promises: ${problem}]`);
  const text = parts.join('\n').toWellFormed();
  const lines = text === '' ? 0 : text.split('\n').length;
  const note = isError ? { en: 'error', zh: '错误' } : lines === 0 ? { en: 'no output', zh: '没有输出' } : counted(lines, 'line', '行');
  return { ok: !isError, content: text, note, ...(media.length > 0 && { media }) };
}

const MAX_LEVELS = 500;
/** With each level on a line of its own, a longer one could become thousands of times as long. */
const MAX_INDENTED_CHARS = 100_000;

function structuredText(structured: unknown): string {
  if (isDeeperThan(structured, MAX_LEVELS)) return `[structured content nested more than ${MAX_LEVELS} levels deep: not kept]`;
  const text = JSON.stringify(structured) ?? '';
  return text.length > MAX_INDENTED_CHARS ? text : JSON.stringify(structured, null, 2);
}

/** So many values are looked for. */
const MAX_SOUGHT = 200;

/** Whether each value stands in the texts, as it is or as JSON writes it. */
function isRepeated(structured: unknown, content: readonly unknown[]): boolean {
  const texts = content.flatMap((block) =>
    isString(block) ? [block] : isObject(block) && block.type === 'text' && isString(block.text) ? [block.text] : [],
  );
  if (texts.length === 0 || isDeeperThan(structured, MAX_LEVELS)) return texts.length > 0;
  const values: string[] = [];
  JSON.stringify(structured, (_, value: unknown) => {
    if ((isString(value) || typeof value === 'number') && values.length < MAX_SOUGHT) values.push(`${value}`);
    return value;
  });
  const said = texts.join('\n');
  return values.every((value) => said.includes(value) || said.includes(JSON.stringify(value).slice(1, -1)));
}

function mediaKeeper(media: ContentBlock[], sees: boolean): KeepMedia {
  let bytes = 0;
  return (base64, mimeType) => {
    const data = Buffer.from(base64, 'base64');
    const found = mediaOf(data);
    if (found.kind === 'refused') return `not kept: it ${found.why.en}`;
    if (found.kind === 'other') return `${mimeType || 'of no named type'}, ${quantity(data.length, 'byte')}: not kept`;
    if (!sees) return `${found.label.en}: not kept, since the model in use takes no images or PDFs`;
    bytes += data.length;
    if (media.length >= MAX_MEDIA || bytes > MAX_MEDIA_BYTES) return `${found.label.en}: not kept, since there are too many in one result`;
    media.push(found.block);
    return `${media.length}: ${found.label.en}, below`;
  };
}

function textOfBlock(block: unknown, keep: KeepMedia): string {
  if (isString(block)) return block;
  if (!isObject(block)) return '[a block that is no object]';
  switch (block.type) {
    case 'text':
      return isString(block.text) ? block.text : '';
    case 'image':
      return `[image ${keep(isString(block.data) ? block.data : '', field(block.mimeType))}]`;
    case 'audio':
      return `[audio, ${field(block.mimeType) || 'of no named type'}, ${bytesOf(block.data)}: not kept]`;
    case 'resource_link':
      return `[resource ${named(block)}: ${field(block.uri)}${described(block)}]`;
    case 'resource':
      return isObject(block.resource) ? textOfResource(block.resource, keep) : '';
    default:
      return `[a block of the type ${field(block.type) || 'unknown'}]`;
  }
}

function textOfResource(resource: Fields, keep: KeepMedia): string {
  const head = `[resource ${field(resource.uri)}${described(resource)}]`;
  if (isString(resource.text)) return `${head}\n${resource.text}`;
  return isString(resource.blob) ? `${head}\n[data ${keep(resource.blob, field(resource.mimeType))}]` : head;
}

const field = (value: unknown): string => (isString(value) ? visibleLine(value, MAX_FIELD_CHARS) : '');
const named = (block: Fields): string => field(block.title) || field(block.name);
const described = ({ mimeType, description }: Fields): string =>
  [mimeType, description]
    .map(field)
    .filter((text) => text !== '')
    .map((text) => `, ${text}`)
    .join('');
const bytesOf = (base64: unknown): string => quantity(isString(base64) ? Math.floor((base64.length * 3) / 4) : 0, 'byte');
