/**
 * Transcripts of Entire, version 1, one JSON object a line, in which each call has its result inside it.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `user` | what the user typed |
 * | `assistant` | a reply with its calls and their results |
 * | other lines | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import type { Fields } from '../../../domain/value/json.ts';
import { anthropicReply, objectLines, recordedText, UNKNOWN } from './recorded-content.ts';
import { arrayAt, objectAt, type Recording, stringAt } from './recording.ts';

/** A line of Entire's transcripts of version 1: it names its version and the agent that it was recorded from. */
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
