import type { Ledger } from '../../domain/session/ledger.ts';
import type { Message } from '../../domain/session/message.ts';
import { newestRequest } from '../history/cut.ts';
import { needsReferent } from '../sentence/asks.ts';
import { quietMentions, quoteText } from '../text/quote.ts';
import { messageText, onlyKept } from './message-text.ts';

const PROPOSAL_CHARS = 2_400;

/** What the newest request answers, when it is nothing without it ("yes, do it all", "option 2") and that leaves the context. */
export function newestProposal(
  earlier: Pick<Ledger, 'proposal'>,
  messages: readonly Message[],
  kept: readonly Message[],
): string | undefined {
  const all = [...messages, ...onlyKept(kept, messages)];
  const at = newestRequest(all);
  const request = all[at];
  if (request === undefined) return earlier.proposal;
  if (!needsReferent(messageText(request))) return undefined;
  const reply = all.slice(0, at).findLast((message) => message.origin === 'model' && messageText(message).trim() !== '');
  if (reply === undefined) return earlier.proposal;
  return kept.includes(reply) ? undefined : quoteProposal(messageText(reply).trim());
}

function quoteProposal(text: string): string {
  const end =
    text.length <= PROPOSAL_CHARS
      ? text
      : `[… ${text.length - PROPOSAL_CHARS} characters left out …]\n${text.slice(-PROPOSAL_CHARS).toWellFormed()}`;
  return quietMentions(quoteText(end))
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
