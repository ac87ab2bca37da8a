// sanbot/context: SanbotError, countTokens, createContext, limitsOfWindow, checkContext, cutMessages, offloadMessages, gatherLedger, summariseByRule, compactMessages
// sanbot: SanbotError, createAgent

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** A block in the form of the Messages API: `text`, `tool_use`, `tool_result`, `image`, …. Unknown types pass through as they are. */
export type MessageBlock = { readonly type: string; readonly [field: string]: unknown };

/** Tokens that a provider reported for one request and its reply. */
export type TokenUsage = {
  /** Without those that were read from a cache or written to one. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
};

export type InputMessage = {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly MessageBlock[];
  /** Of a reply: what the provider reported for it. Counts then begin with it instead of an estimate. */
  readonly usage?: TokenUsage;
  /** Of a reply: the API's own word, as `end_turn`, `tool_use` or `max_tokens`. */
  readonly stopReason?: string;
};

/** A message as the Messages API takes it: calls and results are paired, and the roles alternate. */
export type OutputMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly MessageBlock[] };

/** A tool as the model is told of it; `inputSchema` is a JSON Schema. */
export type ToolDescription = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
};

/** A request that fits the window. */
export type ContextRequest = {
  /** The system prompt, and after it the short-term summary once there is one. */
  readonly system: readonly string[];
  readonly tools: readonly ToolDescription[];
  readonly messages: readonly OutputMessage[];
  readonly maxOutputTokens: number;
};

/**
 * Writes a summary with a model: sends the request as it is and resolves with the text of the reply. A failure is told in an event, and
 * the summary is then made by rule.
 */
export type Summarise = (request: ContextRequest, signal: AbortSignal) => Promise<string>;

/**
 * Where a context keeps what leaves it, by names of its own: a `Map` is one. Each call has to be done when it returns. What is thrown by
 * `set` ends what was asked for, with the context as it was.
 */
export type ContextStore = {
  readonly get: (key: string) => string | undefined;
  readonly set: (key: string, text: string) => unknown;
  /** Of what is not needed any more; a store that keeps it all may do nothing here. */
  readonly delete: (key: string) => unknown;
  readonly keys: () => Iterable<string>;
};

export type ContextSettings = {
  /** What the model's window holds, input and output together. */
  readonly windowTokens: number;
  /** What one reply may take; 8,192 where it is left out. */
  readonly maxOutputTokens?: number;
  readonly system?: string;
  readonly tools?: readonly ToolDescription[];
  /** Left out, summaries are made by rule. */
  readonly summarise?: Summarise;
  /** Sections `compaction`, `offload`, `pruning` and `memory` as in the settings file. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The working folder, from which paths in a ledger are told. */
  readonly cwd?: string;
  /** Left out: in memory. A store that holds a conversation goes on with it, and `messages` come after it. */
  readonly store?: ContextStore;
  readonly messages?: readonly InputMessage[];
  /** The tokens of a text; left out: those of o200k_base. A factor that is learned from reported usage turns them into the model's. */
  readonly countTokens?: (text: string) => number;
  readonly onEvent?: (event: StreamEvent) => void;
};

/** How full a context is. */
export type CompactionCheck = {
  /** True above the soft threshold. */
  readonly shouldCompact: boolean;
  readonly currentTokens: number;
  /** The hard threshold when that is passed, else the soft one. */
  readonly threshold: number;
  /** `hard`: the next request makes room by itself. */
  readonly urgency: 'none' | 'soft' | 'hard';
};

export type CompactOptions = {
  /** What the summary has to keep, in words. */
  readonly instructions?: string;
  /** Tokens of the summary with its ledger. */
  readonly targetTokens?: number;
  /** Messages that stay as they are. */
  readonly preserveCount?: number;
  /** Shows what would come of it, and changes nothing. */
  readonly preview?: boolean;
  readonly signal?: AbortSignal;
};

