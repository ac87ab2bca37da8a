import type { PermissionMode } from '../../domain/permission.ts';
import { planRoad } from '../../domain/session/called-tool.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { MAX_TODO_CHARS, MAX_TODO_ITEM_CHARS, MAX_TODO_ITEMS, type TodoItem } from '../../domain/session/ledger.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
import { quoteLine } from '../text/quote.ts';

const MODE_NOTICE = 'mode';

/** What the model has to be told of the permission mode; undefined when it knows, or plan mode has never been on. */
export function modeNotice(
  mode: PermissionMode,
  { messages, tools }: Pick<SessionContext, 'messages' | 'tools'>,
): Pick<Message, 'notice' | 'content'> | undefined {
  const latest = messages.findLast(({ notice }) => notice === MODE_NOTICE);
  if (mode !== 'plan' && latest === undefined) return undefined;
  const text = mode === 'plan' ? onText(planRoad(tools)) : `Plan mode is over. The permission mode is ${mode} now.`;
  const isOn = latest !== undefined && textOf(latest.content).startsWith(ON);
  if (mode === 'plan' ? isOn : !isOn) return undefined;
  return { notice: MODE_NOTICE, content: [{ type: 'text', text }] };
}

const ON = 'Plan mode is on.';

const onText = (road: string): string =>
  `${ON} Look, search, ask, and run what only reads; change nothing. When you know enough, hand your plan in, whole, in Markdown, with numbered steps: by ${road}. The user reads it, may change it, and says yes or no; only a yes ends plan mode.`;

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
