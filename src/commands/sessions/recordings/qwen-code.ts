/**
 * The session log of Qwen Code, one JSON object a line, in a tree (`uuid`, `parentUuid`).
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `user` | what the user typed; a notice where the program sets up its context, for a job in the background or a timer |
 * | `assistant` | a reply; `functionCall` as calls |
 * | `tool_result` | the results of calls |
 * | lines of branches that do not end with the last line | left out, counted |
 * | lines that were written twice | left out, counted |
 * | thoughts, `system` (commands, compressions, going back, figures) | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import { type Fields, isObject } from '../../../domain/value/json.ts';
import { rewoundLines } from './branch.ts';
import { callIds, type PartsContext, replyParts, takeUserParts } from './gemini-content.ts';
import { objectLines, REWOUND, UNKNOWN } from './recorded-content.ts';
import { objectAt, type Recording, stringAt } from './recording.ts';

export const isQwenLine = (entry: Fields): boolean => 'uuid' in entry && isObject(entry.message) && Array.isArray(entry.message.parts);

export function readQwenCode(recording: Recording, collector: StepCollector): void {
  const rewound = rewoundLines(recording, { isMain: () => true, begins: () => true, isLeaf: () => true, isAside: () => false });
  const context = { collector, ids: callIds() };
  for (const entry of objectLines(recording, collector)) {
    if ('message' in entry && rewound.has(stringAt(entry, 'uuid'))) collector.leaveOut(REWOUND);
    else takeEntry(entry, context);
  }
}

function takeEntry(entry: Fields, context: PartsContext): void {
  const { collector } = context;
  const type = stringAt(entry, 'type');
  const { parts } = objectAt(entry, 'message');
  collector.cwd(stringAt(entry, 'cwd'));
  if (parts === undefined) collector.leaveOut([type, stringAt(entry, 'subtype')].join(' ').trim() || UNKNOWN);
  else if (type === 'assistant') collector.reply(replyParts(parts, context), stringAt(entry, 'uuid'));
  else if (type === 'user') takeUserParts(parts, context, stringAt(entry, 'subtype') === '');
  else if (type === 'tool_result') takeUserParts(parts, context, false);
  else collector.leaveOut(type || UNKNOWN);
}
