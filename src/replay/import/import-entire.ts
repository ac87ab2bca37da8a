import { localize } from '../../domain/language.ts';
import { collectSteps } from './collect-steps.ts';
import { arrayAt, type JsonObject, objectAt, type Recording, stringAt } from './json.ts';
import { anthropicReply, objectLines, recordedText } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

/** A line of Entire's transcripts of version 1: it names its version and the agent that it was recorded from. */
export const isEntireLine = (entry: JsonObject): boolean =>
  typeof entry.v === 'number' && typeof entry.agent === 'string' && typeof entry.cli_version === 'string';

/** Imports Entire's transcripts of version 1, in which each call has its result inside it. Other kinds of lines are counted. */
export function importEntire(recording: Recording): readonly Transcript[] {
  const collector = collectSteps();
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
    } else collector.leaveOut(stringAt(entry, 'type') || localize({ en: 'unknown', zh: '未知' }));
  }
  return [collector.finish('entire')];
}
