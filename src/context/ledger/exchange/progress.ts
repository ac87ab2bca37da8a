import { unique } from '../../../domain/lists.ts';
import type { Ledger, Progress } from '../../../domain/session/ledger.ts';
import type { Message } from '../../../domain/session/message.ts';
import { messageText } from '../../rules/message-text.ts';
import { isAnnouncement } from '../../text/cues.ts';
import { isSelfTalk } from '../../text/filler.ts';
import { quoteLine } from '../../text/quote.ts';
import { oneLine, sentencesOf } from '../../text/sentences.ts';
import { commandKey, commandText, hasWorked, isEdit, isOfWork, isReadOnlyCommand, wasRun } from '../outcomes.ts';
import type { ToolCall } from '../types.ts';
import { callsIn, exchangesBefore } from './exchanges.ts';

const MAX_FILES = 12;
const MAX_COMMANDS = 6;
const COMMAND_CHARS = 90;
const NEXT_CHARS = 240;
const NOTHING: Progress = { files: [], worked: [], failed: [] };

type ProgressSources = { readonly calls: readonly ToolCall[]; readonly after: readonly Message[] };

/**
 * Returns what was done for the newest request, where it is not finished: the files that were changed for it, how its commands last ended, and
 * what the model said last that it would do. A turn that an earlier compaction divided goes on with what was known then.
 */
export function progressIn(
  { progress: earlier }: Pick<Ledger, 'progress'>,
  messages: readonly Message[],
  { calls, after }: ProgressSources,
): Progress | undefined {
  const exchanges = exchangesBefore(messages, after);
  const newest = exchanges.at(-1);
  if (newest === undefined || newest.closed || newest.stopped) return undefined;
  const own = callsIn(exchanges, exchanges.length - 1, calls).filter((call) => wasRun(call) && call.result !== undefined);
  const before = exchanges.length === 1 ? (earlier ?? NOTHING) : NOTHING;
  const next = nextStep(messages.slice(newest.from), after);
  return {
    files: unique([...before.files, ...own.filter(isEdit).flatMap(({ paths }) => paths.filter(isOfWork))].toReversed())
      .slice(0, MAX_FILES)
      .toReversed(),
    ...outcomes(before, own),
    ...(next === undefined ? {} : { next }),
  };
}

/** The newest outcome of each command that does more than look. */
function outcomes(before: Progress, calls: readonly ToolCall[]): Pick<Progress, 'worked' | 'failed'> {
  const last = new Map([
    ...before.worked.map((command) => [command, true] as const),
    ...before.failed.map((command) => [command, false] as const),
  ]);
  for (const call of calls) {
    if (call.kind !== 'run' || isReadOnlyCommand(call.command ?? '')) continue;
    const command = quoteLine(oneLine(commandKey(commandText(call)), COMMAND_CHARS), COMMAND_CHARS);
    last.delete(command);
    if (call.failed || hasWorked(call)) last.set(command, hasWorked(call));
  }
  const ended = (well: boolean): string[] =>
    [...last].flatMap(([command, worked]) => (worked === well ? [command] : [])).slice(-MAX_COMMANDS);
  return { worked: ended(true), failed: ended(false) };
}

/** What the model last said it would do. Where it has said more in the messages that stay, that is in its own place. */
function nextStep(messages: readonly Message[], after: readonly Message[]): string | undefined {
  const says = (message: Message): boolean => message.origin === 'model' && messageText(message).trim() !== '';
  if (after.some(says)) return undefined;
  const last = messages.findLast(says);
  if (last === undefined) return undefined;
  const sentence = sentencesOf(messageText(last)).findLast((text) => isAnnouncement(text) || isSelfTalk(text));
  return sentence === undefined ? undefined : quoteLine(sentence, NEXT_CHARS);
}
