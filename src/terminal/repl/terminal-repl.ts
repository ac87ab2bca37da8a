import { completeLine } from '../input/complete-line.ts';
import { createKeyboard, type Keyboard } from '../input/keyboard.ts';
import { CTRL_C } from '../input/keys.ts';
import { readMessage } from '../input/line-editor.ts';
import { permissionChoices, permissionQuestion, permissionText } from '../input/permission-prompt.ts';
import { NO_ANSWER, OTHER, personChoices } from '../input/person-question.ts';
import { createQuestions, NO, type Questions, YES } from '../input/questions.ts';
import { createTextPlaceholders, type TextPlaceholders } from '../input/text-placeholders.ts';
import { undoByCommand } from '../screen/line.ts';
import { guardOutput } from '../screen/output.ts';
import { createScreen, type Screen } from '../screen/screen.ts';
import { createSpinner } from '../screen/spinner.ts';
import { createPaint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { createForegroundTask } from './foreground-task.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { runLoop } from './repl-loop.ts';
import { createTypeAheadReader, type TypeAheadReader } from './type-ahead-reader.ts';
import type { Repl, ReplIo } from './types.ts';

const PROMPT = '> ';

/**
 * The REPL on a real terminal. Keys always go to exactly one reader: the prompt, a question, or else what is typed meanwhile.
 */
export function terminalRepl(io: ReplIo): Repl {
  const shutdown = new AbortController();
  const output = guardOutput(io.output, () => end());
  const paint = createPaint(io.colour);
  const spinner = createSpinner(io.output, io.colour);
  const screen = createScreen({ output, paint, spinner, undo: undoByCommand });
  const foreground = createForegroundTask();
  const keyboard = createKeyboard({ input: io.input, write: output.write, onEnd: () => end() });
  const placeholders = createTextPlaceholders();
  let isAbandoned = false;

  /** The terminal is gone: what runs is stopped, and nothing more is asked. */
  const end = (): void => {
    shutdown.abort();
    foreground.stop();
  };
  const stop = (): void => {
    const outcome = foreground.stop();
    if (outcome === 'still_stopping') screen.line('Still stopping. Press Ctrl-C again to exit immediately.', 'notice');
    if (outcome === 'given_up') isAbandoned = true;
  };
  const history = createHistory(io);
  const typeAhead = createTypeAheadReader({ screen, placeholders, stop, onDrop: history.add });
  const questions = createQuestions({ keyboard, output: io.output, keep: typeAhead.read, isTyping: typeAhead.isTyping });
  const nextMessage = createMessageReader(io, { screen, keyboard, placeholders, typeAhead, history, shutdown: shutdown.signal });
  const restore = (): void => {
    spinner.stop();
    keyboard.restore();
  };

  return {
    onEvent: screen.onEvent,
    ...createAsking(screen, questions, () => io.output.columns || 80),
    run: async (chat) => {
      keyboard.start();
      const release = keyboard.read(typeAhead.read);
      try {
        const edit: ReplIo['edit'] = (text) => keyboard.lend(() => io.edit(text));
        const next = () => nextMessage(chat.turn.completePath);
        return await runLoop(io, chat, {
          screen,
          foreground,
          questions,
          edit,
          next,
          prefill: typeAhead.prefill,
          isAbandoned: () => isAbandoned,
        });
      } finally {
        release();
        restore();
      }
    },
    interrupt: () => keyboard.press(CTRL_C),
    restore,
  };
}

/** The questions of a turn, each with the screen to itself. */
function createAsking(screen: Screen, questions: Questions, columns: () => number): Pick<Repl, 'askPermission' | 'confirm' | 'askPerson'> {
  const withScreenHeld = async <T>(ask: () => Promise<T>): Promise<T> => {
    const release = screen.hold();
    try {
      return await ask();
    } finally {
      release();
    }
  };
  return {
    askPermission: oneAtATime(async (request, signal) => {
      screen.settle();
      screen.block(permissionText(request, { paint: screen.paint, columns: columns() }));
      return withScreenHeld(() => questions.decide(permissionQuestion(request), permissionChoices(request), signal));
    }),
    askPerson: oneAtATime(async (question, signal) => {
      screen.settle();
      return withScreenHeld(async () => {
        const answer = await questions.decide(safeLine(question.question), personChoices(question), signal, NO_ANSWER);
        if (answer.kind !== 'typed') return answer;
        const text = await questions.type(OTHER, signal);
        return text === undefined || text.trim() === '' ? NO_ANSWER : { kind: 'typed', text: text.trim() };
      });
    }),
    confirm: oneAtATime(async (question, signal) => {
      screen.settle();
      return withScreenHeld(() => questions.decide(safeLine(question), yesOrNo, signal));
    }),
  };
}

const yesOrNo = [
  { name: 'No', value: false, words: NO },
  { name: 'Yes', value: true, words: YES },
] as const;

type ReaderParts = {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly placeholders: TextPlaceholders;
  readonly typeAhead: TypeAheadReader;
  readonly history: History;
  readonly shutdown: AbortSignal;
};

/** What Up brings back, kept for later runs too. */
type History = { readonly newestFirst: readonly string[]; readonly add: (message: string) => void };

function createHistory({ history }: ReplIo): History {
  const newestFirst = history.load().toReversed();
  return {
    newestFirst,
    add: (message) => {
      newestFirst.unshift(message);
      history.save(message);
    },
  };
}

/** The next message: one that was typed meanwhile, else one from the prompt; undefined when the user leaves. */
function createMessageReader(
  io: ReplIo,
  { screen, keyboard, placeholders, typeAhead, history, shutdown }: ReaderParts,
): (files: Files) => Promise<string | undefined> {
  const saveMessage = (message: string): string => {
    history.add(message);
    return message;
  };
  return async (files) => {
    const queuedMessage = shutdown.aborted ? undefined : typeAhead.takeLine();
    if (queuedMessage !== undefined) {
      screen.line(`${PROMPT}${safeLine(placeholders.collapse(queuedMessage))}`);
      return saveMessage(queuedMessage);
    }
    const result = await readMessage({
      keyboard,
      output: io.output,
      prompt: PROMPT,
      placeholders,
      history: history.newestFirst,
      prefill: typeAhead.takePartial(),
      complete: (beforeCursor) => completeLine(beforeCursor, files),
      signal: shutdown,
    });
    if (result.kind === 'message') return saveMessage(result.text);
    screen.block('\n');
    return undefined;
  };
}

type Files = (prefix: string) => Promise<readonly string[]>;
