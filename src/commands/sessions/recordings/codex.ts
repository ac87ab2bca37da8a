/**
 * A rollout of Codex, one JSON object a line: response items, bare in old files and inside a `payload` in newer ones.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `session_meta`, or the head of an old file | the folder and the instructions |
 * | `message` of `user` | what the user typed |
 * | `message` of `developer` or `system`, and the program's own words as `user` | a notice |
 * | `message` of `assistant` | a reply; items that follow each other are one |
 * | `function_call`, `custom_tool_call`, `local_shell_call` | a call |
 * | `…_output` | the result of its call; failed with an exit code, or `success: false` |
 * | `thread_rolled_back`: the last turns before it | left out, counted |
 * | a `session_meta` with `history_base`, behind the file that it goes on from: what stands there from that place on | left out, counted |
 * | the same without that file | damage: the beginning is not here |
 * | a line that was written twice | left out, counted |
 * | `reasoning`, other `event_msg`, `turn_context`, `compacted` and others | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import { type Fields, isCount, isObject, parseJson } from '../../../domain/value/json.ts';
import { isOneOf } from '../../../domain/value/word-list.ts';
import {
  argumentsOf,
  arrayAt,
  callBlock,
  leaveOutMessage,
  objectAt,
  objectLines,
  type Recording,
  recordedText,
  stringAt,
  textBlock,
  UNKNOWN,
} from './recorded-content.ts';

export function readCodex(recording: Recording, collector: StepCollector): void {
  let reply = 0;
  const turns: number[] = [];
  const places: Place[] = [];
  for (const entry of objectLines(recording, collector)) {
    const item = 'payload' in entry ? objectAt(entry, 'payload') : entry;
    const outer = stringAt(entry, 'type');
    if (isCount(entry.ordinal)) places.push({ ordinal: entry.ordinal, mark: collector.mark() });
    if (outer === 'session_meta' || (outer === '' && 'instructions' in entry)) {
      takeMeta(item, collector);
      goOnFrom(item.history_base, places, collector);
    } else if (outer === 'event_msg' && item.type === 'thread_rolled_back') {
      collector.leaveOut(outer);
      rollBack(item.num_turns, turns, collector);
    } else if ('payload' in entry && outer !== 'response_item') collector.leaveOut(outer || UNKNOWN);
    else {
      const mark = collector.mark();
      if (takeItem(item, `reply ${reply}`, collector)) reply += 1;
      if (item.type === 'message' && item.role === 'user' && !isAdded(recordedText(item.content, SILENT))) turns.push(mark);
    }
  }
}

type Place = { readonly ordinal: number; readonly mark: number };

/** Newer versions go back by a file of its own, which names the line of another file from which on nothing counts. */
function goOnFrom(base: unknown, places: readonly Place[], collector: StepCollector): void {
  const end = isObject(base) ? base.end_ordinal_exclusive : undefined;
  if (!isCount(end)) return;
  const before = places.slice(0, -1);
  const left = before.find(({ ordinal }) => ordinal >= end);
  if (left !== undefined) collector.rewind(left.mark);
  if (end > 0 && before.length === 0)
    collector.damage({ en: 'it goes on from another file, which has its beginning', zh: '它接续另一个文件，开头在那个文件中' });
}

const SILENT = { leaveOut: (): void => undefined };

function rollBack(count: unknown, turns: number[], collector: StepCollector): void {
  const [mark] = isCount(count) && count > 0 ? turns.splice(-count) : [];
  if (mark !== undefined) collector.rewind(mark);
}

const isAdded = isOneOf(
  /^\s*<(?:user_instructions|environment_context|user_shell_command)\b/,
  /^\s*<(?:turn_aborted|skill|subagent_notification)\b/,
  /^\s*(?:# AGENTS\.md instructions for |<INSTRUCTIONS>)/,
);

function takeMeta(meta: Fields, collector: StepCollector): void {
  collector.cwd(stringAt(meta, 'cwd'));
  const instructions = stringAt(meta, 'instructions') || stringAt(objectAt(meta, 'base_instructions'), 'text');
  if (instructions !== '') collector.system(instructions);
}

/** Consecutive items of the model are one reply. Returns true when the next item begins a new reply. */
function takeItem(item: Fields, replyId: string, collector: StepCollector): boolean {
  const type = stringAt(item, 'type');
  const callId = stringAt(item, 'call_id') || stringAt(item, 'id');
  switch (type) {
    case 'message':
      return takeMessage(item, replyId, collector);
    case 'function_call':
      collector.reply([callBlock(callId, stringAt(item, 'name'), argumentsOf(item))], replyId);
      return false;
    case 'custom_tool_call':
      collector.reply([callBlock(callId, stringAt(item, 'name'), stringAt(item, 'input'))], replyId);
      return false;
    case 'local_shell_call':
      collector.reply([callBlock(callId, 'local_shell', { command: arrayAt(objectAt(item, 'action'), 'command') })], replyId);
      return false;
    case 'function_call_output':
    case 'custom_tool_call_output':
      collector.result({ toolUseId: callId, ...outcomeOf(item.output, collector) });
      return true;
    default:
      collector.leaveOut(type || UNKNOWN);
      return false;
  }
}

function takeMessage(item: Fields, replyId: string, collector: StepCollector): boolean {
  const text = recordedText(item.content, collector);
  const role = stringAt(item, 'role');
  if (role === 'assistant') {
    collector.reply([textBlock(text)], replyId);
    return false;
  }
  if (role === 'user' && !isAdded(text)) collector.user(text);
  else if (role === 'user' || role === 'developer' || role === 'system') collector.notice(text);
  else leaveOutMessage(role, collector);
  return true;
}

/** The output is text, JSON text with `output` and `metadata.exit_code`, an object with `content` and `success`, or a list of parts. */
function outcomeOf(output: unknown, collector: StepCollector): { readonly content: string; readonly ok: boolean } {
  if (Array.isArray(output)) return { content: recordedText(output, collector), ok: true };
  if (isObject(output)) return { content: recordedText(output.content, collector), ok: output.success !== false };
  const text = typeof output === 'string' ? output : '';
  const inner = text.startsWith('{') ? parseJson(text) : undefined;
  if (!isObject(inner) || typeof inner.output !== 'string') return { content: text, ok: true };
  const exit = objectAt(inner, 'metadata').exit_code;
  return { content: inner.output, ok: exit === undefined || exit === 0 };
}
