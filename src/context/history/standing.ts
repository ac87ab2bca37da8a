import type { Pin } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import { isHeld, PINS_NOTICE, pinsNotice } from './pins.ts';
import { TODO_NOTICE, todoListIn, todoNotice, todoText } from './todo-list.ts';

/**
 * Of the messages that leave the context, the notices that still hold: the newest of each kind, unless a newer one of its kind
 * is kept. Without them the model would go on with an old date, folder or instruction.
 */
export function standingNotices(leaving: readonly Message[], kept: readonly Message[]): readonly Message[] {
  const told = new Set(kept.map(({ notice }) => notice));
  const newest = new Map<string, Message>();
  for (const message of leaving) {
    const { notice } = message;
    if (notice !== undefined && notice !== PINS_NOTICE && !told.has(notice)) newest.set(notice, message);
  }
  return leaving.filter((message) => message.notice !== undefined && newest.get(message.notice) === message);
}

export type Standing = {
  /** What stays of the messages. */
  readonly kept: readonly Message[];
  readonly pins: readonly Pin[];
  readonly made: Pick<Message, 'id' | 'at'>;
};

/** What has to be added to `kept` so that nothing that still holds has gone: pins, the newest notice of each kind, the task list. */
export function whatStands(messages: readonly Message[], { kept, pins, made }: Standing): readonly Message[] {
  const missing = pins.filter((pin) => !isHeld(kept, pin));
  const todo = todoListIn(messages);
  const hasTodo = todoText(todo) === '' || JSON.stringify(todoListIn(kept)) === JSON.stringify(todo);
  return [
    ...(missing.length === 0 ? [] : [pinsNotice(missing, { ...made, id: `${made.id}-pins` })]),
    ...standingNotices(messages, kept).filter(({ notice }) => notice !== TODO_NOTICE),
    ...(todo === undefined || hasTodo ? [] : [todoNotice(todo, { ...made, id: `${made.id}-todo` })]),
  ];
}
