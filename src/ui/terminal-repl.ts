import { AbortedError } from '../domain/errors.ts';
import { permissionChoices, permissionQuestion, permissionText } from './ask.ts';
import { completeLine } from './complete-line.ts';
import { createFoldedTexts } from './folded-text.ts';
import { createKeyboard } from './keyboard.ts';
import { CTRL_C, ESC, type KeyPiece } from './keys.ts';
import { readMessage } from './line-editor.ts';
import { guardOutput } from './output.ts';
import { createPaint } from './paint.ts';
import { createQuestions } from './questions.ts';
import type { Repl, ReplIo } from './repl.ts';
import { runLoop } from './repl-loop.ts';
import { safeLine } from './safe-text.ts';
import { createScreen } from './screen.ts';
import { createSpinner } from './spinner.ts';
import { createStopper } from './stopper.ts';
import { nothingTyped, typeAhead } from './type-ahead.ts';

const PROMPT = '> ';

/**
 * The REPL on a real terminal. Keys always go to exactly one reader: the prompt, a question, or else the type-ahead, which takes
 * Ctrl-C and Esc as "stop" and keeps the rest for the next prompt.
 */
export function terminalRepl(io: ReplIo): Repl {
  const over = new AbortController();
  const output = guardOutput(io.output, () => end());
  const paint = createPaint(io.colour);
  const spinner = createSpinner(io.output, io.colour);
  const screen = createScreen({ output, paint, spinner });
  const stopper = createStopper();
  const keyboard = createKeyboard({ input: io.input, write: output.write, onEnd: () => end() });
  const folded = createFoldedTexts();
  const history = io.history.load().toReversed();
  let typed = nothingTyped;
  let givenUp = false;

  /** The terminal is gone: what runs is stopped, and nothing more is asked. */
  const end = (): void => {
    over.abort();
    stopper.stop();
  };
  const stop = (): void => {
    const outcome = stopper.stop();
    if (outcome === 'still_stopping') screen.line('Still stopping. Ctrl-C once more leaves at once.', 'notice');
    if (outcome === 'given_up') givenUp = true;
  };
  const keep = (piece: KeyPiece): void => {
    const before = typed.lines.length;
    typed = typeAhead(typed, piece);
    for (const line of typed.lines.slice(before)) screen.line(`(queued) ${safeLine(folded.fold(line))}`, 'quiet');
  };
  const readBusy = (piece: KeyPiece): void => {
    if (piece.type === 'keys' && piece.text === ESC) stop();
    else if (piece.type === 'keys' && piece.text.includes(CTRL_C)) {
      for (const _ of piece.text.matchAll(anyInterrupt)) stop();
      keep({ type: 'keys', text: piece.text.replaceAll(CTRL_C, '') });
    } else keep(piece);
  };
  const questions = createQuestions({ keyboard, output: io.output, keep: readBusy, isTyping: () => typed.partial !== '' });
  const remember = (message: string): string => {
    history.unshift(message);
    io.history.save(message);
    return message;
  };

  async function next(files: (prefix: string) => Promise<readonly string[]>): Promise<string | undefined> {
    const [queued, ...lines] = typed.lines;
    if (queued !== undefined && !over.signal.aborted) {
      typed = { ...typed, lines };
      screen.line(`${PROMPT}${safeLine(folded.fold(queued))}`);
      return remember(queued);
    }
    const prefill = typed.partial;
    typed = nothingTyped;
    const entered = await readMessage({
      keyboard,
      output: io.output,
      prompt: PROMPT,
      folded,
      history,
      prefill,
      complete: (beforeCursor) => completeLine(beforeCursor, files),
      signal: over.signal,
    });
    if (entered.kind === 'leave') {
      output.write('\n');
      return undefined;
    }
    return remember(entered.text);
  }

  return {
    onEvent: screen.onEvent,
    askPermission: oneAtATime(async (request, signal) => {
      screen.rest();
      screen.block(permissionText(request, { paint, columns: io.output.columns || 80 }));
      return questions.decide(permissionQuestion(request), permissionChoices, signal);
    }),
    confirm: oneAtATime(async (question, signal) => {
      screen.rest();
      return questions.decide(safeLine(question), yesOrNo, signal);
    }),
    run: async (chat) => {
      keyboard.start();
      const release = keyboard.read(readBusy);
      try {
        return await runLoop(io, chat, { screen, stopper, questions, next: () => next(chat.files), isGivenUp: () => givenUp });
      } finally {
        release();
        restore();
      }
    },
    interrupt: () => keyboard.press(CTRL_C),
    restore,
  };

  function restore(): void {
    spinner.stop();
    keyboard.restore();
  }
}

const anyInterrupt = new RegExp(CTRL_C, 'g');

const yesOrNo = [
  { name: 'No', value: false },
  { name: 'Yes', value: true },
] as const;

/** A second question waits until the first is answered. */
function oneAtATime<Asked, Answer>(
  ask: (asked: Asked, signal: AbortSignal) => Promise<Answer>,
): (asked: Asked, signal: AbortSignal) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve();
  return (asked, signal) => {
    const answer = last.then(() => {
      if (signal.aborted) throw new AbortedError('Interrupted');
      return ask(asked, signal);
    });
    last = answer.catch(() => undefined);
    return answer;
  };
}
