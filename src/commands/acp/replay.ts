import { wholeText } from '../../agent/turn/person-input.ts';
import { localize } from '../../domain/language.ts';
import {
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Message,
  type ReadBody,
  resultText,
  storedResult,
  textOf,
} from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import type { Editor } from './editor.ts';
import type { SessionUpdate } from './protocol.ts';
import { plannedDiff, resultContent, toolCallOf } from './tool-calls.ts';

/** Plays stored messages to the editor as if they were said now, each as what it is; no faster than it takes them. */
export async function replay(
  messages: Iterable<Message>,
  editor: Editor,
  { cwd, read }: { readonly cwd: string; readonly read: ReadBody },
) {
  const edits = new Map<string, ReturnType<typeof plannedDiff>>();
  const names = new Map<string, string>();
  for (const message of messages) for (const update of updatesOf(message)) await editor.send(update);

  function updatesOf(message: Message): readonly SessionUpdate[] {
    const { origin, id: messageId, content, summary } = message;
    if (origin === 'user') return userChunks(message, read);
    if (origin === 'summary') return summaryUpdates(messageId, summary?.text ?? textOf(content), editor);
    return content.flatMap((block): SessionUpdate[] => {
      if (origin === 'model' && isText(block) && block.text !== '')
        return [{ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text: block.text } }];
      if (isThinking(block) && isString(block.thinking) && block.thinking !== '')
        return [{ sessionUpdate: 'agent_thought_chunk', messageId, content: { type: 'text', text: block.thinking } }];
      if (isToolUse(block)) {
        edits.set(block.id, plannedDiff(block, cwd));
        names.set(block.id, block.name);
        return [{ sessionUpdate: 'tool_call', status: 'in_progress', ...toolCallOf(block, cwd) }];
      }
      if (!isToolResult(block)) return [];
      const { tool_use_id: toolCallId, is_error: isError } = block;
      const diff = isError === true ? [] : (edits.get(toolCallId) ?? []);
      const text = storedResult(message, block, read) ?? resultText(block);
      const shown = diff.length > 0 ? diff : resultContent(names.get(toolCallId) ?? '', text);
      edits.delete(toolCallId);
      names.delete(toolCallId);
      return [{ sessionUpdate: 'tool_call_update', toolCallId, status: isError === true ? 'failed' : 'completed', content: shown }];
    });
  }
}

function userChunks(message: Message, read: ReadBody): readonly SessionUpdate[] {
  const media = message.content.flatMap(({ type, source }) =>
    type === 'image' && isObject(source) && isString(source.data) && isString(source.media_type)
      ? [{ type, data: source.data, mimeType: source.media_type } as const]
      : [],
  );
  return [{ type: 'text', text: wholeText(message, read) } as const, ...media].map((content) => ({
    ...{ sessionUpdate: 'user_message_chunk', messageId: message.id, content },
  }));
}

/** What took the place of older messages: a compaction to an editor that knows them, else a message that says what it is. */
function summaryUpdates(compactionId: string, text: string, { hearsCompactions }: Editor): readonly SessionUpdate[] {
  if (hearsCompactions)
    return [{ sessionUpdate: 'compaction_update', compactionId, status: 'completed', summary: [{ type: 'text', text }] }];
  const head = localize({ en: 'Compacted here; the summary that the model works with:', zh: '在此压缩；模型使用的摘要：' });
  return [{ sessionUpdate: 'agent_message_chunk', messageId: compactionId, content: { type: 'text', text: `${head}\n\n${text}\n\n` } }];
}
