import { calledTool } from '../../domain/session/called-tool.ts';
import {
  type ContentBlock,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ReadBody,
  storedResult,
} from '../../domain/session/message.ts';

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
