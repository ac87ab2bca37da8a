import { hatches, partLegend } from './bar-chart.ts';
import { escapeHtml } from './frame.ts';
import { BOTTOM, coordinate, createPlot, LEFT, legendItem, type Plot, RIGHT, WIDTH } from './plot.ts';

export type Stack = { readonly parts: readonly number[]; readonly tooltip: string };

type ChartMark = {
  readonly x: number;
  readonly kind: number;
  readonly tooltip: string;
};

export type AreaChart = Pick<Plot, 'title' | 'xLabel' | 'yLabel'> & {
  /** At most six. */
  readonly partNames: readonly string[];
  readonly stacks: readonly Stack[];
  readonly marks: readonly ChartMark[];
  readonly markKinds: readonly string[];
  readonly limit?: { readonly name: string; readonly ys: readonly number[] } | undefined;
};

const HEIGHT = 376;
const TOP = 72;
/** Each kind of mark has a row of its own, so that none hides another. */
const MARKS_TOP = 18;
const MARK_ROW = 15;

export function areaChart({ partNames, stacks, marks, markKinds, limit, ...names }: AreaChart): string {
  const sums = stacks.map(({ parts }) => parts.reduce((all, each) => all + each, 0));
  const max = [...sums, ...(limit?.ys ?? [])].reduce((a, b) => Math.max(a, b), 1);
  const plot = createPlot({ ...names, height: HEIGHT, top: TOP, steps: stacks.length, max });
  const { x, y, points } = plot;
  const parts = [
    hatches,
    ...layers(stacks, partNames).map(({ name, at, low, high }) => layer(name, at, [...points(high), ...points(low).toReversed()])),
    `<polyline class="stroke k5" data-series="in all" points="${points(sums).join(' ')}"/>`,
    ...(limit === undefined
      ? []
      : [
          `<polyline class="limit" fill="none" data-limit="${escapeHtml(limit.name)}" points="${points(limit.ys).join(' ')}"/><text x="${WIDTH - RIGHT}" y="${coordinate(y(limit.ys.at(-1) ?? 0) - 4)}" text-anchor="end">${escapeHtml(limit.name)}</text>`,
        ]),
    ...stacks.map(({ tooltip }, i) => hoverArea(i, tooltip, plot)),
    ...marks.map((mark) => markShape(mark.kind, x(mark.x), MARKS_TOP + mark.kind * MARK_ROW, mark.tooltip)),
  ];
  return plot.figure(parts, partLegend(partNames) + (markKinds.length === 0 ? '' : markLegend(markKinds)));
}

type Layer = { readonly name: string; readonly at: number; readonly low: readonly number[]; readonly high: readonly number[] };

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

function hoverArea(i: number, tooltip: string, { x, steps }: Pick<ReturnType<typeof createPlot>, 'x' | 'steps'>): string {
  const half = (WIDTH - LEFT - RIGHT) / (steps - 1) / 2;
  const left = Math.max(LEFT, x(i + 1) - half);
  const width = Math.min(WIDTH - RIGHT, x(i + 1) + half) - left;
  return `<rect class="touch" x="${coordinate(left)}" y="${TOP}" width="${coordinate(width)}" height="${HEIGHT - TOP - BOTTOM}"><title>${escapeHtml(tooltip)}</title></rect>`;
}

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
