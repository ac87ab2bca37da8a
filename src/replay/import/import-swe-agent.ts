import type { ContentBlock } from '../../domain/session/message.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { isRecord, type Json, listAt, parseJson, recordAt, textAt } from './json.ts';
import { callBlock, recordedText, textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

/**
 * A trajectory of SWE-agent, by its `history`. Where the model called functions these are the calls; where it wrote its command
 * into its text, the command is made a call of `bash`, and the observation that follows is its result.
 */
export function importSweAgent(file: Json): readonly Transcript[] {
  const collector = collectSteps();
  let waiting: string | undefined;
  for (const [index, entry] of listAt(file, 'history').entries()) {
    if (isRecord(entry)) waiting = takeEntry(entry, { index, waiting }, collector);
    else collector.damage(`history entry ${index + 1} is no object`);
  }
  return [collector.finish('swe-agent')];
}

type Place = { readonly index: number; readonly waiting: string | undefined };

/** Returns the id of a call whose result is the next observation. */
function takeEntry(entry: Json, { index, waiting }: Place, collector: StepCollector): string | undefined {
  const said = recordedText(entry.content, collector);
  switch (textAt(entry, 'role')) {
    case 'system':
      collector.system(said);
      return undefined;
    case 'tool':
      for (const id of listAt(entry, 'tool_call_ids'))
        if (typeof id === 'string') collector.result({ toolUseId: id, content: said, ok: true });
      return undefined;
    case 'user':
      if (waiting !== undefined) collector.result({ toolUseId: waiting, content: said, ok: true });
      else if (entry.is_demo === true || said.startsWith('Here is a demonstration')) collector.notice(said);
      else collector.user(said);
      return undefined;
    case 'assistant':
      return takeReply(entry, { said, index }, collector);
    default:
      collector.leaveOut(`${textAt(entry, 'role') || 'unknown'} entry`);
      return waiting;
  }
}

function takeReply(
  entry: Json,
  { said, index }: { readonly said: string; readonly index: number },
  collector: StepCollector,
): string | undefined {
  const calls = listAt(entry, 'tool_calls').filter(isRecord);
  const action = textAt(entry, 'action').trim();
  const id = `swe_${index}`;
  const blocks: ContentBlock[] = calls.map((call) => {
    const named = recordAt(call, 'function');
    const given = textAt(named, 'arguments');
    return callBlock(textAt(call, 'id'), textAt(named, 'name'), parseJson(given) ?? given);
  });
  const asText = calls.length === 0 && action !== '';
  if (asText) blocks.push(callBlock(id, 'bash', { command: action }));
  const thought = asText ? textAt(entry, 'thought').trim() || said : said;
  collector.reply(thought === '' ? blocks : [textBlock(thought), ...blocks], id);
  return asText ? id : undefined;
}
