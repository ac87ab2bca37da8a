import { localize } from '../../domain/language.ts';
import { createFolds } from '../editor/folds.ts';
import { createLayouter } from '../editor/layout.ts';
import { createKeyboard } from '../input/keyboard.ts';
import { type OpenQuestion, questionLines } from '../input/question-lines.ts';
import { createMarkdownLoader } from '../markdown/load-markdown.ts';
import { echoText, editorColumns, editorFrame, menuLines, type PromptView, queueLines } from '../prompt/prompt-view.ts';
import type { ReplIo } from '../repl/types.ts';
import { undoByCommand } from '../screen/line.ts';
import { guardOutput } from '../screen/output.ts';
import { createScreen, type Screen } from '../screen/screen.ts';
import { createStreamedLines } from '../screen/streamed-lines.ts';
import { formatCount } from '../text/format.ts';
import { createScreenPaint, type Drawing } from '../text/paint.ts';
import { clip, textWidth } from '../text/text-width.ts';
import { createBusyLine, createRunning, type Running } from './busy-line.ts';
import { createDetails } from './details.ts';
import { createLiveArea, type LiveFrame } from './live-area.ts';
import { createStatus } from './status.ts';
import type { Viewer, ViewerView } from './viewer.ts';

export type Stage = ReturnType<typeof createStage>;

type StageParts = Pick<LiveParts, 'prompt' | 'question' | 'about' | 'viewer'>;

/**
 * `onEnd` is called when the terminal has gone away. `setParts` says what the prompt, the questions and the viewer show, from now on; `echo` shows
 * above the live area what was sent; `lend` leaves the terminal to another program while `work` lasts; `ring` tells that something waits for the
 * person, by the bell and a notification of the desktop (OSC 9), unless they look at this window.
 */
export function createStage(io: ReplIo, onEnd: () => void) {
  const output = guardOutput(io.output, onEnd);
  const paint = createScreenPaint(io.colour, io.theme);
  const folds = createFolds();
  const status = createStatus();
  const details = createDetails();
  const running = createRunning();
  const markdown = createMarkdownLoader();
  const layout = createLayouter(folds.label);
  const columns = (): number => io.output.columns || 80;
  const width = (): number => columns() - 1;
  const rows = (): number => io.output.rows || 24;
  const labels = (text: string): string => text.replace(/./gsu, (character) => folds.label(character) ?? character);
  const keyboard = createKeyboard({ input: io.input, write: output.write, onEnd });
  let parts: (() => StageParts) | undefined;
  const area = createLiveArea({
    ...{ output, columns, cursorColumn: keyboard.cursorColumn },
    frame: () => {
      if (parts === undefined) return { lines: [''], cursor: { row: 0, column: 0 } };
      const drawing = { paint, columns: width() };
      const lines = {
        busy: (namesKeys: boolean) => busy.text(drawing.columns, namesKeys ? running.key() : undefined),
        status: status.row(drawing),
        tail: [...stream.tail(), ...callRows(screen, running, drawing)],
        labels,
      };
      return liveFrame({ ...parts(), ...lines }, { paint, columns: columns(), rows: rows() });
    },
  });
  const busy = createBusyLine(area.update, () => parts?.().question !== undefined);
  const stream = createStreamedLines({
    ...{ print: area.print, update: area.update, paint, render: markdown.render },
    columns: width,
  });
  const screen = createScreen({
    output: { write: area.print },
    paint,
    spinner: { ...busy, start: (text, waitMs) => busy.start(running.label(text), waitMs) },
    ...{ undo: undoByCommand, stream, columns: width, showWaiting: area.update, codeParts: markdown.codeParts },
  });
  return {
    ...{ area, screen, busy, status, keyboard, folds, details, markdown, columns, rows, running },
    setParts: (next: () => StageParts): void => {
      parts = next;
    },
    echo: (text: string): void => screen.apart(echoText(layout({ text, cursor: 0 }, editorColumns(columns())), paint)),
    lend: <T>(work: () => Promise<T>): Promise<T> => lendTerminal(work, area, keyboard),
    ring: (): void => {
      if (!keyboard.hasFocus()) output.write(ringing());
    },
    restore: (): void => {
      busy.setStoppable(false);
      busy.stop();
      area.hide();
      keyboard.restore();
    },
  };
}

async function lendTerminal<T>(
  work: () => Promise<T>,
  area: ReturnType<typeof createLiveArea>,
  keyboard: ReturnType<typeof createKeyboard>,
): Promise<T> {
  area.hide();
  try {
    return await keyboard.lend(work);
  } finally {
    area.show();
  }
}

const ringing = (): string => `\u0007\u001b]9;${localize({ en: 'SanBot is waiting for you', zh: 'SanBot 在等你' })}\u001b\\`;

function callRows(screen: Pick<Screen, 'waiting'>, running: Running, drawing: Drawing): readonly string[] {
  const { rows, isInGroup } = screen.waiting();
  const calls = [...rows, ...running.rows(drawing)];
  return isInGroup || calls.length === 0 ? calls : ['', ...calls];
}

export type LiveParts = {
  readonly prompt: (size: { readonly columns: number }) => PromptView;
  readonly question: OpenQuestion | undefined;
  readonly about: (columns: number) => readonly string[];
  readonly viewer: Viewer['view'];
  readonly busy: (namesKeys: boolean) => string | undefined;
  readonly status: string;
  readonly tail: readonly string[];
  readonly labels: (text: string) => string;
};

type FrameSize = Drawing & { readonly rows: number };

/** From above: what is being said or done, what waits, a question or what goes on, the prompt, the menu or the status. */
export function liveFrame(parts: LiveParts, { paint, columns, rows }: FrameSize): LiveFrame {
  // The last column stays free: what fills it would break there on some terminals.
  const width = Math.max(4, columns - 1);
  const drawing = { paint, columns: width };
  // Its own keys stand below what is viewed, and while a question waits nothing else goes on.
  const viewedBusy = parts.question === undefined ? parts.busy(false) : undefined;
  const busy = viewedBusy === undefined ? [] : [paint.code(clip(viewedBusy, width))];
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
  const text = busy(true);
  return text === undefined ? [] : [paint.code(clip(text, columns))];
}

const VIEWER_FRAME_ROWS = 2;

function viewerLines(view: ViewerView, { paint, columns }: Drawing): readonly string[] {
  const { title, rows, top, total, number, count } = view;
  const range = `${formatCount(top + 1)}-${formatCount(top + rows.length)}`;
  const inText = localize({ en: `${range} of ${formatCount(total)}`, zh: `${range} / ${formatCount(total)}` });
  const place = count > 1 ? `${inText} · ${number}/${count}` : inText;
  const name = clip(title, Math.max(8, columns - textWidth(place) - 3));
  const allKeys = localize({ en: 'arrow keys scroll, left and right switch, Esc closes', zh: '上下键滚动，左右键切换，Esc 关闭' });
  const keys = textWidth(allKeys) <= columns ? allKeys : localize({ en: 'Esc closes', zh: 'Esc 关闭' });
  return [
    `${paint.strong(name)} ${paint.quiet(clip(`· ${place}`, columns - textWidth(name) - 1))}`,
    ...rows,
    paint.quiet(clip(keys, columns)),
  ];
}
