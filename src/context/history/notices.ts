import type { PermissionMode } from '../../domain/permission.ts';
import { planRoad } from '../../domain/session/called-tool.ts';
import type { Pin, SessionContext } from '../../domain/session/context.ts';
import { MAX_TODO_CHARS, MAX_TODO_ITEM_CHARS, MAX_TODO_ITEMS, type TodoItem } from '../../domain/session/ledger.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
import { quoteLine } from '../text/sentences.ts';
import { containsPin, insertAfterSummary, PINS_NOTICE, pinsNotice } from './pins.ts';
import { TODO_NOTICE, todoListIn, todoNotice, todoText } from './todo-list.ts';

/** Removed notices that still hold (pins apart): the newest of each kind of which none is kept. */
export function activeNotices(removed: readonly Message[], kept: readonly Message[]): readonly Message[] {
  const keptKinds = new Set(kept.map(({ notice }) => notice));
  const notices = removed.filter(({ notice }) => notice !== undefined && notice !== PINS_NOTICE && !keptKinds.has(notice));
  const newest = new Map(notices.map((message) => [message.notice, message]));
  return notices.filter((message) => newest.get(message.notice) === message);
}

export type CarryOverOptions = {
  readonly kept: readonly Message[];
  readonly pins: readonly Pin[];
  readonly meta: Pick<Message, 'id' | 'at'>;
};

/** Returns the messages to add to `kept` so that nothing that still holds is lost: pins, the newest notice of each kind, the task list. */
export function carryOverMessages(messages: readonly Message[], { kept, pins, meta }: CarryOverOptions): readonly Message[] {
  const missing = pins.filter((pin) => !containsPin(kept, pin));
  const todo = todoListIn(messages);
  const hasTodo = todoText(todo) === '' || JSON.stringify(todoListIn(kept)) === JSON.stringify(todo);
  return [
    ...(missing.length === 0 ? [] : [pinsNotice(missing, { ...meta, id: `${meta.id}-pins` })]),
    ...activeNotices(messages, kept).filter(({ notice }) => notice !== TODO_NOTICE),
    ...(todo === undefined || hasTodo ? [] : [todoNotice(todo, { ...meta, id: `${meta.id}-todo` })]),
  ];
}

const ONGOING_NOTICE = 'ongoing';

const INTRO = 'In the background, started in this session:';

export const ongoingNotice = (lines: readonly string[]): Pick<Message, 'notice' | 'content'> => ({
  notice: ONGOING_NOTICE,
  content: [{ type: 'text', text: [INTRO, ...lines].join('\n') }],
});

export function withOngoing(messages: readonly Message[], lines: readonly string[], meta: Pick<Message, 'id' | 'at'>): readonly Message[] {
  const others = messages.filter(({ notice }) => notice !== ONGOING_NOTICE);
  if (lines.length === 0) return others;
  return insertAfterSummary(others, [{ ...meta, role: 'user', origin: 'notice', ...ongoingNotice(lines) }]);
}

const FOLDER_NOTICE = 'folder';

export const folderNotice = (folder: string): Pick<Message, 'notice' | 'folder' | 'content'> => ({
  notice: FOLDER_NOTICE,
  folder,
  content: [{ type: 'text', text: `The working folder is now ${folder}.` }],
});

const FOLDERS_NOTICE = 'folders';

/** What the model has to be told of the folders beside the working folder; undefined when it knows, or there have never been any. */
export function foldersNotice(folders: readonly string[], messages: readonly Message[]): Pick<Message, 'notice' | 'content'> | undefined {
  const latest = messages.findLast(({ notice }) => notice === FOLDERS_NOTICE);
  if (folders.length === 0 && latest === undefined) return undefined;
  const text = folders.length === 0 ? 'No other folders any more.' : [ADDED, ...folders].join('\n');
  return latest !== undefined && textOf(latest.content) === text
    ? undefined
    : { notice: FOLDERS_NOTICE, content: [{ type: 'text', text }] };
}

const ADDED = 'Beside the working folder you may read and write these in the same way, by absolute paths:';

/** The folder that the newest such notice names; undefined when there is none, and the work is where the session began. */
export function workingFolderIn(messages: readonly Message[]): string | undefined {
  const newest = messages.findLast(({ notice }) => notice === FOLDER_NOTICE);
  return newest === undefined ? undefined : folderOf(newest);
}

/** The first notices of 0.1.0 named the folder in their text alone. */
const folderOf = ({ folder, content }: Message): string | undefined =>
  folder ?? /^The working folder is now (.+)\.$/.exec(textOf(content))?.[1];

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
