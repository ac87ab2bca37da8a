import { z } from 'zod';

export const todoStatuses = ['pending', 'in_progress', 'done'] as const;

/** One item of the task list that the model keeps. */
export const todoItemSchema = z.object({ text: z.string(), status: z.enum(todoStatuses) });
export type TodoItem = Readonly<z.infer<typeof todoItemSchema>>;

/** So that the list can be carried word for word in any window that a conversation fits in. */
export const MOST_TODO_ITEMS = 30;
export const MOST_TODO_ITEM_CHARS = 200;
export const MOST_TODO_CHARS = 2_000;
