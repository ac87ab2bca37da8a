import type { CallTally, FailedCall } from '../../domain/memory/call-tally.ts';
import { type MemoryEntry, SESSION_LINE } from '../../domain/memory/memory.ts';
import type { Message } from '../../domain/session/message.ts';
import { quoteLine } from '../text/quote.ts';
import { noCalls, tallyCalls } from './tally-calls.ts';

const ENTRY_CHARS = 300;

export type ExtractOptions = {
  readonly sessionId: string;
  readonly cwd?: string | undefined;
};

/** For `runtime`: each command or change that failed, with its error and what made it work. Calls that worked at once leave nothing. */
export const failureEntries = (messages: readonly Message[], options: ExtractOptions): readonly MemoryEntry[] =>
  entriesOfFailures(tallyCalls(noCalls, [], messages), options);

/** An edit that did not fit, and then did, is no news in a later session. */
const entriesOfFailures = ({ failures }: CallTally, options: ExtractOptions): readonly MemoryEntry[] =>
  failures
    .filter(({ isSettled }) => !isSettled)
    .map((failure) => entryOf(`${failure.command}: failed: ${failure.error}${remedyOf(failure)}`, failure, options));

function remedyOf({ worked, steps, other }: FailedCall): string {
  if (worked) return steps.length === 0 ? '; worked when run again' : `; worked after ${steps.join(', ')}`;
  return other === undefined ? '' : `; worked as ${other}`;
}

/** What a whole session leaves in `runtime`: its failures, and one line about all of its calls. */
export const sessionRuntime = (tally: CallTally, options: ExtractOptions): readonly MemoryEntry[] => [
  ...entriesOfFailures(tally, options),
  ...sessionEntry(tally, options),
];

/** One line about a session: how often each tool was called, and the commands that worked. None when nothing was called. */
function sessionEntry({ last, ...tally }: CallTally, options: ExtractOptions): readonly MemoryEntry[] {
  if (last === undefined) return [];
  const tools = mostFirst(tally.tools)
    .map(([tool, count]) => `${tool} ${count}`)
    .slice(0, 8)
    .join(', ');
  let text = `${SESSION_LINE}${tools}`;
  for (const [at, [command, count]] of mostFirst(tally.worked).entries()) {
    const next = `${text}${at === 0 ? '; worked: ' : ', '}${command}${count === 1 ? '' : ` (${count} times)`}`;
    if (next.length > ENTRY_CHARS) break;
    text = next;
  }
  return [entryOf(text, last, options)];
}

const mostFirst = (counts: CallTally['tools']): CallTally['tools'] => counts.toSorted((a, b) => b[1] - a[1]);

const entryOf = (
  text: string,
  { messageId, at }: Pick<FailedCall, 'messageId' | 'at'>,
  { sessionId, cwd }: ExtractOptions,
): MemoryEntry => ({
  ...{ kind: 'runtime', text: quoteLine(text, ENTRY_CHARS), sessionId, messageId, at },
  ...(cwd === undefined ? {} : { cwd }),
});
