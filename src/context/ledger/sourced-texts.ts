import type { Message } from '../../domain/session/message.ts';
import { messageText, programNotes } from '../rules/message-text.ts';
import { isImport, looksLikeOutput } from '../text/sentences.ts';
import { isEcho } from './exchange/exchanges.ts';
import type { SourcedText } from './identifiers.ts';
import { wasRun } from './outcomes.ts';
import type { ToolCall } from './types.ts';

/** Returns what was said, called and returned, each text with where it stood: by that its names are ranked. */
export function sourcedTexts(messages: readonly Message[], calls: readonly ToolCall[]): readonly SourcedText[] {
  const messageTexts = messages.flatMap((message): readonly SourcedText[] => {
    const text = messageText(message);
    const note: SourcedText = { source: 'note', text: programNotes(message) };
    if (message.origin !== 'user') return [{ source: isEcho(message) ? 'result' : 'assistant', text }];
    const lines = text.split('\n');
    return [
      { source: 'user', text: lines.filter((line) => !looksLikeOutput(line)).join('\n') },
      { source: 'note', text: lines.filter(looksLikeOutput).join('\n') },
      note,
    ];
  });
  const callTexts = calls.flatMap((call): readonly SourcedText[] => [
    { source: 'command', text: call.command ?? '' },
    {
      source: call.kind === 'write' && !call.failed && wasRun(call) ? 'file' : 'input',
      text: call.kind === 'run' ? '' : call.title.slice(call.tool.length),
    },
    { source: 'change', text: call.kind === 'write' && !call.failed && wasRun(call) ? withoutImports(callArgumentTexts(call.input)) : '' },
    { source: 'error', text: call.error ?? '' },
    { source: 'result', text: call.result ?? '' },
  ]);
  return [...messageTexts, ...callTexts];
}

/** What a file brings in is named where it is used. */
const withoutImports = (texts: readonly string[]): string =>
  texts
    .join('\n')
    .split('\n')
    .filter((line) => !isImport(line))
    .join('\n');

/** Every text of a call's arguments: what an edit takes away and what it puts there name what the work is about. */
export const callArgumentTexts = (input: unknown, depth = 0): readonly string[] => {
  if (typeof input === 'string') return [input];
  if (typeof input !== 'object' || input === null || depth === MAX_DEPTH) return [];
  return Object.values(input).flatMap((value: unknown) => callArgumentTexts(value, depth + 1));
};

/** Of arguments that are lists of edits, with room to spare; what is deeper is not an argument that anybody wrote. */
const MAX_DEPTH = 8;
