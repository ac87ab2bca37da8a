import type { Usage } from '../../domain/message.ts';
import type { ModelReply } from '../../domain/model-answer.ts';
import type { AgentDeps } from '../deps.ts';
import type { Session } from '../session.ts';

/** A request that only grew, and of which the server counts less than so much of what it counted before. */
const CUT_SHARE = 0.75;
const told = new WeakSet<Session>();

/**
 * Some local servers drop the beginning of a request that is longer than their window, and answer as if nothing were wrong. All
 * that shows it is their count: it falls although the past was only appended to. Told once, and nothing is done about it, since
 * a server that leaves cached tokens out of its count looks the same. To be called before the reply is stored.
 */
export function tellIfCut({ usage, model }: ModelReply, session: Session, deps: Pick<AgentDeps, 'emit'>): void {
  const { messages, anchorFloor } = session.sent;
  const before = messages.findLast(
    (message, index) => index >= anchorFloor && message.usage !== undefined && message.model === model,
  )?.usage;
  if (usage === undefined || before === undefined || told.has(session)) return;
  const [now, then] = [inputOf(usage), inputOf(before)];
  if (now === 0 || usage.cacheReadTokens > 0 || now >= CUT_SHARE * then) return;
  told.add(session);
  deps.emit({
    type: 'warning',
    message: `The server counts ${now} tokens of a request that begins with one of which it counted ${then}: it may be cutting off the beginning without saying so. If its window is smaller than SanBot thinks, set model.contextWindow.`,
  });
}

const inputOf = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number => inputTokens + cacheReadTokens + cacheWriteTokens;
