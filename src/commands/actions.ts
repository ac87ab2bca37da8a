import type { MemoryKind, StatementKind } from '../domain/memory/memory.ts';
import type { PermissionMode } from '../domain/permission.ts';
import type { RecallOptions } from '../domain/recall.ts';
import type { Policy } from '../replay/policy.ts';

/** What the command line asked for, checked in form only: whether a session or snapshot exists is the action's to find out. */
export type HomeOptions = {
  /** As typed after --home; undefined when not given. */
  readonly home: string | undefined;
};

export const outputFormats = ['text', 'json', 'stream-json'] as const;

export type OutputFormat = (typeof outputFormats)[number];

/** The tools that --allow may name. */
export const toolNames: readonly string[] = [
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search',
  'run_command',
  'recall',
  'remember',
  'todo',
];

export type ChatOptions = HomeOptions & {
  /** Undefined without --print. With it, `prompt` is undefined when it is to be read from stdin. */
  readonly print: { readonly prompt: string | undefined } | undefined;
  readonly outputFormat: OutputFormat;
  /** --continue: the session used last in this folder. Never together with `resume`. */
  readonly continueNewest: boolean;
  readonly resume: string | undefined;
  /** With `continueNewest` or `resume`: go on in a copy. */
  readonly fork: boolean;
  readonly model: string | undefined;
  readonly contextWindow: number | undefined;
  readonly maxSteps: number | undefined;
  readonly permissionMode: PermissionMode;
  /** Headless: tools that may run without asking. */
  readonly allow: readonly string[];
  readonly group: string | undefined;
};

export type CompactOptions = HomeOptions & {
  readonly session: string;
  /** Show what it would do, and ask. */
  readonly preview: boolean;
  readonly yes: boolean;
  readonly json: boolean;
  readonly instructions: string | undefined;
};

export type HistoryOptions = HomeOptions & {
  readonly session: string | undefined;
  /** Only this one, with its receipt. */
  readonly snapshot: string | undefined;
  readonly json: boolean;
};

export type RollbackOptions = HomeOptions & {
  /** A snapshot, the session whose newest change is to be undone, or a session and the number (from 1) or id of a message. */
  readonly to: { readonly snapshot: string } | { readonly lastOf: string } | { readonly session: string; readonly message: string };
  /** Whether files come back as well. */
  readonly files: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
};

export type ListMessagesOptions = HomeOptions & { readonly session: string; readonly json: boolean };

export type SessionsOptions = HomeOptions & { readonly json: boolean };

export type ShowSessionOptions = HomeOptions & { readonly session: string; readonly json: boolean };

export type RenameSessionOptions = HomeOptions & { readonly session: string; readonly title: string };

export type DeleteSessionOptions = HomeOptions & { readonly session: string; readonly yes: boolean };

export type SearchSessionsOptions = HomeOptions & { readonly text: string; readonly json: boolean };

export type EventsOptions = HomeOptions & {
  readonly session: string | undefined;
  readonly type: string | undefined;
  readonly since: Date | undefined;
  readonly follow: boolean;
  readonly json: boolean;
};

export type MetricsOptions = HomeOptions & {
  readonly session: string | undefined;
  readonly since: Date | undefined;
  readonly format: 'table' | 'json' | 'prometheus';
};

export type DemoOptions = { readonly keep: boolean };

export type DoctorOptions = HomeOptions & { readonly session: string | undefined; readonly repair: boolean; readonly json: boolean };

export const exportFormats = ['jsonl', 'md', 'html'] as const;

export type ExportFormat = (typeof exportFormats)[number];

export type ReportOptions = HomeOptions & {
  readonly session: string /** Undefined: a name of its own in the working folder. */;
  readonly html: string | undefined;
};

export type ExportOptions = HomeOptions & {
  readonly session: string;
  /** Undefined: what the file's name ends in, else jsonl. */
  readonly format: ExportFormat | undefined;
  /** Undefined for stdout. */
  readonly file: string | undefined;
};

export type ImportOptions = HomeOptions & { readonly file: string };

export type CleanOptions = HomeOptions & { readonly dryRun: boolean; readonly json: boolean };

export type PurgeOptions = HomeOptions & {
  /** The text, or "-" for stdin. */
  readonly match: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
};

