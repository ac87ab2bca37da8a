import type { BodyRef } from '../../domain/session/message.ts';
import type { StopPhase } from '../history/stopped-call.ts';

/** What one tool call did, whichever agent's tools it called. */
export type ToolCall = {
  readonly tool: string;
  readonly kind: CallKind;
  /** The files it reads or changes, as the call names them; a command's are those it plainly writes to. */
  readonly paths: readonly string[];
  readonly command: string | undefined;
  /** One line for people: the tool and what it was called with. */
  readonly title: string;
  readonly input: unknown;
  /** Whole: a stub's body where it can be read, else the stub. Undefined when there is no result. */
  readonly result: string | undefined;
  /** Ran, and did not work; what did not run has not failed. */
  readonly failed: boolean;
  /** Not run at all, because a person or a rule said no. */
  readonly denied: boolean;
  /** When it was stopped, if it was. */
  readonly stopped: StopPhase | undefined;
  /** The line of the result that states the error, when it failed. */
  readonly error: string | undefined;
  readonly body: BodyRef | undefined;
  readonly messageId: string;
  readonly at: string;
  /** Of the message that made the call. */
  readonly index: number;
};

export type CallKind = 'read' | 'write' | 'run' | 'search' | 'list' | 'todo' | 'other';
