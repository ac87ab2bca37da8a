import { z } from 'zod';

export const todoStatuses = ['pending', 'in_progress', 'done'] as const;

export const todoItemSchema = z.object({ text: z.string(), status: z.enum(todoStatuses) });

export type TodoItem = Readonly<z.infer<typeof todoItemSchema>>;
/** Limits that let the list be carried word for word in any window that a conversation fits in. */
export const MAX_TODO_ITEMS = 30;
export const MAX_TODO_ITEM_CHARS = 200;
export const MAX_TODO_CHARS = 2000;

/** What was done for a request that is not finished. */
const progressSchema = z.object({
  files: z.array(z.string()),
  /** Commands by how they ended last. */
  worked: z.array(z.string()),
  failed: z.array(z.string()),
  /** What the model said last that it would do. */
  next: z.string().optional(),
});

export type Progress = Readonly<z.infer<typeof progressSchema>>;

/** Facts extracted by rule from what leaves the context, in the order of first mention; a later outcome replaces an earlier one. */
export const ledgerSchema = z.object({
  filesRead: z.array(z.string()),
  filesModified: z.array(z.string()),
  /** The command, and the first line of its output that states the error. */
  failedCommands: z.array(z.object({ command: z.string(), error: z.string() })),
  /** What the user said must or must not be, verbatim. */
  constraints: z.array(z.string()),
  decisions: z.array(z.string()),
  /** Names, numbers, hashes and addresses that must not be reworded. */
  identifiers: z.array(z.string()),
  /** What was carried out, not merely asked for. */
  done: z.array(z.string()),
  /** What the user put off, what the newest reply says remains, and a question or a refusal that nobody has answered. */
  open: z.array(z.string()),
  /** Where a full text can be read again: the path of an offloaded body, and what it was. */
  bodies: z.array(z.object({ path: z.string(), what: z.string() })),
  /** What the work is for, in the user's words: its first statement, then the later ones; ledgers of older versions have none. */
  purpose: z.array(z.string()).readonly().optional(),
  /** What the user asked compactions to keep, in the user's words; ledgers of older versions have none. */
  asked: z.array(z.string()).readonly().optional(),
  /** Skills that were read; ledgers of older versions have none. */
  skills: z.array(z.string()).readonly().optional(),
  /** Files that were deleted in the end; ledgers of older versions have them among the modified ones. */
  filesDeleted: z.array(z.string()).readonly().optional(),
  /** Which of the identifiers stand in which edited file; ledgers of older versions have none. */
  symbols: z
    .array(z.object({ file: z.string(), names: z.array(z.string()) }))
    .readonly()
    .optional(),
  /** Decisions that no longer hold, so that no line of an earlier summary tells of them; ledgers of older versions have none. */
  overruled: z.array(z.string()).readonly().optional(),
  /** Of the decisions, what the model chose by itself: only that may it give up by itself; ledgers of older versions have none. */
  chosen: z.array(z.string()).readonly().optional(),
  /** What was done for the newest request while it was not finished; ledgers of older versions have none. */
  progress: progressSchema.optional(),
  /** What the newest request answers, where that left the context and the request is nothing without it, in lines of a quotation. */
  proposal: z.string().optional(),
  /** The model's own task list as last stated, until all of it is done; ledgers of older versions have none. */
  todo: z.array(todoItemSchema).readonly().optional(),
});

export type Ledger = Readonly<z.infer<typeof ledgerSchema>>;

export const emptyLedger: Ledger = {
  filesRead: [],
  filesModified: [],
  failedCommands: [],
  constraints: [],
  decisions: [],
  identifiers: [],
  done: [],
  open: [],
  bodies: [],
};
