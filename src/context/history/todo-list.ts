import { MAX_TODO_CHARS, MAX_TODO_ITEM_CHARS, MAX_TODO_ITEMS, type TodoItem } from '../../domain/session/ledger.ts';
import { isToolResult, isToolUse, type Message, resultText } from '../../domain/session/message.ts';
import { type Fields, isObject } from '../../domain/value/json.ts';
import { quoteLine } from '../text/sentences.ts';

/** The kind of the notice that carries the task list when the call that stated it has been removed. */
export const TODO_NOTICE = 'todo';

/**
 * The task list as of these messages: that of the newest successful call, notice or summary, with later changes of single tasks. Undefined
 * when there never was one; `earlier` is the list before the messages.
 */
export function todoListIn(messages: readonly Message[], earlier?: readonly TodoItem[]): readonly TodoItem[] | undefined {
  const whole = newestWholeList(messages);
  return taskChangesIn(messages.slice((whole?.at ?? -1) + 1)).reduce<readonly TodoItem[] | undefined>(
    (items, change) => changeTask(items ?? [], change),
    whole?.items ?? earlier,
  );
}

function newestWholeList(messages: readonly Message[]) {
  const succeededIds = new Set<string>();
  const ranInputs = new Map<string, unknown>();
  for (const [at, message] of [...messages.entries()].toReversed()) {
    if (message.todo !== undefined) return { items: message.todo, at };
    if (message.summary?.ledger.todo !== undefined) return { items: message.summary.ledger.todo, at };
    for (const block of message.content) if (isToolResult(block) && block.is_error !== true) succeededIds.add(block.tool_use_id);
    for (const { toolUseId, input } of message.ran ?? []) ranInputs.set(toolUseId, input);
    const lastCall = message.content.findLast((block) => isToolUse(block) && isTodoTool(String(block.name)) && succeededIds.has(block.id));
    const items = lastCall === undefined ? undefined : parseTodoItems(ranInputs.get(String(lastCall.id)) ?? lastCall.input);
    if (items !== undefined) return { items, at };
  }
  return undefined;
}

type TaskChange = { readonly id: string; readonly text?: string | undefined; readonly status: TodoItem['status'] | 'deleted' | undefined };

/** Other agents make and change tasks one by one. A task has its number, by which later calls name it, before its text. */
function taskChangesIn(messages: readonly Message[]): readonly TaskChange[] {
  const made = new Map<string, { readonly name: string; readonly input: Fields }>();
  return messages.flatMap(({ content }) =>
    content.flatMap((block): readonly TaskChange[] => {
      if (isToolUse(block) && /^Task(?:Create|Update)$/.test(String(block.name)))
        made.set(block.id, { name: String(block.name), input: isObject(block.input) ? block.input : {} });
      const call = isToolResult(block) && block.is_error !== true ? made.get(block.tool_use_id) : undefined;
      if (call === undefined || !isToolResult(block)) return [];
      const id = call.name === 'TaskCreate' ? /#(\d{1,6})\b/.exec(resultText(block))?.[1] : String(call.input.taskId ?? '');
      const { subject: text, status } = call.input;
      if (id === undefined || id === '') return [];
      const known = status === 'deleted' ? status : status === undefined ? undefined : statusOf(status);
      return [{ id, text: typeof text === 'string' ? text : undefined, status: known }];
    }),
  );
}

function changeTask(items: readonly TodoItem[], { id, text, status }: TaskChange): readonly TodoItem[] {
  const at = items.findIndex((item) => item.text.startsWith(`#${id} `));
  const known = items[at];
  if (status === 'deleted') return items.filter((item) => item !== known);
  const label = text === undefined ? known?.text : quoteLine(`#${id} ${text}`, MAX_TODO_ITEM_CHARS);
  if (label === undefined) return items;
  const item = { text: label, status: status ?? known?.status ?? 'pending' };
  // A list that is worked on for long keeps what is open.
  const room = items.length < MAX_TODO_ITEMS ? items : items.filter((each) => each.status !== 'done').slice(1 - MAX_TODO_ITEMS);
  return known === undefined ? [...room, item] : items.with(at, item);
}

const isTodoTool = (name: string): boolean => ['todo', 'todowrite', 'updateplan'].includes(name.toLowerCase().replace(/[^a-z]/g, ''));

/** Whatever the list and its fields are called: other agents use other names. Undefined when there is no list. */
function parseTodoItems(input: unknown): readonly TodoItem[] | undefined {
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
  if (!isObject(item)) return undefined;
  const text = item.text ?? item.content ?? item.step ?? item.title ?? item.task;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return { text: quoteLine(text, MAX_TODO_ITEM_CHARS), status: statusOf(item.status ?? item.state ?? item.done ?? item.completed) };
}

function statusOf(status: unknown): TodoItem['status'] {
  if (status === true) return 'done';
  if (typeof status !== 'string') return 'pending';
  if (/done|complet|cancel/i.test(status)) return 'done';
  return /progress|active|doing/i.test(status) ? 'in_progress' : 'pending';
}

const CHECKBOXES: Readonly<Record<TodoItem['status'], string>> = { done: '[x]', in_progress: '[>]', pending: '[ ]' };

/** Returns the list as shown in a summary or a notice: what is worked on, what is open, how much is done; empty when nothing is left to do. */
export function todoText(items: readonly TodoItem[] | undefined): string {
  const linesOf = (wanted: TodoItem['status']): readonly string[] =>
    (items ?? []).flatMap(({ text, status }) => (status === wanted ? [`- ${CHECKBOXES[status]} ${text}`] : []));
  const open = [...linesOf('in_progress'), ...linesOf('pending')];
  if (open.length === 0) return '';
  const done = linesOf('done').length;
  return [
    '## Task list',
    '',
    'As you last stated it with todo ([x] done, [>] in progress, [ ] to do); a later call replaces it.',
    ...open,
    ...(done === 0 ? [] : [`- [x] ${done} done`]),
  ].join('\n');
}

export const openTasks = (items: readonly TodoItem[] | undefined): readonly string[] =>
  (items ?? []).flatMap(({ text, status }) => (status === 'done' ? [] : [text]));

export const todoNotice = (items: readonly TodoItem[], { id, at }: Pick<Message, 'id' | 'at'>): Message => ({
  id,
  at,
  role: 'user',
  origin: 'notice',
  notice: TODO_NOTICE,
  todo: items,
  content: [{ type: 'text', text: todoText(items) }],
});
