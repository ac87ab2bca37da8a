import type { AskPermission, Confirm, Emit } from '../agent/ports.ts';
import { AbortedError, errorKinds } from '../domain/errors.ts';
import type { ChatPort } from './chat-port.ts';
import { permissionChoices, permissionQuestion, permissionText } from './ask.ts';
import { completeLine } from './complete-line.ts';
import { errorText } from './error-text.ts';
import { createFoldedTexts } from './folded-text.ts';
import { createKeyboard } from './keyboard.ts';
import { CTRL_C, ESC, type KeyPiece } from './keys.ts';
import { readMessage } from './line-editor.ts';
import { createLineSource } from './line-source.ts';
import { guardOutput } from './output.ts';
import { createPaint } from './paint.ts';
import { createQuestions } from './questions.ts';
import { safeLine } from './safe-text.ts';
import { createScreen } from './screen.ts';
import { parseCommand, runCommand } from './slash-commands.ts';
import { createSpinner, noSpinner } from './spinner.ts';
import { nothingTyped, type TypeAhead, typeAhead } from './type-ahead.ts';
import { welcomeText } from './welcome.ts';

export type ReplIo = {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly colour: boolean;
  /** A terminal that obeys no control sequences. */
  readonly dumb: boolean;
  readonly version: string;
  readonly history: {
    /** Messages of earlier runs, oldest first. */
    readonly load: () => readonly string[];
    /** Must not throw: what cannot be kept is not worth stopping for. */
    readonly save: (message: string) => void;
  };
  readonly now: () => Date;
  readonly retentionDays: number;
};

export type Repl = {
  readonly onEvent: Emit;
  readonly askPermission: AskPermission;
  readonly confirm: Confirm;
  /** Until the user leaves; resolves with the exit code. Rejects only for a fault of ours. */
  readonly run: (chat: ChatPort) => Promise<number>;
  /** For SIGINT from outside: what Ctrl-C does. */
  readonly interrupt: () => void;
  /** Gives the terminal back. Never throws, may be called at any time, and again. */
  readonly restore: () => void;
};

const PROMPT = '> ';

export function createRepl(io: ReplIo): Repl {
  const isTerminal = io.input.isTTY === true && io.output.isTTY === true && !io.dumb;
  return isTerminal ? terminalRepl(io) : plainRepl(io);
}
