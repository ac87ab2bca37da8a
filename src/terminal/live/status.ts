import type { SanbotEvent } from '../../domain/event.ts';
import type { ChatPort } from '../chat/chat-port.ts';
import { type StatusView, statusText } from './status-line.ts';

/** What the line above the prompt says, kept from one event to the next. */
export type Status = {
  readonly onEvent: (event: SanbotEvent) => void;
  readonly follow: (chat: ChatPort) => void;
  /** Something may have changed that no event tells of. */
  readonly renew: () => void;
  readonly text: (columns: number) => string;
};

export function createStatus(): Status {
  let chat: ChatPort | undefined;
  let view: StatusView | undefined;
  /** Nothing is counted before something was sent: that would load the counter. */
  let isCounted = false;
  let turnCostUsd: number | undefined;
  return {
    onEvent: (event) => {
      if (event.type === 'session_started') isCounted = false;
      if (counting.has(event.type)) isCounted = true;
      if (event.type === 'turn_started') turnCostUsd = 0;
      if (event.type === 'reply' || event.type === 'compacted') turnCostUsd = (turnCostUsd ?? 0) + (event.costUsd ?? 0);
      if (event.type === 'turn_ended') turnCostUsd = event.costUsd;
      if (changing.has(event.type)) view = undefined;
    },
    follow: (followed) => {
      chat = followed;
      view = undefined;
    },
    renew: () => {
      view = undefined;
    },
    text: (columns) => {
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
