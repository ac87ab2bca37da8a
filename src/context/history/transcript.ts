import { calledTool } from '../../domain/session/called-tool.ts';
import { describeMedia, isMedia, mediaSource } from '../../domain/session/media.ts';
import {
  type BodyRef,
  type ContentBlock,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Message,
  type ReadBody,
  storedResult,
  stubOf,
  type ToolResultBlock,
} from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { cutAt, quoteText } from '../text/sentences.ts';

export type TranscriptOptions = {
  /** Left out: stubs stand for their bodies. */
  readonly bodyOf?: ReadBody;
  /** A longer tool result is cut to its head and tail and says so; so is any other text above MAX_MESSAGE_CHARS. Undefined cuts nothing. */
  readonly resultChars?: number;
};

/**
 * One readable text per message, a heading and indented content, so that nothing in it can pass for a heading. Bodies are restored,
 * thinking is left out, secrets are redacted, forged frames escaped.
 */
export function renderTranscript(messages: readonly Message[], options: TranscriptOptions): readonly string[] {
  const tools = new Map<string, string>();
  return messages.map((message, at) => {
    const parts = message.content.flatMap((block) => {
      if (isToolUse(block)) tools.set(block.id, String(calledTool(block).name));
      const maxChars = options.resultChars === undefined ? undefined : MAX_MESSAGE_CHARS;
      const text = isToolResult(block)
        ? renderResult(block, { message, tools, ...options })
        : withoutMiddle(textOfBlock(block) ?? '', maxChars);
      return text === '' ? [] : [text];
    });
    const text = quoteText(parts.join('\n') || '(no text)').replaceAll('\n', '\n ');
    return `=== ${at + 1}: ${SPEAKERS[message.origin]} ===\n ${text}`;
  });
}

/** Nobody writes more than this, and it would take a hundred requests to summarise. */
export const MAX_MESSAGE_CHARS = 100_000;

const SPEAKERS: Readonly<Record<Message['origin'], string>> = {
  user: 'user',
  model: 'agent',
  tools: 'tool results',
  summary: 'summary of what came before',
  notice: 'notice of the program',
  interrupted: 'calls that were not carried out',
};

function textOfBlock(block: ContentBlock): string | undefined {
  if (isText(block)) return block.text;
  if (isThinking(block)) return undefined;
  if (isToolUse(block)) {
    const { name, input } = calledTool(block);
    return `(called ${name})\n${inputOf(input)}`;
  }
  return placeholderFor(block);
}

/** Describes a block that cannot be shown as text: what it is by its bytes, or its type with its title, media type or address. */
export function placeholderFor(block: ContentBlock): string {
  if (isMedia(block) && mediaSource(block) !== undefined)
    return `[${[describeMedia(block), ...(typeof block.title === 'string' ? [block.title] : [])].join(', ')}]`;
  const source = isObject(block.source) ? block.source : {};
  const description = [block.title, source.media_type, source.url].find(isString);
  return `[${block.type}${description === undefined ? '' : `: ${description}`}]`;
}

function inputOf(input: unknown): string {
  if (!isObject(input)) return `  ${asText(input)}`;
  return Object.entries(input)
    .map(([key, value]) => `  ${key}: ${asText(value).replaceAll('\n', '\n    ')}`)
    .join('\n');
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

type ResultOptions = TranscriptOptions & { readonly message: Message; readonly tools: ReadonlyMap<string, string> };

function renderResult(block: ToolResultBlock, { message, tools, bodyOf, resultChars }: ResultOptions): string {
  const tool = tools.get(block.tool_use_id) ?? 'a tool';
  const content =
    typeof block.content === 'string' ? block.content : (block.content ?? []).map((part) => textOfBlock(part) ?? '').join('\n');
  const text = withoutMiddle(restoreBody(content, stubOf(message, block)?.body, bodyOf), resultChars);
  return `(result of ${tool}${block.is_error === true ? ', an error' : ''})\n  ${text.replaceAll('\n', '\n  ')}`;
}

function restoreBody(content: string, ref: BodyRef | undefined, bodyOf: ReadBody | undefined): string {
  if (ref === undefined || bodyOf === undefined) return content;
  const [first = '', ...rest] = content.split('\n');
  const path = /^Tool result is at: (.+)$/.exec(first)?.[1] ?? `sha256 ${ref.sha256}`;
  return bodyOf(ref) ?? [`[Content unavailable: ${path}]`, ...rest].join('\n');
}

export function withoutMiddle(text: string, maxChars: number | undefined): string {
  if (maxChars === undefined || text.length <= maxChars) return text;
  const head = cutAt(text, Math.floor(maxChars * 0.6));
  const tail = text.slice(text.length - Math.floor(maxChars * 0.4)).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[${text.length - head.length - tail.length} characters in the middle are not shown here]\n${tail}`;
}

export type SdkSession = { readonly sessionId: string; readonly cwd: string; readonly version: string; readonly bodyOf: ReadBody };

/**
 * A transcript line as the Claude Agent SDK writes it, for hooks made for it; offloaded results in full. `parent`: the id of the line
 * before.
 */
export function sdkLine(message: Message, parent: string | null, { sessionId, cwd, version, bodyOf }: SdkSession): Record<string, unknown> {
  const content = message.content.map((block) => withBody(block, message, bodyOf));
  return {
    parentUuid: parent,
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId,
    version,
    type: message.role,
    message: message.role === 'assistant' ? assistantMessage(message, content) : { role: 'user', content: plainOrBlocks(content) },
    ...(message.origin === 'notice' && { isMeta: true }),
    ...(message.origin === 'summary' && { isCompactSummary: true }),
    uuid: message.id,
    timestamp: message.at,
  };
}

function assistantMessage({ id, model = '', stopReason, usage }: Message, content: readonly ContentBlock[]): Record<string, unknown> {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stopReason ?? null,
    stop_sequence: null,
    usage: {
      input_tokens: usage?.inputTokens ?? 0,
      cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
      cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
      output_tokens: usage?.outputTokens ?? 0,
    },
  };
}

function plainOrBlocks(content: readonly ContentBlock[]): string | readonly ContentBlock[] {
  const [only, ...rest] = content;
  return only !== undefined && rest.length === 0 && isText(only) ? only.text : content;
}

function withBody(block: ContentBlock, message: Message, bodyOf: ReadBody): ContentBlock {
  if (isToolUse(block)) return calledTool(block);
  if (!isToolResult(block)) return block;
  const body = storedResult(message, block, bodyOf);
  return body === undefined ? block : { ...block, content: body };
}
