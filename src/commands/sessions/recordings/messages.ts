/**
 * Messages as JSON in the form of an API: of Anthropic, or of OpenAI's chat completions. Plain lists of role and text are of the second.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `system`, `developer` | the system prompt |
 * | `user` | what the user typed, and results in blocks |
 * | `assistant` | a reply; `tool_use` blocks or `tool_calls` as calls |
 * | `tool` | the result of its call |
 * | thinking without a signature, other roles, other parts | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import type { Fields } from '../../../domain/value/json.ts';
import { linesInTree } from './branch.ts';
import {
  anthropicReply,
  anthropicUser,
  arrayAt,
  functionCallBlock,
  leaveOutMessage,
  objectAt,
  objectLines,
  objectsIn,
  type Recording,
  recordedText,
  stringAt,
  UNKNOWN,
} from './recorded-content.ts';

export type MessageList = { readonly messages: readonly unknown[]; readonly system?: unknown };

export function readMessages({ messages, system }: MessageList, collector: StepCollector): void {
  if (system !== undefined) collector.system(recordedText(system, collector));
  for (const [index, message] of objectsIn(messages, { en: 'message', zh: '消息' }, collector)) takeMessage(message, index, collector);
}

/** By its role. What its content is of Anthropic, OpenAI and pi has names of its own. */
function takeMessage(message: Fields, index: number, collector: StepCollector): void {
  const role = stringAt(message, 'role');
  const { content } = message;
  if (role === 'system' || role === 'developer') collector.system(recordedText(content, collector));
  else if (role === 'user') anthropicUser(content, collector, collector.user);
  else if (role === 'assistant')
    collector.reply(anthropicReply(content, collector, arrayAt(message, 'tool_calls').map(functionCallBlock)), `reply ${index}`);
  else if (role === 'tool' || role === 'toolResult') {
    const toolUseId = stringAt(message, 'tool_call_id') || stringAt(message, 'toolCallId');
    collector.result({ toolUseId, content: recordedText(content, collector), ok: message.isError !== true });
  } else leaveOutMessage(role, collector);
}

/**
 * Transcripts of Entire, version 1, one JSON object a line, in which each call has its result inside it.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `user` | what the user typed |
 * | `assistant` | a reply with its calls and their results |
 * | other lines | left out, counted |
 */

export const isEntireLine = (entry: Fields): boolean =>
  typeof entry.v === 'number' && typeof entry.agent === 'string' && typeof entry.cli_version === 'string';

export function readEntire(recording: Recording, collector: StepCollector): void {
  let replies = 0;
  for (const entry of objectLines(recording, collector)) {
    if (entry.type === 'user') collector.user(recordedText(entry.content, collector));
    else if (entry.type === 'assistant') {
      const content = arrayAt(entry, 'content');
      collector.reply(anthropicReply(content, collector), stringAt(entry, 'id') || `reply ${++replies}`);
      for (const call of content) {
        const result = objectAt(call, 'result');
        if (stringAt(call, 'type') === 'tool_use' && Object.keys(result).length > 0)
          collector.result({
            toolUseId: stringAt(call, 'id'),
            content: recordedText(result.output, collector),
            ok: !/error|fail|reject|cancel/i.test(stringAt(result, 'status')),
          });
      }
    } else collector.leaveOut(stringAt(entry, 'type') || UNKNOWN);
  }
}

/**
 * A session of pi, one JSON object a line. Newer files are trees of entries (`id`, `parentId`).
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `session` | the folder |
 * | `message` of `user`, `assistant`, `toolResult` | what the user typed, a reply with its calls, a result |
 * | entries of branches that do not end with the last entry | left out, counted |
 * | thinking, empty replies, other entries | left out, counted |
 */

export function readPi(recording: Recording, collector: StepCollector): void {
  const entries = [...objectLines(recording, collector)].map((entry) =>
    'parentId' in entry ? { ...entry, uuid: entry.id, parentUuid: entry.parentId } : entry,
  );
  const { left, inOrder } = linesInTree(entries, { isMain: () => true, begins: () => true, isLeaf: () => true, isAside: () => false });
  for (const [index, entry] of [...inOrder(entries)].entries()) {
    if (left.has(stringAt(entry, 'uuid'))) collector.leaveOut({ en: 'other branch', zh: '其他分支' });
    else takeEntry(entry, index, collector);
  }
}

function takeEntry(entry: Fields, index: number, collector: StepCollector): void {
  const type = stringAt(entry, 'type');
  // All lines were read before the first of them is taken.
  collector.time(stringAt(entry, 'timestamp'));
  if (type === 'session') collector.cwd(stringAt(entry, 'cwd'));
  else if (type === 'message') takeMessage(objectAt(entry, 'message'), index, collector);
  else collector.leaveOut(type || UNKNOWN);
}