export type CompactionResult =
  | {
      /** `previewed`: nothing has changed, and `snapshotId` is empty. */
      readonly kind: 'compacted' | 'previewed';
      readonly compactedMessages: readonly OutputMessage[];
      /** Its sections, without the ledger. */
      readonly summary: string;
      /** `rules_degraded`: no model made it although one was to. */
      readonly method: string;
      readonly originalCount: number;
      readonly retainedCount: number;
      readonly tokensBeforeCompaction: number;
      readonly tokensAfterCompaction: number;
      readonly snapshotId: string;
    }
  /** Too short, or a summary would be no smaller; nothing has changed. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly why: string };

/** The whole context as it was before a change. */
export type ContextSnapshot = {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly reason: string;
  readonly messages: number;
  readonly tokens: number;
};

/** A way back: `undoId` is the snapshot of what was there until then. */
export type ContextRollback = { readonly restoredId: string; readonly undoId: string; readonly messages: number; readonly tokens: number };

/** One conversation. Everything but `request` and `compact` is done when the call returns. */
export type Context = {
  /**
   * Adds messages. A result of a tool that is too large goes to the store at once, with a stub in its place. Throws `store_failed`, with
   * the context as it was before the message that could not be stored.
   */
  readonly add: (...messages: readonly InputMessage[]) => void;
  /**
   * Makes room where it is needed (old results to the store, then a compaction, at last what is oldest) and resolves with the next request.
   * Rejects with `context_cannot_fit`, and with `usage` while the last message is not the user's or a call has no result.
   */
  readonly request: (signal?: AbortSignal) => Promise<ContextRequest>;
  /** Makes a smaller context after the model refused the last request as too long. Rejects with `context_cannot_fit` when it cannot. */
  readonly overflowed: (limitTokens?: number, signal?: AbortSignal) => Promise<void>;
  readonly check: () => CompactionCheck;
  /** Replaces older messages by a summary and a ledger. Rejects with `interrupted` when the signal aborts. */
  readonly compact: (options?: CompactOptions) => Promise<CompactionResult>;
  /** Takes the last change back: a compaction, a rollback, or an undo. Undefined where there is none. */
  readonly undo: () => ContextRollback | undefined;
  /** Oldest first. */
  readonly snapshots: () => readonly ContextSnapshot[];
  /** Throws `not_found` with ids that are like it, and `store_damaged` where the snapshot is not what was written. */
  readonly rollBack: (snapshotId: string) => ContextRollback;
  /** The whole text that a stub stands for, by the path that it names. */
  readonly read: (path: string) => string | undefined;
};

/** What `offload` makes of messages: `texts` has by path what the stubs stand for. */
export type OffloadedMessages = {
  readonly messages: readonly OutputMessage[];
  readonly texts: ReadonlyMap<string, string>;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
};

/** Facts taken from messages by rule, word for word. */
export type FactLedger = {
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
  readonly failedCommands: readonly { readonly command: string; readonly error: string }[];
  readonly constraints: readonly string[];
  readonly decisions: readonly string[];
  readonly identifiers: readonly string[];
  readonly done: readonly string[];
  readonly open: readonly string[];
};

/** The thresholds for one window, in tokens. */
export type ContextLimits = {
  readonly windowTokens: number;
  readonly reserveTokens: number;
  readonly softTokens: number;
  readonly hardTokens: number;
  readonly keepTokens: number;
  readonly keepMessages: number;
  readonly summaryTokens: number;
  readonly ledgerTokens: number;
  /** A longer result does not enter the context. */
  readonly resultChars: number;
};

/** `index`: the first message that would stay. */
export type ContextCut = { readonly kind: 'cut'; readonly index: number } | { readonly kind: 'cannot'; readonly why: string };

/** Settings of a context, where the messages come by themselves. */
export type PlainSettings = Omit<ContextSettings, 'messages' | 'store'>;

type OfMessages<Result, Options = PlainSettings> = (messages: readonly InputMessage[], settings: Options) => Promise<Result>;

