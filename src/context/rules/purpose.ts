/** What the work is for, in the user's own words: the first statement of it and each that came after it. */
import { unique } from '../../domain/lists.ts';
import { emptyLedger, type Ledger } from '../../domain/session/ledger.ts';
import type { Message } from '../../domain/session/message.ts';
import { isRequest, isSlashCommand, messageText } from '../ledger/exchange/exchanges.ts';
import { reasonAfter } from '../sentence/asks.ts';
import { statesPurpose } from '../sentence/work.ts';
import { ownSentences, quoteLine } from '../text/sentences.ts';

const PURPOSE_CHARS = 400;
const MAX_STATEMENTS = 6;
/** A greeting says nothing of the work. */
const MIN_REQUEST_CHARS = 12;

/** Continues the statements; where nothing is said of the purpose at the start of a session, its first request stands for it. */
export function continuePurpose(earlier: Ledger, messages: readonly Message[]): readonly string[] | undefined {
  const requests = messages.filter(isRequest).map(messageText);
  const stated = requests.flatMap(statementsIn).map((text) => quoteLine(text, PURPOSE_CHARS));
  const first = earlier === emptyLedger && stated.length === 0 ? requests.find(saysSomething) : undefined;
  const [goal, ...later] = unique([...(earlier.purpose ?? []), ...(first === undefined ? stated : [quoteLine(first, PURPOSE_CHARS)])]);
  return goal === undefined ? undefined : [goal, ...later.slice(1 - MAX_STATEMENTS)];
}

function statementsIn(text: string): readonly string[] {
  const sentences = ownSentences(text);
  return sentences.flatMap((sentence, at) => (statesPurpose(sentence) ? [`${sentence}${reasonAfter(sentence, sentences[at + 1])}`] : []));
}

const saysSomething = (request: string): boolean => request.trim().length >= MIN_REQUEST_CHARS && !isSlashCommand(request);
