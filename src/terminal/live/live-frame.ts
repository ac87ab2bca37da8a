import { localize } from '../../domain/language.ts';
import { type OpenQuestion, questionLines } from '../input/question-lines.ts';
import { editorColumns, editorFrame, menuLines, type PromptView, queueLines } from '../prompt/prompt-view.ts';
import { formatCount } from '../text/format.ts';
import type { Drawing } from '../text/paint.ts';
import { clip, textWidth } from '../text/text-width.ts';
import type { LiveFrame } from './live-area.ts';
import type { Viewer, ViewerView } from './viewer.ts';

/** What the live area is made of. */
export type LiveParts = {
  readonly prompt: (size: { readonly columns: number }) => PromptView;
  readonly question: OpenQuestion | undefined;
  /** What the question is about, drawn for so many columns. */
  readonly about: (columns: number) => readonly string[];
  /** What is looked at whole, in the place of all else. */
  readonly viewer: Viewer['view'];
  /** What goes on; undefined when nothing does. */
  readonly busy: string | undefined;
  /** One row, drawn; empty when there is nothing to say. */
  readonly status: string;
  /** What is being said or done and is not finished, drawn. */
  readonly tail: readonly string[];
  /** Shows folded texts by their labels. */
  readonly labels: (text: string) => string;
};

type FrameSize = Drawing & { readonly rows: number };

/**
 * From above: what is being said or done, then, apart from it, what waits, a question or what goes on, and the prompt, which is not shown while
 * it is empty and nothing waits for it; below that the menu or the status.
 */
export function liveFrame(parts: LiveParts, { paint, columns, rows }: FrameSize): LiveFrame {
  // The last column stays free: what fills it would break there on some terminals.
  const width = Math.max(4, columns - 1);
  const drawing = { paint, columns: width };
  const busy = parts.busy === undefined ? [] : [paint.code(clip(parts.busy, width))];
  const viewed = parts.viewer({ columns: width, rows: rows - 1 - VIEWER_FRAME_ROWS - busy.length });
  if (viewed !== undefined) {
    const lines = [...viewerLines(viewed, drawing), ...busy].slice(0, Math.max(1, rows - 1));
    return { lines, cursor: { row: lines.length - 1, column: 0 } };
  }
  const view = parts.prompt({ columns: editorColumns(columns) });
  const queue = queueLines(view.queue, parts.labels, drawing);
  const isApart = queue.length > 0 && parts.question !== undefined;
  const state = ['', ...queue, ...(isApart ? [''] : []), ...stateLines(parts, drawing)];
  const isPromptShown = !view.isEmpty || view.search !== undefined || (view.isAwaited && parts.question === undefined);
  const editor = isPromptShown ? editorFrame(view.layout, Math.max(3, Math.floor(rows / 2))) : undefined;
  const status = parts.status === '' ? [] : [parts.status];
  const below = view.menu === undefined ? status : menuLines(view.menu, drawing);
  const search = view.search === undefined ? [] : [clip(localize({ en: `search: ${view.search}`, zh: `搜索：${view.search}` }), width)];
  const fixed = [...state, ...(editor?.lines ?? []), ...search, ...below];
  const tail = parts.tail.slice(-Math.max(0, rows - fixed.length - 1));
  const lines = [...tail, ...fixed].slice(-Math.max(1, rows - 1));
  const cut = tail.length + fixed.length - lines.length;
  const editorRow = tail.length + state.length - cut;
  if (view.search !== undefined) {
    const row = editorRow + (editor?.lines.length ?? 0);
    return { lines, cursor: { row, column: textWidth(search[0] ?? '') } };
  }
  if (editor === undefined) return { lines: lines.length === 0 ? [''] : lines, cursor: { row: Math.max(0, lines.length - 1), column: 0 } };
  return { lines, cursor: { row: Math.max(0, editorRow + editor.cursor.row), column: editor.cursor.column } };
}

function stateLines({ question, about, busy }: LiveParts, { paint, columns }: Drawing): readonly string[] {
  if (question !== undefined) return [...about(columns), ...questionLines(question, paint, columns)];
  return busy === undefined ? [] : [paint.code(clip(busy, columns))];
}

/** The rows around those of the text. */
const VIEWER_FRAME_ROWS = 2;

/** What is looked at: its title with where one is in it, its rows, and the keys. */
function viewerLines(view: ViewerView, { paint, columns }: Drawing): readonly string[] {
  const { title, rows, top, total, number, count } = view;
  const range = `${formatCount(top + 1)}-${formatCount(top + rows.length)}`;
  const inText = localize({ en: `${range} of ${formatCount(total)}`, zh: `${range} / ${formatCount(total)}` });
  const place = count > 1 ? `${inText} · ${number}/${count}` : inText;
  const name = clip(title, Math.max(8, columns - textWidth(place) - 3));
  const allKeys = localize({ en: 'arrow keys scroll, left and right: others, Esc closes', zh: '上下键滚动，左右键切换，Esc 关闭' });
  const keys = textWidth(allKeys) <= columns ? allKeys : localize({ en: 'Esc closes', zh: 'Esc 关闭' });
  return [
    `${paint.strong(name)} ${paint.quiet(clip(`· ${place}`, columns - textWidth(name) - 1))}`,
    ...rows,
    paint.quiet(clip(keys, columns)),
  ];
}
