/**
 * A trajectory of SWE-agent: one JSON object with a `history`.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `system` | the system prompt |
 * | `user` | what the user typed; after a command in text its result; a demonstration is a notice |
 * | `assistant` with `tool_calls` | a reply with these calls |
 * | `assistant` with an `action` in its text | a reply with a call of `bash` |
 * | `tool` | the result of its calls |
 * | other roles | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import { type Fields, isObject } from '../../../domain/value/json.ts';
import { arrayAt, callBlock, functionCallBlock, objectsIn, recordedText, stringAt, textBlock } from './recorded-content.ts';

export function readSweAgent(file: Fields, collector: StepCollector): void {
  let pendingCallId: string | undefined;
  for (const [index, entry] of objectsIn(arrayAt(file, 'history'), { en: 'history entry', zh: '历史条目' }, collector))
    pendingCallId = takeEntry(entry, { index, pendingCallId }, collector);
}

type Position = { readonly index: number; readonly pendingCallId: string | undefined };

/** Returns the id of the call whose result is the next observation, if there is one. */
function takeEntry(entry: Fields, { index, pendingCallId }: Position, collector: StepCollector): string | undefined {
  const text = recordedText(entry.content, collector);
  switch (stringAt(entry, 'role')) {
    case 'system':
      collector.system(text);
      return undefined;
    case 'tool':
      for (const id of arrayAt(entry, 'tool_call_ids'))
        if (typeof id === 'string') collector.result({ toolUseId: id, content: text, ok: true });
      return undefined;
    case 'user':
      if (pendingCallId !== undefined) collector.result({ toolUseId: pendingCallId, content: text, ok: true });
      else if (entry.is_demo === true || text.startsWith('Here is a demonstration')) collector.notice(text);
      else collector.user(text);
      return undefined;
    case 'assistant':
      return takeReply(entry, { text, index }, collector);
    default:
      collector.leaveOut({ en: `${stringAt(entry, 'role') || 'unknown'} entry`, zh: `${stringAt(entry, 'role') || '未知'} 条目` });
      return pendingCallId;
  }
}

function takeReply(
  entry: Fields,
  { text, index }: { readonly text: string; readonly index: number },
  collector: StepCollector,
): string | undefined {
  const calls = arrayAt(entry, 'tool_calls').filter(isObject);
  const action = stringAt(entry, 'action').trim();
  const id = `swe_${index}`;
  const blocks = calls.map(functionCallBlock);
  const isTextCall = calls.length === 0 && action !== '';
  if (isTextCall) blocks.push(callBlock(id, 'bash', { command: action }));
  const thought = isTextCall ? stringAt(entry, 'thought').trim() || text : text;
  collector.reply(thought === '' ? blocks : [textBlock(thought), ...blocks], id);
  return isTextCall ? id : undefined;
}
