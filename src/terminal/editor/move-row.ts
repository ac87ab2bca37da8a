import { type EditorState, moveTo } from './editor.ts';
import { type LabelOf, type Layouter, offsetAt } from './layout.ts';

/** One row up or down, in the column where the motion began; undefined where there is no such row. */
export function moveRow(
  state: EditorState,
  by: -1 | 1,
  { layout, columns, label }: { readonly layout: Layouter; readonly columns: number; readonly label: LabelOf },
): EditorState | undefined {
  const { rows, row, column } = layout(state, columns);
  const target = rows[row + by];
  if (target === undefined) return undefined;
  const goalColumn = state.goalColumn ?? column;
  const offset = offsetAt(state.text, target, goalColumn, { labelOf: label, width: columns });
  // The end of a row that goes on is the beginning of the next.
  const next = rows[row + by + 1];
  const last = next !== undefined && next.start === target.end && offset === target.end ? Math.max(target.start, offset - 1) : offset;
  return { ...moveTo(state, last), goalColumn };
}
