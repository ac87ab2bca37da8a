import type { Paint } from '../text/paint.ts';
import { clip, textWidth } from '../text/text-width.ts';
import { viewerText } from './live-text.ts';
import type { ViewerView } from './viewer.ts';

/** The rows around those of the text. */
export const VIEWER_FRAME_ROWS = 2;

/** What is looked at: its title with where one is in it, its rows, and the keys. */
export function viewerLines(view: ViewerView, { paint, columns }: { readonly paint: Paint; readonly columns: number }): readonly string[] {
  const { title, rows, top, total, number, count } = view;
  const place = [viewerText.place(top + 1, top + rows.length, total), ...(count > 1 ? [viewerText.number(number, count)] : [])].join(' · ');
  const name = clip(title, Math.max(8, columns - textWidth(place) - 3));
  const keys = textWidth(viewerText.keys()) <= columns ? viewerText.keys() : viewerText.shortKeys();
  return [
    `${paint.strong(name)} ${paint.quiet(clip(`· ${place}`, columns - textWidth(name) - 1))}`,
    ...rows,
    paint.quiet(clip(keys, columns)),
  ];
}
