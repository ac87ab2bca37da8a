import type { TodoItem } from '../../domain/session/ledger.ts';
import type { Paint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import type { EventLine } from './line.ts';
import { CALL_INDENT } from './tool-line.ts';

export const itemMarks = { done: '✓', in_progress: '▸', pending: '·' } as const;

/** The items to show: all of a list that is new or was told another way, else those that were not there so before. */
export function todoRows(items: readonly TodoItem[], before: readonly TodoItem[] | undefined): readonly TodoItem[] {
  const isKnown = ({ text, status }: TodoItem): boolean => before?.some((item) => item.text === text && item.status === status) === true;
  return items.filter((item) => !isKnown(item));
}

/** What is done is out of the way; what is being done stands out. */
export function todoLine({ text, status }: TodoItem, columns: number): EventLine {
  const row = clip(`${CALL_INDENT}${itemMarks[status]} ${safeLine(text)}`, columns);
  const drawn = (paint: Paint): string =>
    status === 'done' ? paint.quiet(row) : status === 'in_progress' ? paint.strong(row) : paint.plain(row);
  return { text: row, tone: 'plain', isCall: true, drawn };
}

/** What the model is at; undefined when the list does not say. */
export const currentItem = (items: readonly TodoItem[]): string | undefined => items.find(({ status }) => status === 'in_progress')?.text;
