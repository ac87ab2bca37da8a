import type { ChatPort } from '../chat/chat-port.ts';
import type { Questions } from '../input/questions.ts';
import type { Screen } from '../screen/screen.ts';

/** What a slash command gets; each takes of it the port that it works on, and where it shows what came of it. */
export type SlashContext = {
  readonly chat: ChatPort;
  readonly ui: CommandUi;
  readonly loop: LoopControl;
  readonly retentionDays: number;
};

/** Where a command shows things, and asks. */
export type CommandUi = {
  readonly screen: Screen;
  /** Undefined where there is no terminal to ask at. */
  readonly questions: Questions | undefined;
  readonly columns: () => number;
  readonly now: () => Date;
};

/** What a command may ask of the loop that reads the prompts. */
export type LoopControl = {
  /** Runs something that the user can stop with Ctrl-C or Esc. */
  readonly stoppable: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  /** Has the user change a text in an editor of theirs; the terminal is the editor's meanwhile. */
  readonly edit: (text: string) => Promise<EditResult>;
  /** Shows which session is open now. */
  readonly welcome: () => void;
  /** Puts a text at the next prompt, to be edited and sent. */
  readonly prefill: (text: string) => void;
  readonly quit: () => void;
};

/** What came of a text in the user's editor. */
export type EditResult = { readonly kind: 'edited'; readonly text: string } | { readonly kind: 'failed'; readonly why: string };
