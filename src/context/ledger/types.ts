import type { BodyRef, ChangedPaths } from '../../domain/session/message.ts';
import type { StopPhase } from '../history/pairing.ts';

export type ToolCall = {
  readonly tool: string;
  readonly kind: CallKind;
  /** The files that the call reads or changes, as it names them; for a command, those that it plainly writes to. */
  readonly paths: readonly string[];
  readonly command: string | undefined;
  /** What it did to files, as the record of changes found; undefined where it did nothing to them, or nobody looked. */
  readonly changed?: ChangedPaths | undefined;
  /** One line for people: the tool and what it was called with. */
  readonly title: string;
  readonly input: unknown;
  /** The whole result, with a stub's body in place of the stub where it can be read. Undefined when there is no result. */
  readonly result: string | undefined;
  /** True when it ran and did not work; a call that did not run has not failed. */
  readonly failed: boolean;
  /** True when it was not run because a person or a rule refused it. */
  readonly denied: boolean;
  readonly stopped: StopPhase | undefined;
  /** The line of the result that states the error; undefined when it did not fail. */
  readonly error: string | undefined;
  readonly body: BodyRef | undefined;
  readonly messageId: string;
  readonly at: string;
  readonly index: number;
};

/** `fetch`: a page of the web, whose path is its address. */
export type CallKind = 'read' | 'write' | 'run' | 'search' | 'list' | 'todo' | 'fetch' | 'other';
