import { MAX_TODO_CHARS, MAX_TODO_ITEM_CHARS, MAX_TODO_ITEMS, type TodoItem } from '../../domain/session/ledger.ts';
import { quoteLine } from '../text/quote.ts';

/** The forms in which a plan lists its steps, the plainest first. What is nested belongs to the step above it. */
const STEPS: readonly RegExp[] = [
  /^ {0,1}[-*+] \[[ xX]\] +(.+)$/,
  /^ {0,1}\d{1,3}[.)] +(.+)$/,
  /^#{2,4} +(?:\d{1,3}[.)]? +|(?:step|phase) *\w{1,4} *[:.] *|第.{1,3}步 *[:：、]? *)(.+)$/i,
  /^ {0,1}[-*+] +(.+)$/,
  /^#{1,4} +(.+)$/,
];

/** The steps of a plan as a task list; the whole plan is one where it has none. */
export function planItems(plan: string): readonly TodoItem[] {
  const lines = plan.replace(/^ {0,3}(```|~~~)[\s\S]*?^ {0,3}\1.*$/gm, '').split('\n');
  const steps = STEPS.map((form) => lines.flatMap((line) => form.exec(line)?.[1] ?? [])).find((found) => found.length > 0);
  const texts = (steps ?? lines.filter((line) => line.trim() !== '').slice(0, 1)).map((text) =>
    quoteLine(text.replace(/\*\*|__|`/g, '').trim(), MAX_TODO_ITEM_CHARS),
  );
  const items: TodoItem[] = [];
  let chars = 0;
  for (const text of texts.filter((each) => each !== '')) {
    chars += text.length;
    if (chars > MAX_TODO_CHARS || items.length === MAX_TODO_ITEMS) break;
    items.push({ text, status: 'pending' });
  }
  return items;
}
