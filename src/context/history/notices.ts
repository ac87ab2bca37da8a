import type { Pin } from '../../domain/session/context.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
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
