import { type FailureState, stateSince } from '../../ledger/outcomes.ts';
import type { ToolCall } from '../../ledger/types.ts';
import { chinese, english, type SummaryWords } from '../../rules/rule-summary-words.ts';
import { quoteLine } from '../../text/quote.ts';

const MAX_FILES = 3;

/** How a failure stands, behind its line; with the newest of the files that were edited until it worked. */
export function failureNote({ state, edited }: FailureState, { failureStates, workedAfter }: SummaryWords): string {
  if (state === undefined) return '';
  const names = edited.slice(-MAX_FILES).map((path) => path.split('/').at(-1) ?? path);
  const files = [...(edited.length > MAX_FILES ? ['…'] : []), ...names].join(', ');
  return ` (${state === 'worked' && names.length > 0 ? workedAfter(quoteLine(files, 160)) : failureStates[state]})`;
}

/** Says of a failure in an earlier summary that it worked in these calls, and after which edits. */
export function mendedSince(line: string, calls: readonly ToolCall[], words: SummaryWords): string {
  const command = /^- `(.{1,120}?)`: /.exec(line)?.[1];
  const since = command === undefined ? undefined : stateSince(calls, { command, title: command, kind: 'run', paths: [] });
  return failureNote(since?.state === 'worked' ? since : { state: 'worked', edited: [] }, words);
}

const LANGUAGES = [english, chinese];
const MENDED = LANGUAGES.map(({ workedAfter }) => ` (${workedAfter('')}`);

/** The last ones are of summaries made before: what they say was often not so. */
const NOTES = LANGUAGES.flatMap(({ failureStates }) => Object.values(failureStates))
  .concat('not tried again', '之后未再尝试')
  .map((state) => ` (${state})`);

/** The note in a line that says how its failure stands; undefined where there is none. */
export const failureNoteIn = (line: string): string | undefined => mendedNoteIn(line) ?? NOTES.find((note) => line.includes(note));

/** The note in a line that says what mended the failure, with its blank; undefined where there is none. */
export function mendedNoteIn(line: string): string | undefined {
  const at = Math.max(...MENDED.map((mark) => line.indexOf(mark)));
  const end = at === -1 ? null : /\)(?= (?:->|→) |$)/.exec(line.slice(at));
  // A line that was cut inside its note.
  if (end === null) return at !== -1 && line.endsWith('…') ? line.slice(at) : undefined;
  return line.slice(at, at + end.index + 1);
}
