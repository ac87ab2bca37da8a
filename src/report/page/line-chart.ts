import { formatCount } from '../../terminal/text/format.ts';
import { escapeHtml } from './frame.ts';
import { createPlot, legendItem, type Plot } from './plot.ts';

export type LineChart = Pick<Plot, 'title' | 'xLabel' | 'yLabel' | 'formatY'> & {
  /** At most six; each has its own colour and dashes, and its name in the legend. */
  readonly series: readonly { readonly name: string; readonly ys: readonly number[] }[];
};

const DASHES = ['', '9 4', '2 4', '12 4 2 4', '5 3', '1 6'];

/** Values over steps, counted from 1. Every point of every series is drawn. */
export function lineChart({ series, formatY = formatCount, ...names }: LineChart): string {
  const max = Math.max(formatY === formatCount ? 1 : 0, ...series.map(({ ys }) => ys.reduce((a, b) => Math.max(a, b), 0)));
  const plot = createPlot({ ...names, formatY, height: 316, top: 32, steps: Math.max(...series.map(({ ys }) => ys.length)), max });
  const lines = series.map(({ name, ys }, at) => line(at, plot.points(ys), ` data-series="${escapeHtml(name)}"`));
  const legend = series.map(({ name }, at) => legendItem(line(at, ['0,8', '40,8']), name));
  return plot.figure(lines, `<ul class="legend">${legend.join('')}</ul>`);
}

const line = (at: number, points: readonly string[], attributes = ''): string =>
  `<polyline class="stroke k${at % 6}"${attributes} stroke-dasharray="${DASHES[at % 6]}" points="${points.join(' ')}"/>`;
