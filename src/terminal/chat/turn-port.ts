import type { Bilingual } from '../../domain/language.ts';
import type { TodoItem } from '../../domain/session/ledger.ts';

export type TurnPort = {
  /** One turn. Resolves when it has ended; also when `signal` ended it. What `nextQueued` gives out goes to the model with its next request. */
  readonly say: (text: string, signal: AbortSignal, nextQueued?: () => string | undefined) => Promise<void>;
  /** True for a text that becomes a file when it is said, of which the model gets beginning and end; false where that takes long to know. */
  readonly becomesFile: (text: string) => Promise<boolean>;
  /** Runs a command that the person typed, and puts it with what it printed into the conversation. Rejects with AbortedError when it was stopped. */
  readonly run: (command: string, signal: AbortSignal) => Promise<CommandResult>;
  readonly todo: () => readonly TodoItem[];
  /** The whole result of a call; undefined when it has left the context. */
  readonly output: (toolUseId: string) => string | undefined;
  /** The end of what the command has printed that runs now; undefined when none does. */
  readonly printed: () => string | undefined;
  /** Lets the command that runs now go on in the background. A text says why it does not. */
  readonly toBackground: () => Bilingual | undefined;
  /** The likeliest first, folders with a trailing slash, at most 50. Empty when there are none. */
  readonly findPaths: (typed: string) => Promise<readonly string[]>;
};

export type CommandResult = {
  readonly ok: boolean;
  readonly output: string;
  readonly note: Bilingual;
  readonly changed?: Bilingual;
};

export type JobsPort = {
  readonly jobs: () => readonly JobLine[];
  /** Ends it and all that it started; false when it still runs. */
  readonly stop: (name: string) => Promise<boolean>;
  /** From now on it goes on when the session is left; false for one that cannot. */
  readonly keep: (name: string) => boolean;
};

export type JobLine = {
  readonly name: string;
  readonly command: string;
  readonly status: string;
  readonly isLive: boolean;
  readonly keep: boolean;
  readonly pid: number | undefined;
};
