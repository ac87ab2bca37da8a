import { chooseCut, newestRequest } from '../../context/history/cut.ts';
import { activeNotices } from '../../context/history/notices.ts';
import { withoutPinsNotice } from '../../context/history/pins.ts';
import { boundLedger, gatherLedger, mergeLedger } from '../../context/ledger/ledger.ts';
import type { Limits } from '../../context/measure/limits.ts';
import { summaryOf } from '../../context/summary/compressed-history.ts';
import type { CompactionTrigger } from '../../domain/event.ts';
import { emptyLedger, type Ledger } from '../../domain/session/ledger.ts';
import type { Message } from '../../domain/session/message.ts';
import type { AgentDeps } from '../deps.ts';
import type { Session } from '../session/session.ts';
import type { Split } from './types.ts';

/** Decides what leaves; undefined when nothing would. */
export function chooseSplit(
  { trigger, limits }: { readonly trigger: CompactionTrigger; readonly limits: Limits },
  session: Session,
  deps: AgentDeps,
): Split | undefined {
  const { messages } = session.context;
  const sizes = messages.map((message) => deps.measure.message(message, session.estimate.ratio));
  const totalTokens = sizes.reduce((sum, tokens) => sum + tokens, 0);
  if (trigger === 'manual' && messages.length <= limits.keepMessages && totalTokens <= limits.keepTokens) return undefined;
  const choice = chooseCut(messages, { sizes, keepTokens: limits.keepTokens, keepMessages: limits.keepMessages });
  return choice.kind === 'cannot' ? undefined : splitAt(choice.index, messages);
}

/** What leaves when the tail begins at `index`; undefined when nothing would. */
export function splitAt(index: number, messages: readonly Message[]): Split | undefined {
  const earlier = summaryOf(messages);
  const toSummarise = withoutPinsNotice(messages.slice(earlier === undefined ? 0 : 1, index));
  const request = newestRequest(messages);
  const tail = withoutPinsNotice(messages.slice(index));
  const notices = activeNotices(toSummarise, tail);
  const requestMessage = messages[request];
  const kept = requestMessage !== undefined && request < index ? [...notices, requestMessage, ...tail] : [...notices, ...tail];
  return toSummarise.some((message) => !kept.includes(message)) ? { earlier, toSummarise, kept, index } : undefined;
}

/** All that is gathered by rule from what leaves, and from the summary before. */
export function ledgerOf({ earlier, toSummarise }: Split, session: Session): Ledger {
  const { read: bodyOf, path: bodyPath } = session.bodies;
  return boundLedger(mergeLedger(earlier?.ledger ?? emptyLedger, gatherLedger(toSummarise, { bodyOf, bodyPath })));
}
