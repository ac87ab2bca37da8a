import type { AgentDeps } from '../../agent/deps.ts';
import type { Tool, ToolOutcome } from '../../agent/ports/tools.ts';
import type { FileChangeRecorder } from '../../agent/session/file-change-recorder.ts';
import type { Session } from '../../agent/session/session.ts';
import type { TurnResult } from '../../agent/turn/turn.ts';
import type { ContentBlock } from '../../domain/session/message.ts';
import type { Changes } from '../../store/changes/changes.ts';
import type { Jobs } from '../../tools/command/jobs/jobs.ts';
import type { SessionActs } from './session-acts.ts';

/** A session that is open, with what works on it. */
export type Conversation = {
  readonly session: Session;
  readonly deps: AgentDeps;
  readonly tools: readonly Tool[];
  readonly fileChangeRecorder: FileChangeRecorder;
  readonly acts: SessionActs;
  /** What commands changed in it, and what was there before. */
  readonly changes: () => Promise<Changes>;
  /** Its commands in the background. */
  readonly jobs: Jobs;
  readonly close: () => void;
};

/** Why a conversation ends, as the SessionEnd hooks are told it. */
export type EndReason = 'prompt_input_exit' | 'clear' | 'other';

/** What the user has said since the turn began, one message at a time and each once; undefined when nothing waits. */
export type NextQueued = () => string | undefined;

/** One that goes on: somebody speaks in it, and its hooks run. */
export type LiveConversation = Conversation & {
  /** False for one that has just begun. */
  readonly resumed: boolean;
  /**
   * One turn and all that comes before it: the tokenizer is waited for, the hooks of a session that begins run, the model that was asked
   * for makes its change, and what has changed since the last message is noted. Resolves and rejects as `runTurn` does; also with
   * context_cannot_fit when that model's window is too small: then nothing was said, and the next turn goes to the model as it is.
   */
  readonly say: (text: string, signal: AbortSignal, nextQueued?: NextQueued, media?: readonly ContentBlock[]) => Promise<TurnResult>;
  /** Runs a command that the person typed, as `runPersonCommand` does. */
  readonly runCommand: (command: string, signal: AbortSignal) => Promise<ToolOutcome>;
  /** Resolves when the model of this name answers from now on. Rejects as the agent's `changeModel` does. */
  readonly changeModel: (name: string, signal: AbortSignal) => Promise<void>;
  /** Empties the context; a snapshot is taken first. */
  readonly clear: () => Promise<void>;
  /** Before an orderly end, where the settings want it: lets a model look for what is worth keeping. Never rejects. */
  readonly reflect: () => Promise<void>;
  readonly end: (reason: EndReason) => Promise<void>;
};