export type SearchOptions = HomeOptions & RecallOptions & { readonly group: string | undefined; readonly json: boolean };

export type ShowOptions = HomeOptions & { readonly ref: string; readonly json: boolean };

type MemoryGroup = HomeOptions & { readonly group: string | undefined };

export type MemoryListOptions = MemoryGroup & { readonly kind: MemoryKind | undefined; readonly json: boolean };

export type MemoryShowOptions = MemoryGroup & { readonly id: string; readonly json: boolean };

export type MemoryAddOptions = MemoryGroup & { readonly text: string; readonly kind: StatementKind | undefined; readonly json: boolean };

export type MemoryForgetOptions = MemoryGroup & { readonly ids: readonly string[]; readonly json: boolean };

export type MemoryEditOptions = MemoryGroup & {
  /** The id of an entry, or a kind, for its whole file. */
  readonly what: string;
  /** Undefined: open the file in the user's editor. */
  readonly text: string | undefined;
};

export type MemoryUndoOptions = MemoryGroup & { readonly json: boolean };

export type MemoryReviewOptions = MemoryGroup;
export type ConsolidateOptions = MemoryGroup & {
  readonly model: string | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
};

export type ConfigOptions = HomeOptions & { readonly what: 'show' | 'path' | 'validate'; readonly json: boolean };

export type ReplayOptions = HomeOptions & {
  /** At least one, as typed. */
  readonly files: readonly string[];
  readonly windows: readonly number[];
  readonly policies: readonly Policy[];
  /** A folder that gets every request as it would be sent. */
  readonly requests: string | undefined;
  /** A home that gets every replayed session, to be looked into afterwards. */
  readonly keepHome: string | undefined;
  /** A file that gets the page with plots. */
  readonly html: string | undefined;
  readonly json: boolean;
};

/**
 * What the commands do. Each resolves with the exit code; a rejection is printed and gives its error's code.
 * Loaded only when a command runs, so that --help and --version stay light.
 */
export type Actions = {
  readonly chat: (options: ChatOptions) => Promise<number>;
  readonly compact: (options: CompactOptions) => Promise<number>;
  readonly history: (options: HistoryOptions) => Promise<number>;
  readonly rollback: (options: RollbackOptions) => Promise<number>;
  readonly listMessages: (options: ListMessagesOptions) => Promise<number>;
  readonly sessions: (options: SessionsOptions) => Promise<number>;
  readonly showSession: (options: ShowSessionOptions) => Promise<number>;
  readonly renameSession: (options: RenameSessionOptions) => Promise<number>;
  readonly deleteSession: (options: DeleteSessionOptions) => Promise<number>;
  readonly searchSessions: (options: SearchSessionsOptions) => Promise<number>;
  readonly search: (options: SearchOptions) => Promise<number>;
  readonly show: (options: ShowOptions) => Promise<number>;
  readonly events: (options: EventsOptions) => Promise<number>;
  readonly metrics: (options: MetricsOptions) => Promise<number>;
  readonly report: (options: ReportOptions) => Promise<number>;
  readonly demo: (options: DemoOptions) => Promise<number>;
  readonly doctor: (options: DoctorOptions) => Promise<number>;
  readonly exportSession: (options: ExportOptions) => Promise<number>;
  readonly importSession: (options: ImportOptions) => Promise<number>;
  readonly clean: (options: CleanOptions) => Promise<number>;
  readonly purge: (options: PurgeOptions) => Promise<number>;
  readonly memoryList: (options: MemoryListOptions) => Promise<number>;
  readonly memoryShow: (options: MemoryShowOptions) => Promise<number>;
  readonly memoryAdd: (options: MemoryAddOptions) => Promise<number>;
  readonly memoryForget: (options: MemoryForgetOptions) => Promise<number>;
  readonly memoryEdit: (options: MemoryEditOptions) => Promise<number>;
  readonly memoryReview: (options: MemoryReviewOptions) => Promise<number>;
  readonly memoryUndo: (options: MemoryUndoOptions) => Promise<number>;
  readonly consolidate: (options: ConsolidateOptions) => Promise<number>;
  readonly config: (options: ConfigOptions) => Promise<number>;
  readonly replay: (options: ReplayOptions) => Promise<number>;
};
