import { formatCount, formatDollars, formatPercent } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip, textWidth } from '../text/text-width.ts';

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

/** One row of at most `columns`. What matters least is left out first. */
export function statusText(
  { model, sessionId, contextTokens, windowTokens, costUsd = 0, turnCostUsd = 0, mode }: StatusView,
  columns: number,
): string {
  const share = contextTokens === undefined ? '' : formatPercent(contextTokens, windowTokens);
  const used = contextTokens === undefined ? '' : `${share} of ${formatCount(windowTokens)} tokens`;
  const exact = contextTokens === undefined ? '' : `${formatCount(contextTokens)} of ${formatCount(windowTokens)} tokens (${share})`;
  const cost = costUsd > 0 ? formatDollars(costUsd) : '';
  const costs = cost !== '' && turnCostUsd > 0 ? `${cost} (turn ${formatDollars(turnCostUsd)})` : cost;
  const modeName = mode === undefined || mode === 'ask' ? '' : mode;
  const name = safeLine(model);
  const forms = [
    [name, exact === '' ? '' : `context ${exact}`, costs, modeName, `session ${safeLine(sessionId)}`],
    [name, exact, costs, modeName, safeLine(sessionId)],
    [name, exact, costs, modeName],
    [name, used, costs, modeName],
    [name, share, cost, modeName],
    [share, cost, modeName],
  ].map((parts) => parts.filter((part) => part !== '').join(' · '));
  return clip(forms.find((form) => textWidth(form) <= columns) ?? forms.at(-1) ?? '', columns);
}
