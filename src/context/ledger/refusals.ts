import type { Ledger } from '../../domain/session/ledger.ts';
import type { Message } from '../../domain/session/message.ts';
import { messageText } from '../rules/message-text.ts';
import { commandText, parseSuccess } from './outcomes.ts';
import type { ToolCall } from './types.ts';

type RefusalInput = {
  readonly calls: readonly ToolCall[];
  readonly messages: readonly Message[];
  /** The messages after them. */
  readonly after: readonly Message[];
  readonly done: Ledger['done'];
};

/**
 * Returns the calls that a person or a rule refused in the turn that still goes on, and that did not work since; what was refused in an
 * earlier turn is past.
 */
export function openRefusals(earlier: Ledger, { calls, messages, after, done }: RefusalInput): readonly string[] {
  const isRequest = (message: Message): boolean => message.origin === 'user' && messageText(message).trim() !== '';
  const endsTurn = (message: Message): boolean => isRequest(message) || (message.origin === 'model' && message.stopReason === 'end_turn');
  if (after.some(endsTurn)) return [];
  const turnStart = messages.findLastIndex(endsTurn);
  const refused = calls
    .filter((call) => call.denied && call.index > turnStart && saysWhat(call))
    .map((call) => refusalOf(commandText(call)));
  // A turn that an earlier compaction divided begins with its own request, which was kept.
  const goesOn = turnStart <= 0 && messages[0]?.origin !== 'model';
  const worked = new Set(done.map((text) => refusalOf(parseSuccess(text)?.command ?? '')));
  return [...(goesOn ? earlier.open.filter(isRefusal) : []), ...refused].slice(-MAX_REFUSALS).filter((item) => !worked.has(item));
}

export const isRefusal = (item: string): boolean => item.startsWith(REFUSAL_PREFIX);

/** False for a call of which there is no more than the tool's name. */
const saysWhat = (call: ToolCall): boolean => commandText(call) !== call.tool;

const refusalOf = (command: string): string => `${REFUSAL_PREFIX}\`${command}\``;
const REFUSAL_PREFIX = 'Not allowed when it was tried: ';
const MAX_REFUSALS = 10;
