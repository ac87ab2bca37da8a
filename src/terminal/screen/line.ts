import type { SanbotEvent } from '../../domain/event.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import type { TodoItem } from '../../domain/session/ledger.ts';
import type { Paint, Tone } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';

/** What an event says on the screen; `text` is safe to show and may have several lines. */
export type EventLine = {
  readonly text: string;
  readonly tone: Tone;
  /** The same text in colours of its parts. */
  readonly drawn?: (paint: Paint) => string;
  /** One of a group of calls. */
  readonly isCall?: true;
};

export const lineOf = (tone: Tone, text: Bilingual): EventLine => ({ tone, text: localize(text) });
export const quiet = (text: string): EventLine => ({ text, tone: 'quiet' });

export type EventType = SanbotEvent['type'];
export type EventOf<T extends EventType> = { readonly [E in SanbotEvent as E['type']]: E }[T];

/** What earlier events said that a later one's line needs. */
export type EventState = {
  /** Titles of tool calls that have not ended, by their id. */
  readonly titles: ReadonlyMap<string, string>;
  /** Of the newest request of a turn: what the context holds now, as opposed to what all requests used. */
  readonly contextTokens: number;
  readonly windowTokens: number;
  /** Whether commands run in a sandbox; undefined until it is known. */
  readonly sandboxed: boolean | undefined;
  /** That the context fills up has been told, and it has not been below since. */
  readonly highShown: boolean;
  /** The task list as it was last told; undefined until it is. */
  readonly todo: readonly TodoItem[] | undefined;
  /** This turn has found it so. */
  readonly isHigh: boolean;
};

/** What the line of an event depends on beside it. */
export type LineContext = { readonly state: EventState; readonly undo: UndoHint; readonly columns: number };

/** The line of each kind of event; undefined when it says nothing on the screen. */
export type EventLines<T extends EventType = EventType> = {
  readonly [K in T]: (event: EventOf<K>, context: LineContext) => EventLine | undefined;
};

/** How a change is undone, as it can be done where it is shown. */
export type UndoHint = (snapshotId: string) => string;
export const undoByProgram: UndoHint = (snapshotId) => `${localize(undo)}sanbot rollback --snapshot ${safeLine(snapshotId)}`;
export const undoByCommand: UndoHint = () => `${localize(undo)}/undo`;
const undo = { en: 'Undo: ', zh: '撤销：' };
