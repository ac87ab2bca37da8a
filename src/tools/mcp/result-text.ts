import type { ToolOutcome } from '../../agent/ports/tools.ts';
import { type Fields, isObject, isString } from '../../domain/value/json.ts';
import { visibleLine } from '../place/visible.ts';
import { quantity } from '../tool.ts';
import type { McpResult } from './types.ts';

const MAX_FIELD_CHARS = 300;

/** A result as the model reads it: texts as they are, and a line for whatever is no text. */
export function outcomeOf({ isError, content, structured }: McpResult): ToolOutcome {
  const parts = content.map(textOfBlock).filter((part) => part !== '');
  // Servers repeat it as a text; where one does not, it is all there is.
  if (structured !== undefined && !content.some(({ type }) => type === 'text')) parts.push(JSON.stringify(structured, null, 2) ?? '');
  const text = parts.join('\n').toWellFormed();
  const lines = text === '' ? 0 : text.split('\n').length;
  return { ok: !isError, content: text, note: isError ? 'error' : lines === 0 ? 'no output' : quantity(lines, 'line') };
}

function textOfBlock(block: Fields): string {
  switch (block.type) {
    case 'text':
      return isString(block.text) ? block.text : '';
    case 'image':
    case 'audio':
      return `[${block.type}, ${field(block.mimeType) || 'of no named type'}, ${bytesOf(block.data)}: not kept]`;
    case 'resource_link':
      return `[resource ${named(block)}: ${field(block.uri)}${described(block)}]`;
    case 'resource':
      return isObject(block.resource) ? textOfResource(block.resource) : '';
    default:
      return `[a block of the type ${field(block.type) || 'unknown'}]`;
  }
}

function textOfResource(resource: Fields): string {
  const head = `[resource ${field(resource.uri)}${described(resource)}]`;
  if (isString(resource.text)) return `${head}\n${resource.text}`;
  return isString(resource.blob) ? `${head}\n[${bytesOf(resource.blob)} that are no text: not kept]` : head;
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
