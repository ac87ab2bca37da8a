import { localize } from '../../domain/language.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { arrayAt, isJsonObject, type JsonObject, stringAt } from './json.ts';
import { callBlock, functionCallBlock, objectsIn, recordedText, textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

/**
 * Imports a trajectory of SWE-agent from its `history`. Where the model called functions, these are the calls; where it wrote its command
 * into its text, the command becomes a call of `bash`, and the observation that follows is its result.
 */
export function importSweAgent(file: JsonObject): readonly Transcript[] {
  const collector = collectSteps();
  let pendingCallId: string | undefined;
  for (const [index, entry] of objectsIn(arrayAt(file, 'history'), { en: 'history entry', zh: '历史条目' }, collector))
    pendingCallId = takeEntry(entry, { index, pendingCallId }, collector);
  return [collector.finish('swe-agent')];
}

type Position = { readonly index: number; readonly pendingCallId: string | undefined };

/** Returns the id of the call whose result is the next observation, if there is one. */
function takeEntry(entry: JsonObject, { index, pendingCallId }: Position, collector: StepCollector): string | undefined {
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
      collector.leaveOut(
        localize({ en: `${stringAt(entry, 'role') || 'unknown'} entry`, zh: `${stringAt(entry, 'role') || '未知'} 条目` }),
      );
      return pendingCallId;
  }
}

function takeReply(
  entry: JsonObject,
  { text, index }: { readonly text: string; readonly index: number },
  collector: StepCollector,
): string | undefined {
  const calls = arrayAt(entry, 'tool_calls').filter(isJsonObject);
  const action = stringAt(entry, 'action').trim();
  const id = `swe_${index}`;
  const blocks = calls.map(functionCallBlock);
  const isTextCall = calls.length === 0 && action !== '';
  if (isTextCall) blocks.push(callBlock(id, 'bash', { command: action }));
  const thought = isTextCall ? stringAt(entry, 'thought').trim() || text : text;
  collector.reply(thought === '' ? blocks : [textBlock(thought), ...blocks], id);
  return isTextCall ? id : undefined;
}
