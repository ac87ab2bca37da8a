import type { SanbotEvent } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import type { ChatPort } from '../chat/chat-port.ts';
import { formatCount, formatDollars, formatPercent } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip, textWidth } from '../text/text-width.ts';

/** What the line above the prompt says, kept from one event to the next. */
export function createStatus() {
  let chat: ChatPort | undefined;
  let view: StatusView | undefined;
  /** Nothing is counted before something was sent: that would load the counter. */
  let isCounted = false;
  let turnCostUsd: number | undefined;
  return {
    onEvent: (event: SanbotEvent): void => {
      if (event.type === 'session_started') isCounted = false;
      if (counting.has(event.type)) isCounted = true;
      if (event.type === 'turn_started') turnCostUsd = 0;
      if (event.type === 'reply' || event.type === 'compacted') turnCostUsd = (turnCostUsd ?? 0) + (event.costUsd ?? 0);
      if (event.type === 'turn_ended') turnCostUsd = event.costUsd;
      if (changing.has(event.type)) view = undefined;
    },
    follow: (followed: ChatPort): void => {
      chat = followed;
      view = undefined;
    },
    /** Something may have changed that no event tells of. */
    renew: (): void => {
      view = undefined;
    },
    text: (columns: number): string => {
      if (chat === undefined) return '';
      const { name, windowTokens } = chat.model.current();
      view ??= {
        model: name,
        sessionId: chat.sessions.current().sessionId,
        windowTokens,
        contextTokens: isCounted ? chat.model.contextTokens() : undefined,
        turnCostUsd,
        costUsd: chat.model.costSinceOpened(),
        mode: chat.permissions.view().mode,
      };
      return statusText(view, columns);
    },
  };
}

const counting: ReadonlySet<SanbotEvent['type']> = new Set(['request', 'compacted', 'rolled_back', 'rewound', 'turn_ended'] as const);

const changing: ReadonlySet<SanbotEvent['type']> = new Set([
  'session_started',
  'turn_started',
  'request',
  'reply',
  'compacted',
  'rolled_back',
  'rewound',
  'cleared',
  'offloaded',
  'pruned',
  'model_changed',
  'turn_ended',
] as const);

/** What stands above the prompt, and below what goes on: who answers, how full the window is, what it has cost, and what tools may do. */
export type StatusView = {
  readonly model: string;
  readonly sessionId: string;
  readonly contextTokens: number | undefined;
  readonly windowTokens: number;
  /** Of this session, the summaries of compactions included. */
  readonly costUsd: number | undefined;
  readonly turnCostUsd: number | undefined;
  readonly mode: string | undefined;
};

const notCounted = { share: '', used: '', exact: '' };

function contextForms(tokens: number, windowTokens: number): typeof notCounted {
  const [share, count, window] = [formatPercent(tokens, windowTokens), formatCount(tokens), formatCount(windowTokens)];
  return {
    share,
    used: localize({ en: `${share} of ${window} tokens`, zh: `${share} / ${window} token` }),
    exact: localize({ en: `${count} of ${window} tokens (${share})`, zh: `${count} / ${window} token（${share}）` }),
  };
}

/** One row of at most `columns`. What matters least is left out first. */
export function statusText(
  { model, sessionId, contextTokens, windowTokens, costUsd = 0, turnCostUsd = 0, mode }: StatusView,
  columns: number,
): string {
  const { share, used, exact } = contextTokens === undefined ? notCounted : contextForms(contextTokens, windowTokens);
  const cost = costUsd > 0 ? formatDollars(costUsd) : '';
  const turnCost = formatDollars(turnCostUsd);
  const costs = cost !== '' && turnCostUsd > 0 ? localize({ en: `${cost} (turn ${turnCost})`, zh: `${cost}（本轮 ${turnCost}）` }) : cost;
  const modeName = mode === undefined || mode === 'ask' ? '' : mode;
  const [name, id] = [safeLine(model), safeLine(sessionId)];
  const forms = [
    [
      name,
      exact === '' ? '' : `${localize({ en: 'context', zh: '上下文' })} ${exact}`,
      costs,
      modeName,
      `${localize({ en: 'session', zh: '会话' })} ${id}`,
    ],
    [name, exact, costs, modeName, id],
    [name, exact, costs, modeName],
    [name, used, costs, modeName],
    [name, share, cost, modeName],
    [share, cost, modeName],
  ].map((parts) => parts.filter((part) => part !== '').join(' · '));
  return clip(forms.find((form) => textWidth(form) <= columns) ?? forms.at(-1) ?? '', columns);
}
