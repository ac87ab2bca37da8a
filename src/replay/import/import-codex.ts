import { collectSteps, type StepCollector } from './collect-steps.ts';
import { isRecord, type Json, linesOf, listAt, parseJson, type Recording, recordAt, textAt } from './json.ts';
import { callBlock, recordedText, textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

/** A rollout of Codex: response items, bare in old files and inside a `payload` in newer ones. */
export function importCodex(recording: Recording): readonly Transcript[] {
  const collector = collectSteps();
  let reply = 0;
  for (const { number, text: line } of linesOf(recording)) {
    const entry = parseJson(line);
    if (!isRecord(entry)) {
      collector.damage(`line ${number} is no JSON object`);
      continue;
    }
    const item = 'payload' in entry ? recordAt(entry, 'payload') : entry;
    const outer = textAt(entry, 'type');
    if (outer === 'session_meta' || (outer === '' && 'instructions' in entry)) takeMeta(item, collector);
    else if ('payload' in entry && outer !== 'response_item') collector.leaveOut(outer || 'unknown');
    else if (takeItem(item, `reply ${reply}`, collector)) reply += 1;
  }
  return [collector.finish('codex')];
}

function takeMeta(meta: Json, collector: StepCollector): void {
  collector.cwd(textAt(meta, 'cwd'));
  const instructions = textAt(meta, 'instructions') || textAt(recordAt(meta, 'base_instructions'), 'text');
  if (instructions !== '') collector.system(instructions);
}

/** Items of the model in a row are one reply; returns whether the next one begins a new reply. */
function takeItem(item: Json, replyId: string, collector: StepCollector): boolean {
  const type = textAt(item, 'type');
  const callId = textAt(item, 'call_id') || textAt(item, 'id');
  switch (type) {
    case 'message':
      return takeMessage(item, replyId, collector);
    case 'function_call': {
      const given = textAt(item, 'arguments');
      collector.reply([callBlock(callId, textAt(item, 'name'), parseJson(given) ?? given)], replyId);
      return false;
    }
    case 'custom_tool_call':
      collector.reply([callBlock(callId, textAt(item, 'name'), textAt(item, 'input'))], replyId);
      return false;
    case 'local_shell_call':
      collector.reply([callBlock(callId, 'local_shell', { command: listAt(recordAt(item, 'action'), 'command') })], replyId);
      return false;
    case 'function_call_output':
    case 'custom_tool_call_output':
      collector.result({ toolUseId: callId, ...outcomeOf(item.output, collector) });
      return true;
    default:
      collector.leaveOut(type || 'unknown');
      return false;
  }
}

function takeMessage(item: Json, replyId: string, collector: StepCollector): boolean {
  const said = recordedText(item.content, collector);
  const role = textAt(item, 'role');
  if (role === 'assistant') {
    collector.reply([textBlock(said)], replyId);
    return false;
  }
  if (role === 'user' && !/^\s*<(?:user_instructions|environment_context|user_shell_command)/.test(said)) collector.user(said);
  else if (role === 'user' || role === 'developer' || role === 'system') collector.notice(said);
  else collector.leaveOut(`${role || 'unknown'} message`);
  return true;
}

/** Output is text, JSON text with `output` and `metadata.exit_code`, an object with `content` and `success`, or a list of parts. */
function outcomeOf(output: unknown, collector: StepCollector): { readonly content: string; readonly ok: boolean } {
  if (Array.isArray(output)) return { content: recordedText(output, collector), ok: true };
  if (isRecord(output)) return { content: recordedText(output.content, collector), ok: output.success !== false };
  const text = typeof output === 'string' ? output : '';
  const inner = text.startsWith('{') ? parseJson(text) : undefined;
  if (!isRecord(inner) || typeof inner.output !== 'string') return { content: text, ok: true };
  const exit = recordAt(inner, 'metadata').exit_code;
  return { content: inner.output, ok: exit === undefined || exit === 0 };
}
