import { splitEffort } from '../../domain/config/effort.ts';
import type { SanbotEvent } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import type { ChatPort } from '../chat/chat-port.ts';
import { formatDollars, formatPercent, formatTokens } from '../text/format.ts';
import type { Drawing } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip, textWidth } from '../text/text-width.ts';

export function createStatus() {
  let chat: ChatPort | undefined;
  let view: StatusView | undefined;
  /** Nothing is counted before something was sent: that would load the counter. */
  let isCounted = false;
  return {
    onEvent: (event: SanbotEvent): void => {
      if (event.type === 'session_started') isCounted = false;
      if (counting.has(event.type)) isCounted = true;
      if (!streaming.has(event.type)) view = undefined;
    },
    follow: (followed: ChatPort): void => {
      chat = followed;
      view = undefined;
    },
    renew: (): void => {
      view = undefined;
    },
    row: (drawing: Drawing): string => {
      if (chat === undefined) return '';
      view ??= {
        model: chat.model.current().name,
        ...chat.sessions.place(),
        context: isCounted ? { tokens: chat.model.contextTokens(), limitTokens: chat.model.limitTokens() } : undefined,
        costUsd: chat.model.costSinceOpened(),
        mode: chat.permissions.view().mode ?? 'ask',
      };
      return statusRow(view, drawing);
    },
  };
}

const counting: ReadonlySet<SanbotEvent['type']> = new Set(['request', 'compacted', 'rolled_back', 'rewound', 'turn_ended'] as const);

/** So many come while something runs that the status is not asked for anew. */
const streaming: ReadonlySet<SanbotEvent['type']> = new Set(['text', 'thinking', 'tool_output', 'tool_progress'] as const);

export type StatusView = {
  readonly model: string;
  readonly folder: string;
  readonly branch: string | undefined;
  readonly context: { readonly tokens: number; readonly limitTokens: number } | undefined;
  readonly costUsd: number | undefined;
  readonly mode: string;
  readonly hasFailedSync?: boolean;
};

/** One row of at most `columns`. What matters least is left out first, the mode last. */
export function statusRow({ mode, ...view }: StatusView, { paint, columns }: Drawing): string {
  const failed = view.hasFailedSync === true ? [localize({ en: 'sync failed: sanbot sync', zh: '同步失败：sanbot sync' })] : [];
  const texts = formsOf(view).map((parts) => [...parts.filter((part) => part !== ''), ...failed, mode]);
  const parts = texts.find((form) => textWidth(form.join(BETWEEN)) <= columns) ?? [mode];
  const before = parts
    .slice(0, -1)
    .map((part) => `${part}${BETWEEN}`)
    .join('');
  const paintMode = mode === 'bypass' ? paint.bad : paint.quiet;
  return `${paint.quiet(before)}${paintMode(clip(mode, columns))}`;
}

const BETWEEN = ' · ';

function formsOf({ model, folder, branch, context, costUsd = 0 }: Omit<StatusView, 'mode'>): readonly (readonly string[])[] {
  const { name: full, effort } = splitEffort(safeLine(model));
  const name = [full.replace(/^claude-/, ''), ...(effort === undefined ? [] : [effort])].join(BETWEEN);
  const place = safeLine(folder);
  const last = place.split(/[/\\]/).at(-1) ?? '';
  const git = branch === undefined ? '' : ` (${safeLine(branch)})`;
  const cost = costUsd > 0 ? formatDollars(costUsd) : '';
  const share = context === undefined ? '' : formatPercent(context.tokens, context.limitTokens);
  const limit = formatTokens(context?.limitTokens ?? 0);
  const whole = context === undefined ? '' : localize({ en: `context ${share} of ${limit}`, zh: `上下文 ${share}，共 ${limit}` });
  const short = context === undefined ? '' : localize({ en: `${share} of ${limit}`, zh: `${share}，共 ${limit}` });
  return [
    [name, `${place}${git}`, whole, cost],
    [name, `${last}${git}`, whole, cost],
    [name, `${last}${git}`, short, cost],
    [name, last, short, cost],
    [name, short, cost],
    [name, share, cost],
    [share, cost],
    [share],
  ];
}
