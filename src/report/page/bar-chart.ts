import { figure } from './frame.ts';
import { html } from './html.ts';
import { place } from './scale.ts';

export type Bar = {
  readonly label: string;
  /** From left to right; what is 0 is not drawn. */
  readonly parts: readonly { readonly value: number /** The part's own words: "12 lost". */; readonly says: string }[];
  /** Behind the bar. */
  readonly note: string;
};

export type BarChart = {
  readonly title: string;
  /** Names of the parts; none when a bar has only one. */
  readonly partNames: readonly string[];
  readonly bars: readonly Bar[];
  /** The value that a full width stands for; the largest sum when left out. */
  readonly full?: number;
};

const WIDTH = 720;
const NOTE = 240;
const ROW = 42;
const BAR = 16;

/** Bars that lie, each with its label above and its figures behind it; parts differ in colour and in hatching. */
export function barChart({ title, partNames, bars, full }: BarChart): string {
  const most = full ?? Math.max(0, ...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const width = (value: number): number => (most <= 0 ? 0 : (value / most) * (WIDTH - NOTE));
  const rows = bars.map((bar, at) => row(bar, at * ROW, width));
  const height = Math.max(1, bars.length * ROW);
  const svg = `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${html(title)}">${hatches}${rows.join('\n')}</svg>`;
  return figure(title, svg + partLegend(partNames));
}

function row({ label, parts, note }: Bar, top: number, width: (value: number) => number): string {
  let x = 0;
  const drawn = parts.map(({ value, says }, at) => {
    const from = x;
    x += width(value);
    return value <= 0 ? '' : piece({ at, x: from, width: x - from, top: top + 20, value, says });
  });
  return `<text x="0" y="${top + 14}">${html(label)}</text>${drawn.join('')}<text class="soft" x="${place(x + 8)}" y="${top + 33}">${html(note)}</text>`;
}

type Piece = {
  readonly at: number;
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly value: number;
  readonly says: string;
};

function piece({ at, x, width, top, value, says }: Piece): string {
  const box = `x="${place(x)}" y="${top}" width="${place(width)}" height="${BAR}"`;
  const over = at % 3 === 0 ? '' : `<rect ${box} fill="url(#hatch${at % 3})"/>`;
  return `<g><title>${html(says)}</title><rect class="fill k${at % 6}" data-value="${value}" ${box}/>${over}</g>`;
}

/** So that parts differ in more than colour: fill a shape again with url(#hatch1) or url(#hatch2). */
export const hatches = `<defs>${[
  [1, 'M0 8L8 0'],
  [2, 'M0 0L8 8M0 8L8 0'],
]
  .map(
    ([id, lines]) =>
      `<pattern id="hatch${id}" width="8" height="8" patternUnits="userSpaceOnUse"><path d="${lines}" stroke="var(--paper)" stroke-width="1.5"/></pattern>`,
  )
  .join('')}</defs>`;

/** The names of parts, in the order of their colours. */
export function partLegend(names: readonly string[]): string {
  if (names.length === 0) return '';
  const items = names.map((name, at) => {
    const sample = piece({ at, x: 0, width: 40, top: 0, value: 0, says: name }).replace(' data-value="0"', '');
    return `<li><svg viewBox="0 0 40 16" aria-hidden="true">${sample}</svg>${html(name)}</li>`;
  });
  return `<ul class="legend">${items.join('')}</ul>`;
}
