import type { StreamEvent } from '../domain/event.ts';
import type { ResultEvent } from '../terminal/screen/json-output.ts';
import type { CompactionCheck, CompactionResult, CompactOptions, ContextRollback, MessageBlock } from './context-types.ts';

/** A tool of your own. */
export type AgentTool = {
  /** Letters, digits, `_` and `-`; none of SanBot's own names. */
  readonly name: string;
  /** What the model is told of it. */
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** `read` runs without a question; `run`, where it is left out, as a command does. */
  readonly access?: 'read' | 'run';
  /** Returns what the model gets. What it throws is a failed result with the error's message; the input is what the model wrote, unchecked. */
  readonly run: (input: unknown, options: { readonly signal: AbortSignal }) => string | Promise<string>;
};

/** A call that asks for a yes. */
export type AgentQuestion = {
  readonly tool: string;
  /** One line: the tool and what it is called with. */
  readonly title: string;
  /** What a person has to see first: the difference of an edit, the exact command. */
  readonly preview: string;
  readonly access: 'read' | 'write' | 'run';
  /** What of it nobody could bring back. */
  readonly irreversible?: string;
};

export type AgentPermissions = {
  /** `ask` where it is left out. In `plan`, the plan is the result of the turn. */
  readonly mode?: 'ask' | 'accept-edits' | 'plan' | 'read-only' | 'bypass';
  /** Names of tools, and patterns as of `--allow`. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** True for yes, `session` for yes from now on. Left out, whatever asks is refused. */
  readonly ask?: (question: AgentQuestion, signal: AbortSignal) => Promise<boolean | 'session'>;
};

export type AgentSettings = {
  /** As after `--model`; left out, that of the settings. */
  readonly model?: string;
  readonly tools?: readonly AgentTool[];
  readonly store?: {
    /** SanBot's home, with its settings; left out, `SANBOT_HOME` or `~/.sanbot`. */
    readonly home?: string;
    /** The id of an earlier session to go on with. */
    readonly session?: string;
  };
  readonly permissions?: AgentPermissions;
  /** The folder in which it works; left out, that of the process. */
  readonly cwd?: string;
  /** Environment variables beside those of the process: keys, addresses, `SANBOT_…`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Requests to the model in one turn. */
  readonly maxSteps?: number;
  /** Dollars that all requests together may cost. */
  readonly maxCostUsd?: number;
};

/** What `send` yields: the lines of `stream-json`. */
export type AgentEvent = StreamEvent | ResultEvent;

export type AgentInput = string | readonly MessageBlock[];

export type AgentContext = CompactionCheck & {
  readonly model: string;
  readonly windowTokens: number;
  readonly messages: number;
};

/** One place where something was said or done. */
export type RecalledHit = {
  /** Opens the original: `sanbot show REF`. */
  readonly ref: string;
  readonly sessionId: string;
  readonly at: string;
  readonly kind: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly text: string;
};

/** The user's message that a rewind went back to, to be said in other words. */
export type AgentRewind = ContextRollback & { readonly text: string };

/** A session of SanBot. One thing at a time: what is asked while a turn runs rejects with `usage`. */
export type SanbotAgent = {
  readonly sessionId: string;
  /**
   * One turn, begun when its events are asked for. The last event is the `result`; a turn that failed throws its error after that. Leaving
   * the loop ends the turn in order, as the signal does.
   */
  readonly send: (input: AgentInput, options?: { readonly signal?: AbortSignal }) => AsyncGenerator<AgentEvent, void, undefined>;
  readonly compact: (options?: CompactOptions) => Promise<CompactionResult>;
  /** Takes back the newest change of the context, also an undo. Files stay as they are. Undefined where there is none. */
  readonly undo: () => ContextRollback | undefined;
  /** Back to right before a message of the user's: its number, from 1, or its id. Throws `not_found`. */
  readonly rewind: (message: number | string) => AgentRewind;
  /** Looks through everything that was ever said and seen in the home's sessions. */
  readonly recall: (query: string, options?: { readonly limit?: number; readonly signal?: AbortSignal }) => Promise<readonly RecalledHit[]>;
  readonly context: () => AgentContext;
  /** Ends the session in order; it can be gone on with by its id. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Rejects with `config_invalid`, `not_found` for a session, `session_locked` for one that is open elsewhere, and `model_key`. */
export type CreateAgent = (settings?: AgentSettings) => Promise<SanbotAgent>;
