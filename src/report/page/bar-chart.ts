import { escapeHtml, pageFigure } from './frame.ts';
import { coordinate, legendItem, WIDTH } from './plot.ts';

export type Bar = {
  readonly label: string;
  /** From left to right; what is 0 is not drawn. */
  readonly parts: readonly { readonly value: number /** The part's own words: "12 lost". */; readonly tooltip: string }[];
  /** Behind the bar. */
  readonly note: string;
};

export type BarChart = {
  readonly title: string;
  /** Names of the parts; none when a bar has only one. */
  readonly partNames: readonly string[];
  readonly bars: readonly Bar[];
};

const NOTE_WIDTH = 240;
const ROW_HEIGHT = 42;
const BAR_HEIGHT = 16;

/** Bars that lie, each with its label above and its figures behind it; parts differ in colour and in hatching. */
export function barChart({ title, partNames, bars }: BarChart): string {
  const max = Math.max(0, ...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const width = (value: number): number => (max <= 0 ? 0 : (value / max) * (WIDTH - NOTE_WIDTH));
  const rows = bars.map((bar, at) => row(bar, at * ROW_HEIGHT, width));
  const height = Math.max(1, bars.length * ROW_HEIGHT);
  const svg = `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">${hatches}${rows.join('\n')}</svg>`;
  return pageFigure(title, svg + partLegend(partNames));
}

function row({ label, parts, note }: Bar, top: number, width: (value: number) => number): string {
  let x = 0;
  const segments = parts.map(({ value, tooltip }, at) => {
    const left = x;
    x += width(value);
    return value <= 0 ? '' : segment({ at, x: left, width: x - left, top: top + 20, value, tooltip });
  });
  return `<text x="0" y="${top + 14}">${escapeHtml(label)}</text>${segments.join('')}<text class="soft" x="${coordinate(x + 8)}" y="${top + 33}">${escapeHtml(note)}</text>`;
}

type Segment = {
  readonly at: number;
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly value: number;
  readonly tooltip: string;
};

function segment({ at, x, width, top, value, tooltip }: Segment): string {
  const box = `x="${coordinate(x)}" y="${top}" width="${coordinate(width)}" height="${BAR_HEIGHT}"`;
  const hatching = at % 3 === 0 ? '' : `<rect ${box} fill="url(#hatch${at % 3})"/>`;
  return `<g><title>${escapeHtml(tooltip)}</title><rect class="fill k${at % 6}" data-value="${value}" ${box}/>${hatching}</g>`;
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

export function partLegend(names: readonly string[]): string {
  if (names.length === 0) return '';
  const items = names.map((name, at) => {
    const sample = segment({ at, x: 0, width: 40, top: 0, value: 0, tooltip: name }).replace(' data-value="0"', '');
    return legendItem(sample, name);
  });
  return `<ul class="legend">${items.join('')}</ul>`;
}
