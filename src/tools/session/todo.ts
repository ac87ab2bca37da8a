/**
 * Tools that work on the session and on the person, and touch no file of the project: the task list, questions, memories and what was said
 * before.
 *
 * The task list lives in the conversation itself, in the input of its newest call. Memories and earlier texts are the runtime's, which hands
 * in functions for them; so is the person who is asked.
 *
 * None of these needs a permission. What they write is the user's own memory, shown at once, and the user can take it back.
 */

import { z } from 'zod';
import type { Bilingual } from '../../domain/language.ts';
import { MAX_TODO_CHARS, MAX_TODO_ITEM_CHARS, MAX_TODO_ITEMS, type TodoItem, todoStatuses } from '../../domain/session/ledger.ts';
import { visibleLine } from '../place/visible.ts';
import { defineTool, quantity, readPlan } from '../tool.ts';

const inputSchema = z.strictObject({
  items: z
    .array(
      z.strictObject({
        text: z.string().min(1).max(MAX_TODO_ITEM_CHARS),
        status: z.enum(todoStatuses).optional().describe('pending when left out.'),
      }),
    )
    .max(MAX_TODO_ITEMS)
    .describe('The whole list.'),
});

/** The list is the input of the newest call: it is kept where the conversation is, so that a rollback or a fork has its own. */
export const todoTool = defineTool('todo', inputSchema, async ({ items }) => {
  const chars = items.reduce((sum, { text }) => sum + text.length, 0);
  if (chars > MAX_TODO_CHARS)
    return {
      en: `the list has ${chars} characters, at most ${MAX_TODO_CHARS} are possible; say it shorter, or leave out what is done`,
      zh: `列表有 ${chars} 个字符，最多 ${MAX_TODO_CHARS} 个；请写短一些，或去掉已完成的项`,
    };
  const list = items.map(({ text, status = 'pending' }) => ({ text, status }));
  const note = progressText(list);
  const content = list.length === 0 ? 'The list is empty now.' : `Noted: ${note.en}.`;
  return readPlan(titleOf(list), async () => ({ ok: true, content, note, todo: list }));
});

/** Returns what is being done now, or what comes next. */
function titleOf(items: readonly TodoItem[]): string {
  const now = items.find(({ status }) => status === 'in_progress') ?? items.find(({ status }) => status === 'pending');
  return now === undefined ? 'todo' : `todo ${visibleLine(now.text, 120)}`;
}

function progressText(items: readonly TodoItem[]): Bilingual {
  const done = items.filter(({ status }) => status === 'done').length;
  if (items.length === 0) return { en: 'no items', zh: '没有任务' };
  return { en: `${done} of ${quantity(items.length, 'item')} done`, zh: `${items.length} 项中完成 ${done} 项` };
}