export type CountText = (text: string) => number;
/** Rejects with `config_invalid`, and with `store_damaged` for a store that cannot be read. */
export type CreateContext = (settings: ContextSettings) => Promise<Context>;
/** The thresholds of a window, beside this system prompt and these tools. */
export type LimitsOfWindow = (settings: PlainSettings) => Promise<ContextLimits>;
export type CheckContext = OfMessages<CompactionCheck>;
/** Where a compaction would cut: calls stay with their results. */
export type CutMessages = OfMessages<ContextCut>;
/** Every result but the newest becomes a stub. */
export type OffloadMessages = OfMessages<OffloadedMessages>;
/** The facts of messages, and the text that stands for them in a context. */
export type GatherLedger = OfMessages<{ readonly facts: FactLedger; readonly text: string }>;
export type SummariseByRule = OfMessages<string, PlainSettings & Pick<CompactOptions, 'instructions'>>;
/** One compaction that nothing remembers; of a conversation that goes on, a context keeps the ledger and the ways back. */
export type CompactMessages = OfMessages<CompactionResult, PlainSettings & Omit<CompactOptions, 'preview'>>;

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

/** An event as `stream-json` has it; docs/commands.md says what each means. */
export type StreamEvent =
  | { readonly type: 'session_started'; readonly resumed: boolean; readonly model: string; readonly windowTokens: number; readonly windowAssumed: boolean; readonly sessionId: string; readonly schema: 1 }
  | { readonly type: 'instructions_read'; readonly files: readonly ({ readonly path: string; readonly chars: number; readonly cut: boolean })[] }
  | { readonly type: 'turn_started' }
  | { readonly type: 'request'; readonly purpose: 'turn' | 'summary'; readonly tokens: number; readonly windowTokens: number }
  | { readonly type: 'retrying'; readonly why: string; readonly attempt: number; readonly waitMs: number }
  | { readonly type: 'reply'; readonly stopReason: string; readonly usage?: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number; readonly cacheWrite1hTokens?: number | undefined } | undefined; readonly costUsd?: number | undefined; readonly prefix?: { readonly changed: string; readonly missedTokens: number; readonly planned: boolean } | undefined; readonly text: string }
  | { readonly type: 'tool_started'; readonly toolUseId: string; readonly tool: string; readonly title: string }
  | { readonly type: 'tool_ended'; readonly toolUseId: string; readonly tool: string; readonly ok: boolean; readonly denied: boolean; readonly bytes: number; readonly ms: number; readonly note: string; readonly diff?: { readonly path: string; readonly added: number; readonly removed: number; readonly text: string } | undefined; readonly todo?: readonly ({ readonly text: string; readonly status: string })[] | undefined }
  | { readonly type: 'file_attached'; readonly path: string; readonly note: string; readonly stored: boolean }
  | { readonly type: 'offloaded'; readonly when: 'arrival' | 'pressure' | 'voluntary'; readonly results: readonly ({ readonly toolUseId: string; readonly tool: string; readonly path: string; readonly bytes: number })[]; readonly tokensBefore: number; readonly tokensAfter: number }
  | { readonly type: 'pruned'; readonly trimmed: number; readonly cleared: number; readonly tokensBefore: number; readonly tokensAfter: number }
  | { readonly type: 'context_high'; readonly reasons: readonly ('messages' | 'tokens' | 'tool_output' | 'overflow')[]; readonly tokens: number; readonly softTokens: number; readonly hardTokens: number }
  | { readonly type: 'compaction_started'; readonly trigger: 'auto' | 'manual' | 'overflow'; readonly reasons: readonly ('messages' | 'tokens' | 'tool_output' | 'overflow')[]; readonly tokens: number; readonly messages: number }
  | { readonly type: 'compacted'; readonly usage: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number; readonly cacheWrite1hTokens?: number | undefined }; readonly costUsd?: number | undefined; readonly trigger: 'auto' | 'manual' | 'overflow'; readonly method: 'model' | 'edited' | 'rules' | 'rules_degraded' | 'hook' | 'server'; readonly snapshotId: string; readonly tokensBefore: number; readonly tokensAfter: number; readonly messagesBefore: number; readonly messagesKept: number; readonly bodiesRetired: number; readonly memoriesAdded: number; readonly ms: number }
  | { readonly type: 'compaction_checked'; readonly snapshotId: string; readonly inContext: number; readonly oneLookUp: number; readonly lost: number }
  | { readonly type: 'nothing_to_compact'; readonly messages: number; readonly tokens: number }
  | { readonly type: 'compaction_failed'; readonly trigger: 'auto' | 'manual' | 'overflow'; readonly why: string; readonly usage?: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number; readonly cacheWrite1hTokens?: number | undefined } | undefined; readonly costUsd?: number | undefined }
  | { readonly type: 'compaction_cancelled'; readonly trigger: 'auto' | 'manual' | 'overflow'; readonly usage?: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number; readonly cacheWrite1hTokens?: number | undefined } | undefined; readonly costUsd?: number | undefined }
  | { readonly type: 'compaction_discarded'; readonly trigger: 'auto' | 'manual' | 'overflow'; readonly why?: string | undefined; readonly usage: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number; readonly cacheWrite1hTokens?: number | undefined }; readonly costUsd?: number | undefined }
  | { readonly type: 'summary_prepared'; readonly messages: number; readonly ms: number; readonly usage: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number; readonly cacheWrite1hTokens?: number | undefined }; readonly costUsd?: number | undefined }
  | { readonly type: 'summary_dropped'; readonly why: string; readonly usage: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number; readonly cacheWrite1hTokens?: number | undefined }; readonly costUsd?: number | undefined }
  | { readonly type: 'snapshot_written'; readonly snapshotId: string; readonly reason: string; readonly messages: number; readonly tokens: number; readonly bytes: number }
  | { readonly type: 'memory_extracted'; readonly decisions: number; readonly facts: number; readonly preferences: number; readonly runtime: number; readonly usage?: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number; readonly cacheWrite1hTokens?: number | undefined } | undefined; readonly costUsd?: number | undefined }
  | { readonly type: 'trimmed'; readonly messages: number; readonly tokensBefore: number; readonly tokensAfter: number; readonly snapshotId: string }
  | { readonly type: 'window_slid'; readonly dropped: number; readonly tokensBefore: number; readonly tokensAfter: number; readonly snapshotId: string }
  | { readonly type: 'overflow'; readonly attempt: number; readonly limitTokens?: number | undefined; readonly sentTokens?: number | undefined }
  | { readonly type: 'rolled_back'; readonly snapshotId: string; readonly undoId: string; readonly messages: number; readonly tokensBefore: number; readonly tokensAfter: number }
  | { readonly type: 'rewound'; readonly messageId: string; readonly undoId: string; readonly messages: number; readonly tokensBefore: number; readonly tokensAfter: number }
  | { readonly type: 'memory_superseded'; readonly superseded: number; readonly restored: number }
  | { readonly type: 'rollback_failed'; readonly snapshotId: string; readonly why: string }
  | { readonly type: 'cleared'; readonly snapshotId: string; readonly messages: number }
  | { readonly type: 'model_changed'; readonly model: string; readonly windowTokens: number; readonly windowAssumed: boolean }
  | { readonly type: 'hook_ran'; readonly hook: 'PreCompact' | 'PostCompact' | 'SessionStart' | 'SessionEnd' | 'UserPromptSubmit' | 'PreToolUse' | 'PostToolUse' | 'Stop' | 'Notification'; readonly command: string; readonly ok: boolean; readonly note: string; readonly ms: number }
  | { readonly type: 'helper_started'; readonly helper: string; readonly task: string; readonly continued: boolean }
  | { readonly type: 'helper_step'; readonly helper: string; readonly usage?: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number; readonly cacheWrite1hTokens?: number | undefined } | undefined; readonly costUsd?: number | undefined; readonly prefix?: { readonly changed: string; readonly missedTokens: number; readonly planned: boolean } | undefined }
  | { readonly type: 'helper_called'; readonly helper: string; readonly tool: string; readonly title: string; readonly reads: boolean; readonly ok: boolean; readonly denied: boolean; readonly bytes: number; readonly ms: number; readonly note: string }
  | { readonly type: 'helper_ended'; readonly helper: string; readonly stopReason: 'end_turn' | 'max_tokens' | 'refusal' | 'interrupted' | 'max_steps' | 'loop' | 'max_cost' | 'max_seconds' | 'failed'; readonly steps: number; readonly totalUsd?: number | undefined; readonly ms: number }
  | { readonly type: 'jobs_ended'; readonly jobs: readonly ({ readonly name: string; readonly command: string })[] }
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'turn_ended'; readonly stopReason: 'end_turn' | 'max_tokens' | 'refusal' | 'interrupted' | 'max_steps' | 'loop' | 'max_cost' | 'max_seconds' | 'failed'; readonly code?: string | undefined; readonly steps: number; readonly usage: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number; readonly cacheWrite1hTokens?: number | undefined }; readonly costUsd?: number | undefined; readonly contextTokens?: number | undefined; readonly ms: number }
  | { readonly type: 'session_ended'; readonly messages: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_output'; readonly toolUseId: string; readonly lines: readonly (string)[]; readonly omitted: number; readonly from: 'start' | 'end'; readonly first?: number | undefined }
  | { readonly type: 'files_changed'; readonly toolUseId?: string | undefined; readonly note: string }
  | { readonly type: 'tool_progress'; readonly tool: string; readonly text: string }
  | { readonly type: 'sandbox'; readonly active: boolean; readonly why?: string | undefined }
  | { readonly type: 'compaction_step'; readonly step: 'snapshot' | 'archive' | 'memory' | 'summary' | 'commit'; readonly part: number; readonly parts: number };

/** The line that ends a turn in `stream-json`. */
export type ResultEvent = { readonly type: 'result'; readonly schema: 1; readonly sessionId: string; readonly result: string; readonly stopReason: 'end_turn' | 'max_tokens' | 'refusal' | 'interrupted' | 'max_steps' | 'loop' | 'max_cost' | 'max_seconds' | 'failed'; readonly steps: number; readonly usage: { readonly inputTokens: number; readonly cacheReadTokens: number; readonly cacheWriteTokens: number; readonly outputTokens: number }; readonly costUsd: number | null; readonly compactions: number; readonly offloads: number; readonly edits: readonly ({ readonly path: string; readonly added: number; readonly removed: number; readonly text: string })[]; readonly model?: string | undefined; readonly structured?: unknown | undefined; readonly denied: readonly ({ readonly tool: string; readonly title: string; readonly allow?: string | undefined })[]; readonly error?: { readonly code: string; readonly message: string; readonly hint: string; readonly exitCode: number } | undefined };

/** What all errors of the library are; docs/library.md says what each code means. */
export declare class SanbotError extends Error {
  readonly name: 'SanbotError';
  readonly code: 'internal' | 'usage' | 'config_invalid' | 'not_found' | 'model_key' | 'model_unreachable' | 'model_failed' | 'context_cannot_fit' | 'session_locked' | 'store_failed' | 'store_damaged' | 'refused' | 'steps_exhausted' | 'loop_detected' | 'cost_exhausted' | 'time_exhausted' | 'schema_unmet' | 'interrupted';
  /** A way out. */
  readonly hint: string;
}

export declare const countTokens: CountText;
export declare const createContext: CreateContext;
export declare const limitsOfWindow: LimitsOfWindow;
export declare const checkContext: CheckContext;
export declare const cutMessages: CutMessages;
export declare const offloadMessages: OffloadMessages;
export declare const gatherLedger: GatherLedger;
export declare const summariseByRule: SummariseByRule;
export declare const compactMessages: CompactMessages;
export declare const createAgent: CreateAgent;
