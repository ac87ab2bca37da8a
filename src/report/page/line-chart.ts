import { count } from '../../terminal/text/figures.ts';
import { figure } from './frame.ts';
import { html } from './html.ts';
import { place, ticksTo } from './scale.ts';

export type Mark = {
  readonly x: number;
  readonly y: number /** Of a kind in `markKinds`. */;
  readonly kind: number;
  readonly says: string;
};

export type LineChart = {
  readonly title: string;
  readonly xName: string;
  readonly yName: string;
  /** At most six; each has its own colour and dashes, and its name in the legend. */
  readonly series: readonly { readonly name: string; readonly ys: readonly number[] }[];
  readonly marks: readonly Mark[];
  readonly markKinds: readonly string[];
  readonly limit?: { readonly y: number; readonly name: string } | undefined;
  /** How a value reads at the axis; whole numbers when left out. */
  readonly yText?: (value: number) => string;
};

const WIDTH = 720;
const HEIGHT = 316;
const LEFT = 70;
const RIGHT = 16;
const TOP = 32;
const BOTTOM = 44;
const DASHES = ['', '9 4', '2 4', '12 4 2 4', '5 3', '1 6'];

/** Values over steps, counted from 1. Every point of every series is drawn. */
export function lineChart({ title, xName, yName, series, marks, markKinds, limit, yText = count }: LineChart): string {
  const steps = Math.max(2, ...series.map(({ ys }) => ys.length));
  const most = Math.max(yText === count ? 1 : 0, limit?.y ?? 0, ...series.map(({ ys }) => ys.reduce((a, b) => Math.max(a, b), 0)));
  const yTicks = ticksTo(most);
  const top = yTicks.at(-1) ?? most;
  const x = (at: number): number => LEFT + ((at - 1) / (steps - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const parts = [
    ...yTicks.map(
      (value) =>
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${place(y(value))}" y2="${place(y(value))}"/><text class="soft" data-y="${value}" x="${LEFT - 8}" y="${place(y(value))}" dy="4" text-anchor="end">${html(yText(value))}</text>`,
    ),
    ...ticksTo(steps - 1, 8)
      .filter((value) => value <= steps - 1)
      .map(
        (value) =>
          `<text class="soft" data-x="${value + 1}" x="${place(x(value + 1))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${count(value + 1)}</text>`,
      ),
    ...(limit === undefined
      ? []
      : [
          `<line class="limit" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${place(y(limit.y))}" y2="${place(y(limit.y))}"/><text x="${WIDTH - RIGHT}" y="${place(y(limit.y) - 4)}" text-anchor="end">${html(limit.name)}</text>`,
        ]),
    ...series.map(
      ({ name, ys }, at) =>
        `<polyline class="stroke k${at % 6}" data-series="${html(name)}" stroke-dasharray="${DASHES[at % 6]}" points="${ys.map((value, i) => `${place(x(i + 1))},${place(y(value))}`).join(' ')}"/>`,
    ),
    ...marks.map((mark) => markShape(mark.kind, x(mark.x), y(mark.y), mark.says)),
    `<text class="soft" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${html(xName)}</text>`,
    `<text class="soft" x="4" y="14">${html(yName)}</text>`,
  ];
  const svg = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${html(`${title}: ${yName} over ${xName}`)}">${parts.join('\n')}</svg>`;
  return figure(title, svg + legend(series, markKinds));
}

/** A diamond, a triangle, a square: each kind has a shape beside its colour. */
export function markShape(kind: number, x: number, y: number, says: string): string {
  const outline = [
    `M${place(x)} ${place(y - 7)}l6 7l-6 7l-6 -7z`,
    `M${place(x - 4)} ${place(y - 3)}h8l-4 7z`,
    `M${place(x - 4)} ${place(y - 4)}h8v8h-8z`,
  ][kind % 3];
  return `<path class="${kind % 3 === 0 ? 'fill' : 'hollow'} k${5 - (kind % 3) * 2}" data-mark="${kind}" d="${outline}"><title>${html(says)}</title></path>`;
}

export function legend(series: LineChart['series'], markKinds: readonly string[]): string {
  const sample = (inner: string): string => `<svg viewBox="0 0 40 16" aria-hidden="true">${inner}</svg>`;
  const items = [
    ...series.map(
      ({ name }, at) =>
        `<li>${sample(`<polyline class="stroke k${at % 6}" stroke-dasharray="${DASHES[at % 6]}" points="0,8 40,8"/>`)}${html(name)}</li>`,
    ),
    ...markKinds.map((name, kind) => `<li>${sample(markShape(kind, 20, 8, name))}${html(name)}</li>`),
  ];
  return `<ul class="legend">${items.join('')}</ul>`;
}
