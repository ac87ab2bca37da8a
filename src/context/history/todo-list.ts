import { MAX_TODO_CHARS, MAX_TODO_ITEM_CHARS, MAX_TODO_ITEMS, type TodoItem } from '../../domain/session/ledger.ts';
import { isToolResult, isToolUse, type Message } from '../../domain/session/message.ts';
import { quoteLine } from '../text/quote.ts';

/** The kind of the notice that carries the task list when the call that stated it has been removed. */
export const TODO_NOTICE = 'todo';

/**
 * Returns the task list as of these messages: from the newest successful call or notice, else from the summary among them. Undefined when
 * there never was one; empty when it was emptied.
 */
export function todoListIn(messages: readonly Message[]): readonly TodoItem[] | undefined {
  const succeededIds = new Set<string>();
  const ranInputs = new Map<string, unknown>();
  for (const message of messages.toReversed()) {
    if (message.todo !== undefined) return message.todo;
    if (message.summary?.ledger.todo !== undefined) return message.summary.ledger.todo;
    for (const block of message.content) if (isToolResult(block) && block.is_error !== true) succeededIds.add(block.tool_use_id);
    for (const { toolUseId, input } of message.ran ?? []) ranInputs.set(toolUseId, input);
    const lastCall = message.content.findLast((block) => isToolUse(block) && isTodoTool(String(block.name)) && succeededIds.has(block.id));
    const items = lastCall === undefined ? undefined : parseTodoItems(ranInputs.get(String(lastCall.id)) ?? lastCall.input);
    if (items !== undefined) return items;
  }
  return undefined;
}

const isTodoTool = (name: string): boolean => ['todo', 'todowrite', 'updateplan'].includes(name.toLowerCase().replace(/[^a-z]/g, ''));

/**
 * Returns the items of a list, whatever the list and its fields are called (other agents use other names); undefined when there is no list.
 */
export function parseTodoItems(input: unknown): readonly TodoItem[] | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const list: unknown = Object.values(input).find(Array.isArray);
  if (!Array.isArray(list)) return undefined;
  let remainingChars = MAX_TODO_CHARS;
  return list.slice(0, MAX_TODO_ITEMS).flatMap((item: unknown): readonly TodoItem[] => {
    const todoItem = parseItem(item);
    remainingChars -= todoItem?.text.length ?? 0;
    return todoItem === undefined || remainingChars < 0 ? [] : [todoItem];
  });
}

function parseItem(item: unknown): TodoItem | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(item));
  const text = fields.get('text') ?? fields.get('content') ?? fields.get('step') ?? fields.get('title') ?? fields.get('task');
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const status = fields.get('status') ?? fields.get('state') ?? fields.get('done') ?? fields.get('completed');
  return { text: quoteLine(text, MAX_TODO_ITEM_CHARS), status: statusOf(status) };
}

function statusOf(status: unknown): TodoItem['status'] {
  if (status === true) return 'done';
  if (typeof status !== 'string') return 'pending';
  if (/done|complet|cancel/i.test(status)) return 'done';
  return /progress|active|doing/i.test(status) ? 'in_progress' : 'pending';
}

const CHECKBOXES: Readonly<Record<TodoItem['status'], string>> = { done: '[x]', in_progress: '[>]', pending: '[ ]' };

/** One line per item. */
export const todoLines = (items: readonly TodoItem[]): readonly string[] =>
  items.map(({ text, status }) => `- ${CHECKBOXES[status]} ${text}`);

/** Returns the list as shown in a summary or a notice; empty when there is nothing left to do. */
export function todoText(items: readonly TodoItem[] | undefined): string {
  if (items === undefined || items.every(({ status }) => status === 'done')) return '';
  return [
    '## Task list',
    '',
    'As you last stated it with todo ([x] done, [>] in progress, [ ] to do); a later call replaces it.',
    ...todoLines(items),
  ].join('\n');
}

/** The message that carries a list whose own call has been removed. */
export const todoNotice = (items: readonly TodoItem[], { id, at }: Pick<Message, 'id' | 'at'>): Message => ({
  id,
  at,
  role: 'user',
  origin: 'notice',
  notice: TODO_NOTICE,
  todo: items,
  content: [{ type: 'text', text: todoText(items) }],
});
