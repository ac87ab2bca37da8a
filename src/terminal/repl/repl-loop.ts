import { AbortedError, errorKinds } from '../../domain/errors.ts';
import type { ChatPort } from '../chat/chat-port.ts';
import type { Questions } from '../input/questions.ts';
import { jobsEndedText } from '../screen/event-line.ts';
import type { Screen } from '../screen/screen.ts';
import { parseCommand, type SlashContext } from '../slash/command.ts';
import { nameClashes } from '../slash/project-commands.ts';
import { commandNames, runCommand } from '../slash/slash-commands.ts';
import { errorText } from '../text/error-text.ts';
import { leaveText, resumedText, welcomeText } from './session-text.ts';
import type { ReplIo } from './types.ts';

export type LoopParts = {
  readonly screen: Screen;
  readonly foreground: ForegroundTask;
  readonly questions: Questions | undefined;
  readonly edit: ReplIo['edit'];
  readonly next: () => Promise<string | undefined>;
  readonly nextQueued?: () => string | undefined;
  readonly prefill: (text: string) => void;
  readonly columns: () => number;
};

export async function runLoop(io: ReplIo, chat: ChatPort, parts: LoopParts): Promise<number> {
  const { screen, foreground, questions, next, columns } = parts;
  const welcome = (): void => {
    const session = chat.sessions.current();
    screen.block(
      welcomeText({ version: io.version, model: chat.model.current(), session, memory: chat.memory.view(), columns: columns() }),
    );
    const where = resumedText(session, columns());
    if (where !== '') screen.block(where);
  };
  let isExiting = false;
  const quit = (): void => {
    isExiting = true;
  };
  const say = (text: string): Promise<void> => foreground.run((signal) => chat.turn.say(text, signal, parts.nextQueued));
  const context: SlashContext = {
    chat,
    ui: { screen, theme: io.colour ? io.theme : undefined, questions, columns, now: io.now },
    loop: { stoppable: foreground.run, say, edit: parts.edit, welcome, prefill: parts.prefill, quit },
    retentionDays: io.retentionDays,
  };

  welcome();
  for (const line of nameClashes(chat.skills, commandNames)) screen.line(line, 'notice');
  while (!isExiting) {
    const message = await next();
    if (message === undefined) break;
    const command = parseCommand(message);
    try {
      if (command !== undefined) await runCommand(command, context);
      else await say(message);
    } catch (error) {
      // What was stopped has told so itself.
      if (error instanceof AbortedError) continue;
      const show = command === undefined ? screen.apart : screen.block;
      show(errorText(error, columns(), '✗ ').replace('✗', screen.paint.bad));
    }
    screen.settle();
    if (foreground.isAbandoned()) return errorKinds.interrupted.exitCode;
  }
  sayGoodbye(chat, parts);
  return 0;
}

function sayGoodbye({ sessions, rollback, jobs }: ChatPort, { screen, columns }: LoopParts): void {
  const ended = jobs.jobs().filter(({ isLive, keep }) => isLive && !keep);
  if (ended.length > 0) screen.line(jobsEndedText(ended, columns()), 'notice');
  const messages = rollback.pastMessages().length;
  if (messages > 0) screen.block(leaveText(sessions.current().sessionId, { messages, snapshots: rollback.snapshots().length }, columns()));
}

export type ForegroundTask = ReturnType<typeof createForegroundTask>;

/** What the user can stop, one thing at a time. `setStoppable` is told when there is something to stop, and when there is not. */
export function createForegroundTask(setStoppable: (isStoppable: boolean) => void = () => undefined) {
  let isAbandoned = false;
  let current: { readonly controller: AbortController; readonly abandon: () => void; presses: number } | undefined;
  return {
    /** Runs `work` and settles as it does; or resolves to nothing as soon as the user no longer waits for it. */
    run: async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
      const controller = new AbortController();
      const abandoned = new Promise<undefined>((resolve) => {
        current = { controller, abandon: () => resolve(undefined), presses: 0 };
      });
      setStoppable(true);
      try {
        return await Promise.race([work(controller.signal), abandoned]);
      } finally {
        current = undefined;
        setStoppable(false);
      }
    },
    /** The first call asks the work to stop, the third gives up waiting for it. */
    stop: (): 'idle' | 'stopping' | 'still_stopping' | 'given_up' => {
      if (current === undefined) return 'idle';
      current.presses += 1;
      if (current.presses === 1) {
        current.controller.abort();
        return 'stopping';
      }
      if (current.presses === 2) return 'still_stopping';
      current.abandon();
      isAbandoned = true;
      return 'given_up';
    },
    isAbandoned: (): boolean => isAbandoned,
  };
}
