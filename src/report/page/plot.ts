import { formatCount } from '../../terminal/text/format.ts';
import { escapeHtml, pageFigure } from './frame.ts';

export const WIDTH = 720;
export const LEFT = 70;
export const RIGHT = 16;
export const BOTTOM = 44;

export type Plot = {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly height: number;
  readonly top: number;
  readonly steps: number;
  readonly max: number;
  /** How a value reads at the axis; whole numbers when left out. */
  readonly formatY?: (value: number) => string;
};

export function createPlot({ title, xLabel, yLabel, height, top, steps: count, max, formatY = formatCount }: Plot) {
  const steps = Math.max(2, count);
  const yTicks = ticksTo(max);
  const highest = yTicks.at(-1) ?? max;
  const x = (at: number): number => LEFT + ((at - 1) / (steps - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => height - BOTTOM - (value / highest) * (height - top - BOTTOM);
  const axes = [
    ...yTicks.map(
      (value) =>
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${coordinate(y(value))}" y2="${coordinate(y(value))}"/><text class="soft" data-y="${value}" x="${LEFT - 8}" y="${coordinate(y(value))}" dy="4" text-anchor="end">${escapeHtml(formatY(value))}</text>`,
    ),
    ...ticksTo(steps - 1, 8)
      .filter((value) => value <= steps - 1 && Number.isInteger(value))
      .map(
        (value) =>
          `<text class="soft" data-x="${value + 1}" x="${coordinate(x(value + 1))}" y="${height - BOTTOM + 18}" text-anchor="middle">${formatCount(value + 1)}</text>`,
      ),
    `<text class="soft" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${height - 6}" text-anchor="middle">${escapeHtml(xLabel)}</text>`,
    `<text class="soft" x="4" y="14">${escapeHtml(yLabel)}</text>`,
  ];
  return {
    x,
    y,
    steps,
    points: (values: readonly number[]): readonly string[] => values.map((value, i) => `${coordinate(x(i + 1))},${coordinate(y(value))}`),
    figure: (parts: readonly string[], legend: string): string =>
      pageFigure(
        title,
        `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(`${title}: ${yLabel} over ${xLabel}`)}">${[...axes, ...parts].join('\n')}</svg>${legend}`,
      ),
  };
}

/** Round steps from 0 to at least `max`: 1, 2 or 5 times a power of ten, about `targetCount` of them. */
function ticksTo(max: number, targetCount = 5): readonly number[] {
  if (!(max > 0) || !Number.isFinite(max)) return [0, 1];
  const rough = max / targetCount;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power;
  const count = Math.ceil(max / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

export const coordinate = (at: number): string => (Math.round(at * 10) / 10).toString();

export const legendItem = (sample: string, name: string): string =>
  `<li><svg viewBox="0 0 40 16" aria-hidden="true">${sample}</svg>${escapeHtml(name)}</li>`;

type LineChart = Pick<Plot, 'title' | 'xLabel' | 'yLabel' | 'formatY'> & {
  /** At most six; each has its own colour and dashes, and its name in the legend. */
  readonly series: readonly { readonly name: string; readonly ys: readonly number[] }[];
};

const DASHES = ['', '9 4', '2 4', '12 4 2 4', '5 3', '1 6'];

export function lineChart({ series, formatY = formatCount, ...names }: LineChart): string {
  const max = Math.max(formatY === formatCount ? 1 : 0, ...series.map(({ ys }) => ys.reduce((a, b) => Math.max(a, b), 0)));
  const plot = createPlot({ ...names, formatY, height: 316, top: 32, steps: Math.max(...series.map(({ ys }) => ys.length)), max });
  const lines = series.map(({ name, ys }, at) => line(at, plot.points(ys), ` data-series="${escapeHtml(name)}"`));
  const legend = series.map(({ name }, at) => legendItem(line(at, ['0,8', '40,8']), name));
  return plot.figure(lines, `<ul class="legend">${legend.join('')}</ul>`);
}

const line = (at: number, points: readonly string[], attributes = ''): string =>
  `<polyline class="stroke k${at % 6}"${attributes} stroke-dasharray="${DASHES[at % 6]}" points="${points.join(' ')}"/>`;
