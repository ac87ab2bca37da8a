import type { Confirm, Emit } from '../../agent/ports/effects.ts';
import type { AskPermission, AskPerson, AskPlan } from '../../agent/ports/tools.ts';
import type { ChatPort } from '../chat/chat-port.ts';
import type { KeySource } from '../input/keyboard.ts';
import type { EditResult } from '../slash/command.ts';
import type { Theme } from '../text/theme.ts';

export type ReplIo = {
  readonly input: KeySource & { readonly isTTY?: boolean };
  readonly output: NodeJS.WriteStream;
  readonly colour: boolean;
  readonly theme: Theme;
  readonly dumb: boolean;
  readonly version: string;
  readonly first?: string | undefined;
  readonly history: {
    readonly load: () => readonly string[];
    /** Must not throw: what cannot be kept is not worth stopping for. */
    readonly save: (message: string) => void;
  };
  /** Has the user change a text in an editor, which has the terminal to itself until it is left. Must not reject. */
  readonly edit: (text: string) => Promise<EditResult>;
  /** The file of the image in the clipboard, else why there is none. Must not reject. */
  readonly clipboardImage: () => Promise<{ readonly path: string } | { readonly why: string }>;
  /** Stops the program until the shell lets it go on, as Ctrl-Z does. Must not reject. */
  readonly suspend: () => Promise<void>;
  readonly now: () => Date;
  readonly retentionDays: number;
};

export type Repl = {
  readonly onEvent: Emit;
  readonly askPermission: AskPermission;
  readonly confirm: Confirm;
  readonly askPerson: AskPerson;
  readonly askPlan: AskPlan;
  /** Until the user leaves; resolves with the exit code. Rejects only for a fault of ours. */
  readonly run: (chat: ChatPort) => Promise<number>;
  /** For SIGINT from outside: what Ctrl-C does. */
  readonly interrupt: () => void;
  /** The terminal is gone, or SanBot is to end: what runs is stopped, nothing more is asked, and `run` resolves when it has stopped. */
  readonly end: () => void;
  /** Gives the terminal back. Never throws, may be called at any time, and again. */
  readonly restore: () => void;
};
