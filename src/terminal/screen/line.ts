import type { SanbotEvent } from '../../domain/event.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import type { TodoItem } from '../../domain/session/ledger.ts';
import type { Miss } from '../../domain/session/model-answer.ts';
import type { Paint, Tone } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';

/** What an event says on the screen; `text` is safe to show and may have several lines. */
export type EventLine = {
  readonly text: string;
  readonly tone: Tone;
  readonly drawn?: (paint: Paint) => string;
  readonly isCall?: true;
};

export const lineOf = (tone: Tone, text: Bilingual): EventLine => ({ tone, text: localize(text) });
export const quiet = (text: string): EventLine => ({ text, tone: 'quiet' });

export type EventType = SanbotEvent['type'];
export type EventOf<T extends EventType> = { readonly [E in SanbotEvent as E['type']]: E }[T];

export type EventState = {
  readonly titles: ReadonlyMap<string, string>;
  readonly model: string | undefined;
  /** Of the newest request of a turn: what the context holds now, as opposed to what all requests used. */
  readonly contextTokens: number;
  readonly windowTokens: number;
  /** That the context fills up has been told, and it has not been below since. */
  readonly highShown: boolean;
  readonly todo: readonly TodoItem[] | undefined;
  readonly isHigh: boolean;
  /** Of this turn: what the provider says that it had to read anew. */
  readonly misses: readonly Miss[];
};

export type LineContext = { readonly state: EventState; readonly undo: UndoHint; readonly columns: number };

export type EventLines<T extends EventType = EventType> = {
  readonly [K in T]: (event: EventOf<K>, context: LineContext) => EventLine | undefined;
};

export type UndoHint = (snapshotId: string) => string;
export const undoByProgram: UndoHint = (snapshotId) => `${localize(undo)}sanbot rollback --snapshot ${safeLine(snapshotId)}`;
export const undoByCommand: UndoHint = () => `${localize(undo)}/undo`;
const undo = { en: 'Undo: ', zh: '撤销：' };
