import { localize } from '../../domain/language.ts';
import { createFolds } from '../editor/folds.ts';
import { createLayouter } from '../editor/layout.ts';
import { createKeyboard } from '../input/keyboard.ts';
import { createMarkdownLoader } from '../markdown/load-markdown.ts';
import { echoText, editorColumns } from '../prompt/prompt-view.ts';
import type { ReplIo } from '../repl/types.ts';
import { undoByCommand } from '../screen/line.ts';
import { guardOutput } from '../screen/output.ts';
import { createScreen, type Screen } from '../screen/screen.ts';
import { createStreamedLines } from '../screen/streamed-lines.ts';
import { createScreenPaint, type Drawing } from '../text/paint.ts';
import { createBusyLine } from './busy-line.ts';
import { createDetails } from './details.ts';
import { createLiveArea } from './live-area.ts';
import { type LiveParts, liveFrame } from './live-frame.ts';
import { createRunning, type Running } from './running.ts';
import { createStatus } from './status.ts';

/** A terminal with its live area, and who draws what there. */
export type Stage = ReturnType<typeof createStage>;

type StageParts = Pick<LiveParts, 'prompt' | 'question' | 'about' | 'viewer'>;

/**
 * `onEnd` is called when the terminal has gone away. `setParts` says what the prompt, the questions and the viewer show, from now on; `echo` shows
 * above the live area what was sent; `lend` leaves the terminal to another program while `work` lasts; `ring` tells that something waits for the
 * person, by the bell and a notification of the desktop (OSC 9), unless they look at this window.
 */
export function createStage(io: ReplIo, onEnd: () => void) {
  const output = guardOutput(io.output, onEnd);
  const paint = createScreenPaint(io.colour);
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
        busy: busy.text(drawing.columns, running.key()),
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

const ringing = (): string => `\u0007\u001b]9;${localize({ en: 'SanBot waits for you', zh: 'SanBot 在等你' })}\u001b\\`;

/** The calls that wait for more of their kind, and those that run. */
function callRows(screen: Pick<Screen, 'waiting'>, running: Running, drawing: Drawing): readonly string[] {
  const { rows, isInGroup } = screen.waiting();
  const calls = [...rows, ...running.rows(drawing)];
  return isInGroup || calls.length === 0 ? calls : ['', ...calls];
}
