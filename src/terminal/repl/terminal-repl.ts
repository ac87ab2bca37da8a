import { permissionChoices, permissionQuestion, permissionText } from '../input/ask.ts';
import { completeLine } from '../input/complete-line.ts';
import { createFoldedTexts, type FoldedTexts } from '../input/folded-text.ts';
import { createKeyboard, type Keyboard } from '../input/keyboard.ts';
import { CTRL_C } from '../input/keys.ts';
import { readMessage } from '../input/line-editor.ts';
import { createQuestions, NO, YES } from '../input/questions.ts';
import { undoByCommand } from '../screen/context-line.ts';
import { guardOutput } from '../screen/output.ts';
import { createScreen, type Screen } from '../screen/screen.ts';
import { createSpinner } from '../screen/spinner.ts';
import { createPaint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { runLoop } from './repl-loop.ts';
import { createStopper } from './stopper.ts';
import { createTypedMeanwhile, type TypedMeanwhile } from './typed-meanwhile.ts';
import type { Repl, ReplIo } from './types.ts';

const PROMPT = '> ';

/**
 * The REPL on a real terminal. Keys always go to exactly one reader: the prompt, a question, or else what is typed meanwhile.
 */
export function terminalRepl(io: ReplIo): Repl {
  const over = new AbortController();
  const output = guardOutput(io.output, () => end());
  const paint = createPaint(io.colour);
  const spinner = createSpinner(io.output, io.colour);
  const screen = createScreen({ output, paint, spinner, undo: undoByCommand });
  const stopper = createStopper();
  const keyboard = createKeyboard({ input: io.input, write: output.write, onEnd: () => end() });
  const folded = createFoldedTexts();
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
  const history = createHistory(io);
  const meanwhile = createTypedMeanwhile({ screen, folded, stop, dropped: history.remember });
  const questions = createQuestions({ keyboard, output: io.output, keep: meanwhile.read, isTyping: meanwhile.isTyping });
  const nextMessage = messageReader(io, { screen, keyboard, folded, meanwhile, history, over: over.signal });
  const undisturbed = async <T>(ask: () => Promise<T>): Promise<T> => {
    const release = screen.hold();
    try {
      return await ask();
    } finally {
      release();
    }
  };
  const restore = (): void => {
    spinner.stop();
    keyboard.restore();
  };

  return {
    onEvent: screen.onEvent,
    askPermission: oneAtATime(async (request, signal) => {
      screen.rest();
      screen.block(permissionText(request, { paint, columns: io.output.columns || 80 }));
      return undisturbed(() => questions.decide(permissionQuestion(request), permissionChoices, signal));
    }),
    confirm: oneAtATime(async (question, signal) => {
      screen.rest();
      return undisturbed(() => questions.decide(safeLine(question), yesOrNo, signal));
    }),
    run: async (chat) => {
      keyboard.start();
      const release = keyboard.read(meanwhile.read);
      try {
        const edit: ReplIo['edit'] = (text) => keyboard.lend(() => io.edit(text));
        const next = () => nextMessage(chat.files);
        return await runLoop(io, chat, { screen, stopper, questions, edit, next, offer: meanwhile.offer, isGivenUp: () => givenUp });
      } finally {
        release();
        restore();
      }
    },
    interrupt: () => keyboard.press(CTRL_C),
    restore,
  };
}

const yesOrNo = [
  { name: 'No', value: false, words: NO },
  { name: 'Yes', value: true, words: YES },
] as const;

type Reading = {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly folded: FoldedTexts;
  readonly meanwhile: TypedMeanwhile;
  readonly history: History;
  readonly over: AbortSignal;
};

/** What Up brings back, kept for later runs too. */
type History = { readonly newestFirst: readonly string[]; readonly remember: (message: string) => void };

function createHistory({ history }: ReplIo): History {
  const newestFirst = history.load().toReversed();
  return {
    newestFirst,
    remember: (message) => {
      newestFirst.unshift(message);
      history.save(message);
    },
  };
}

/** The next message: one that was typed meanwhile, else one from the prompt; undefined when the user leaves. */
function messageReader(
  io: ReplIo,
  { screen, keyboard, folded, meanwhile, history, over }: Reading,
): (files: Files) => Promise<string | undefined> {
  const remember = (message: string): string => {
    history.remember(message);
    return message;
  };
  return async (files) => {
    const queued = over.aborted ? undefined : meanwhile.takeLine();
    if (queued !== undefined) {
      screen.line(`${PROMPT}${safeLine(folded.fold(queued))}`);
      return remember(queued);
    }
    const entered = await readMessage({
      keyboard,
      output: io.output,
      prompt: PROMPT,
      folded,
      history: history.newestFirst,
      prefill: meanwhile.takePartial(),
      complete: (beforeCursor) => completeLine(beforeCursor, files),
      signal: over,
    });
    if (entered.kind === 'message') return remember(entered.text);
    screen.block('\n');
    return undefined;
  };
}

type Files = (prefix: string) => Promise<readonly string[]>;
