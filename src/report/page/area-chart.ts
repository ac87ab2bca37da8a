import { formatCount } from '../../terminal/text/format.ts';
import { hatches, partLegend } from './bar-chart.ts';
import { escapeHtml, pageFigure } from './frame.ts';
import { legendItem } from './line-chart.ts';
import { coordinate, ticksTo } from './scale.ts';

/** What stands above each other at one step, from the bottom; `tooltip` is shown when the pointer is there. */
export type Stack = { readonly parts: readonly number[]; readonly tooltip: string };

type ChartMark = {
  readonly x: number;
  readonly y: number;
  /** Of a kind in `markKinds`. */
  readonly kind: number;
  readonly tooltip: string;
};

export type AreaChart = {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** At most six. */
  readonly partNames: readonly string[];
  readonly stacks: readonly Stack[];
  /** Their `y` is not used: they stand above the stacks. */
  readonly marks: readonly ChartMark[];
  readonly markKinds: readonly string[];
  /** A line for each step; no more than there are stacks. */
  readonly limit?: { readonly name: string; readonly ys: readonly number[] } | undefined;
};

const WIDTH = 720;
const HEIGHT = 376;
const LEFT = 70;
const RIGHT = 16;
const TOP = 72;
const BOTTOM = 44;
/** Each kind of mark has a row of its own, so that none hides another. */
const MARKS_TOP = 18;
const MARK_ROW = 15;

/** Parts of a whole over steps, counted from 1, above each other. They differ in colour and in hatching. */
export function areaChart({ title, xLabel, yLabel, partNames, stacks, marks, markKinds, limit }: AreaChart): string {
  const sums = stacks.map(({ parts }) => parts.reduce((all, each) => all + each, 0));
  const max = [...sums, ...(limit?.ys ?? [])].reduce((a, b) => Math.max(a, b), 1);
  const yTicks = ticksTo(max);
  const top = yTicks.at(-1) ?? max;
  const steps = Math.max(2, stacks.length);
  const x = (at: number): number => LEFT + ((at - 1) / (steps - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const line = (values: readonly number[]): readonly string[] =>
    values.map((value, i) => `${coordinate(x(i + 1))},${coordinate(y(value))}`);
  const parts = [
    hatches,
    ...axes({ yTicks, steps, x, y }),
    ...layers(stacks, partNames).map(({ name, at, low, high }) => layer(name, at, [...line(high), ...line(low).toReversed()])),
    `<polyline class="stroke k5" data-series="in all" points="${line(sums).join(' ')}"/>`,
    ...(limit === undefined
      ? []
      : [
          `<polyline class="limit" fill="none" data-limit="${escapeHtml(limit.name)}" points="${line(limit.ys).join(' ')}"/><text x="${WIDTH - RIGHT}" y="${coordinate(y(limit.ys.at(-1) ?? 0) - 4)}" text-anchor="end">${escapeHtml(limit.name)}</text>`,
        ]),
    ...stacks.map(({ tooltip }, i) => hoverArea(i, tooltip, { x, steps })),
    ...marks.map((mark) => markShape(mark.kind, x(mark.x), MARKS_TOP + mark.kind * MARK_ROW, mark.tooltip)),
    `<text class="soft" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escapeHtml(xLabel)}</text>`,
    `<text class="soft" x="4" y="14">${escapeHtml(yLabel)}</text>`,
  ];
  const svg = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(`${title}: ${yLabel} over ${xLabel}`)}">${parts.join('\n')}</svg>`;
  return pageFigure(title, svg + partLegend(partNames) + (markKinds.length === 0 ? '' : markLegend(markKinds)));
}

type Scale = { readonly x: (at: number) => number; readonly steps: number };
type Axes = Scale & { readonly y: (value: number) => number; readonly yTicks: readonly number[] };

function axes({ yTicks, steps, x, y }: Axes): readonly string[] {
  return [
    ...yTicks.map(
      (value) =>
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${coordinate(y(value))}" y2="${coordinate(y(value))}"/><text class="soft" data-y="${value}" x="${LEFT - 8}" y="${coordinate(y(value))}" dy="4" text-anchor="end">${formatCount(value)}</text>`,
    ),
    ...ticksTo(steps - 1, 8)
      .filter((value) => value <= steps - 1 && Number.isInteger(value))
      .map(
        (value) =>
          `<text class="soft" x="${coordinate(x(value + 1))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${formatCount(value + 1)}</text>`,
      ),
  ];
}

type Layer = { readonly name: string; readonly at: number; readonly low: readonly number[]; readonly high: readonly number[] };

/** Each part with where it begins and ends at every step; parts that are nowhere are left out. */
function layers(stacks: readonly Stack[], names: readonly string[]): readonly Layer[] {
  let low: readonly number[] = stacks.map(() => 0);
  return names.flatMap((name, at) => {
    const below = low;
    const high = stacks.map(({ parts }, i) => (below[i] ?? 0) + (parts[at] ?? 0));
    low = high;
    return high.some((value, i) => value > (below[i] ?? 0)) ? [{ name, at, low: below, high }] : [];
  });
}

function layer(name: string, at: number, points: readonly string[]): string {
  const hatching = at % 3 === 0 ? '' : `<polygon fill="url(#hatch${at % 3})" points="${points.join(' ')}"/>`;
  return `<polygon class="fill area k${at % 6}" data-part="${escapeHtml(name)}" points="${points.join(' ')}"/>${hatching}`;
}

function hoverArea(i: number, tooltip: string, { x, steps }: Scale): string {
  const half = (WIDTH - LEFT - RIGHT) / (steps - 1) / 2;
  const left = Math.max(LEFT, x(i + 1) - half);
  const width = Math.min(WIDTH - RIGHT, x(i + 1) + half) - left;
  return `<rect class="touch" x="${coordinate(left)}" y="${TOP}" width="${coordinate(width)}" height="${HEIGHT - TOP - BOTTOM}"><title>${escapeHtml(tooltip)}</title></rect>`;
}

/** A diamond, a triangle, a square: each kind has a shape beside its colour. */
function markShape(kind: number, x: number, y: number, tooltip: string): string {
  const path = [
    `M${coordinate(x)} ${coordinate(y - 7)}l6 7l-6 7l-6 -7z`,
    `M${coordinate(x - 4)} ${coordinate(y - 3)}h8l-4 7z`,
    `M${coordinate(x - 4)} ${coordinate(y - 4)}h8v8h-8z`,
  ][kind % 3];
  return `<path class="${kind % 3 === 0 ? 'fill' : 'hollow'} k${5 - (kind % 3) * 2}" data-mark="${kind}" d="${path}"><title>${escapeHtml(tooltip)}</title></path>`;
}

const markLegend = (kinds: readonly string[]): string =>
  `<ul class="legend">${kinds.map((name, kind) => legendItem(markShape(kind, 20, 8, name), name)).join('')}</ul>`;
