import { formatCount } from '../../terminal/text/format.ts';
import { escapeHtml, pageFigure } from './frame.ts';
import { coordinate, ticksTo } from './scale.ts';

export type LineChart = {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** At most six; each has its own colour and dashes, and its name in the legend. */
  readonly series: readonly { readonly name: string; readonly ys: readonly number[] }[];
  /** How a value reads at the axis; whole numbers when left out. */
  readonly formatY?: (value: number) => string;
};

const WIDTH = 720;
const HEIGHT = 316;
const LEFT = 70;
const RIGHT = 16;
const TOP = 32;
const BOTTOM = 44;
const DASHES = ['', '9 4', '2 4', '12 4 2 4', '5 3', '1 6'];

/** Values over steps, counted from 1. Every point of every series is drawn. */
export function lineChart({ title, xLabel, yLabel, series, formatY = formatCount }: LineChart): string {
  const steps = Math.max(2, ...series.map(({ ys }) => ys.length));
  const max = Math.max(formatY === formatCount ? 1 : 0, ...series.map(({ ys }) => ys.reduce((a, b) => Math.max(a, b), 0)));
  const yTicks = ticksTo(max);
  const top = yTicks.at(-1) ?? max;
  const x = (at: number): number => LEFT + ((at - 1) / (steps - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const parts = [
    ...yTicks.map(
      (value) =>
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${coordinate(y(value))}" y2="${coordinate(y(value))}"/><text class="soft" data-y="${value}" x="${LEFT - 8}" y="${coordinate(y(value))}" dy="4" text-anchor="end">${escapeHtml(formatY(value))}</text>`,
    ),
    ...ticksTo(steps - 1, 8)
      .filter((value) => value <= steps - 1)
      .map(
        (value) =>
          `<text class="soft" data-x="${value + 1}" x="${coordinate(x(value + 1))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${formatCount(value + 1)}</text>`,
      ),
    ...series.map(
      ({ name, ys }, at) =>
        `<polyline class="stroke k${at % 6}" data-series="${escapeHtml(name)}" stroke-dasharray="${DASHES[at % 6]}" points="${ys.map((value, i) => `${coordinate(x(i + 1))},${coordinate(y(value))}`).join(' ')}"/>`,
    ),
    `<text class="soft" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escapeHtml(xLabel)}</text>`,
    `<text class="soft" x="4" y="14">${escapeHtml(yLabel)}</text>`,
  ];
  const svg = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(`${title}: ${yLabel} over ${xLabel}`)}">${parts.join('\n')}</svg>`;
  return pageFigure(title, svg + legend(series));
}

function legend(series: LineChart['series']): string {
  const items = series.map(({ name }, at) =>
    legendItem(`<polyline class="stroke k${at % 6}" stroke-dasharray="${DASHES[at % 6]}" points="0,8 40,8"/>`, name),
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

/** A sample of a line or a mark, with its name. */
export const legendItem = (sample: string, name: string): string =>
  `<li><svg viewBox="0 0 40 16" aria-hidden="true">${sample}</svg>${escapeHtml(name)}</li>`;
