import { formatCount, formatDollars, formatPercent } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip, textWidth } from '../text/text-width.ts';

/** What stands above the prompt: who answers, how full the window is, what it has cost, and what tools may do. */
export type StatusView = {
  readonly model: string;
  readonly contextTokens: number | undefined;
  readonly windowTokens: number;
  /** Of this session, the summaries of compactions included. */
  readonly costUsd: number | undefined;
  readonly turnCostUsd: number | undefined;
  readonly mode: string | undefined;
};

/** One row of at most `columns`. What matters least is left out first. */
export function statusText(
  { model, contextTokens, windowTokens, costUsd = 0, turnCostUsd = 0, mode }: StatusView,
  columns: number,
): string {
  const context =
    contextTokens === undefined ? '' : `context ${formatPercent(contextTokens, windowTokens)} of ${formatCount(windowTokens)} tokens`;
  const shortContext = contextTokens === undefined ? '' : formatPercent(contextTokens, windowTokens);
  const cost = costUsd > 0 ? `${formatDollars(costUsd)}${turnCostUsd > 0 ? ` (turn ${formatDollars(turnCostUsd)})` : ''}` : '';
  const shortCost = costUsd > 0 ? formatDollars(costUsd) : '';
  const modeName = mode === undefined || mode === 'ask' ? '' : mode;
  const forms = [
    [safeLine(model), context, cost, modeName],
    [safeLine(model), shortContext, shortCost, modeName],
    [shortContext, shortCost, modeName],
  ].map((parts) => parts.filter((part) => part !== '').join(' · '));
  return clip(forms.find((form) => textWidth(form) <= columns) ?? forms.at(-1) ?? '', columns);
}
