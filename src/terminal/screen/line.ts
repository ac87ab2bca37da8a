import type { SanbotEvent } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import type { Tone } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';

/** What an event says on the screen; `text` is safe to show and may have several lines. */
export type EventLine = { readonly text: string; readonly tone: Tone };

export const quiet = (text: string): EventLine => ({ text, tone: 'quiet' });

export type EventOf<T extends SanbotEvent['type']> = Extract<SanbotEvent, { readonly type: T }>;

/** How a change is undone, as it can be done where it is shown. */
export type UndoHint = (snapshotId: string) => string;
export const undoByProgram: UndoHint = (snapshotId) => `${localize(undo)}sanbot rollback --snapshot ${safeLine(snapshotId)}`;
export const undoByCommand: UndoHint = () => `${localize(undo)}/undo`;
const undo = { en: 'Undo: ', zh: '撤销：' };
