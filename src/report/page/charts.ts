import { formatCount } from '../../terminal/text/format.ts';
import { escapeHtml, pageFigure } from './frame.ts';

const WIDTH = 720;
const LEFT = 70;
const RIGHT = 16;
const BOTTOM = 44;

type Plot = {
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

function createPlot({ title, xLabel, yLabel, height, top, steps: count, max, formatY = formatCount }: Plot) {
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

const coordinate = (at: number): string => (Math.round(at * 10) / 10).toString();

const legend = (names: readonly string[], sampleOf: (at: number, name: string) => string): string =>
  `<ul class="legend">${names
    .map((name, at) => `<li><svg viewBox="0 0 40 16" aria-hidden="true">${sampleOf(at, name)}</svg>${escapeHtml(name)}</li>`)
    .join('')}</ul>`;

type LineChart = Pick<Plot, 'title' | 'xLabel' | 'yLabel' | 'formatY'> & {
  /** At most six; each has its own colour and dashes, and its name in the legend. */
  readonly series: readonly { readonly name: string; readonly ys: readonly number[] }[];
};

const DASHES = ['', '9 4', '2 4', '12 4 2 4', '5 3', '1 6'];

export function lineChart({ series, formatY = formatCount, ...names }: LineChart): string {
  const max = Math.max(formatY === formatCount ? 1 : 0, ...series.map(({ ys }) => ys.reduce((a, b) => Math.max(a, b), 0)));
  const plot = createPlot({ ...names, formatY, height: 316, top: 32, steps: Math.max(...series.map(({ ys }) => ys.length)), max });
  const lines = series.map(({ name, ys }, at) => line(at, plot.points(ys), ` data-series="${escapeHtml(name)}"`));
  return plot.figure(
    lines,
    legend(
      series.map(({ name }) => name),
      (at) => line(at, ['0,8', '40,8']),
    ),
  );
}

const line = (at: number, points: readonly string[], attributes = ''): string =>
  `<polyline class="stroke k${at % 6}"${attributes} stroke-dasharray="${DASHES[at % 6]}" points="${points.join(' ')}"/>`;

type Stack = { readonly parts: readonly number[]; readonly tooltip: string };

type ChartMark = {
  readonly x: number;
  readonly kind: number;
  readonly tooltip: string;
};

type AreaChart = Pick<Plot, 'title' | 'xLabel' | 'yLabel'> & {
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
  return plot.figure(parts, legend(partNames, partSample) + (markKinds.length === 0 ? '' : legend(markKinds, markSample)));
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

const layer = (name: string, at: number, points: readonly string[]): string =>
  hatched('polygon', at, `class="fill area k${at % 6}" data-part="${escapeHtml(name)}"`, `points="${points.join(' ')}"`);

/** A shape in the colour of a part, and again in its hatching, so that parts differ in more than colour. */
const hatched = (tag: 'polygon' | 'rect', at: number, look: string, place: string): string =>
  `<${tag} ${look} ${place}/>${at % 3 === 0 ? '' : `<${tag} fill="url(#hatch${at % 3})" ${place}/>`}`;

const hatches = `<defs>${['M0 8L8 0', 'M0 0L8 8M0 8L8 0']
  .map(
    (lines, at) =>
      `<pattern id="hatch${at + 1}" width="8" height="8" patternUnits="userSpaceOnUse"><path d="${lines}" stroke="var(--paper)" stroke-width="1.5"/></pattern>`,
  )
  .join('')}</defs>`;

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

const partSample = (at: number): string => hatched('rect', at, `class="fill k${at % 6}"`, 'y="0" width="40" height="16"');
const markSample = (kind: number, name: string): string => markShape(kind, 20, 8, name);
