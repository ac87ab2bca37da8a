import type { Questions } from '../input/questions.ts';
import type { ChatPort, EditResult } from '../repl/chat-port.ts';
import type { Screen } from '../screen/screen.ts';

export type CommandContext = {
  readonly chat: ChatPort;
  readonly screen: Screen;
  /** Undefined where there is no terminal to ask at. */
  readonly questions: Questions | undefined;
  readonly columns: () => number;
  readonly now: () => Date;
  readonly retentionDays: number;
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
