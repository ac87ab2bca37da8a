import { type MemoryEntry, SESSION_LINE } from '../../domain/memory/memory.ts';
import type { Message } from '../../domain/session/message.ts';
import { commandKey, commandText, isEmptySearch, isReadOnlyCommand } from '../ledger/outcomes.ts';
import { toolCalls } from '../ledger/tool-calls.ts';
import type { ToolCall } from '../ledger/types.ts';
import { isDirective } from '../text/directive.ts';
import { quoteLine } from '../text/quote.ts';

const ENTRY_CHARS = 300;
const COMMAND_CHARS = 120;
const ERROR_CHARS = 110;
/** What they did stands in the other pages. */
const OWN_TOOLS: ReadonlySet<string> = new Set(['remember', 'recall']);
const MAX_FAILURES = 20;
/** How many calls after a failure another spelling of its command is still an answer to it. */
const REACH = 12;

export type ExtractOptions = {
  readonly sessionId: string;
  /** The session's working folder. */
  readonly cwd?: string | undefined;
};

/**
 * What was run, for `runtime`: each command or change that failed, with its error and what made it work where something did. Calls that
 * worked at once leave nothing here, nor do reads and calls that were refused or stopped.
 */
export const failureEntries = (messages: readonly Message[], options: ExtractOptions): readonly MemoryEntry[] =>
  entriesOfFailures(finishedCalls(messages), options);

function entriesOfFailures(calls: readonly ToolCall[], options: ExtractOptions): readonly MemoryEntry[] {
  const failures = new Map<string, number>();
  calls.forEach((call, at) => {
    if (!call.failed || (call.kind !== 'run' && call.kind !== 'write')) return;
    const key = commandKey(commandText(call));
    failures.delete(key);
    failures.set(key, at);
  });
  return [...failures.values()].slice(-MAX_FAILURES).flatMap((at) => {
    const call = calls[at];
    if (call === undefined) return [];
    // An edit that did not fit, and then did, is no news in a later session.
    if (call.kind === 'write' && calls.slice(at + 1).some((later) => !later.failed && isOtherSpelling(call, later))) return [];
    const text = `${quoteLine(commandText(call), COMMAND_CHARS)}: failed: ${errorOf(call)}${remedyOf(calls, at)}`;
    return [entryOf(text, call, options)];
  });
}

/** What a whole session leaves in `runtime`: its failures, and one line about all of its calls. */
export function sessionRuntime(messages: readonly Message[], options: ExtractOptions): readonly MemoryEntry[] {
  const calls = finishedCalls(messages);
  return [...entriesOfFailures(calls, options), ...sessionEntry(calls, options)];
}

/** One line about a session: how often each tool was called, and the commands that worked. None when nothing was called. */
function sessionEntry(finished: readonly ToolCall[], options: ExtractOptions): readonly MemoryEntry[] {
  const calls = finished.filter(({ tool }) => !OWN_TOOLS.has(tool));
  const last = calls.at(-1);
  if (last === undefined) return [];
  const byTool = countBy(calls.map(({ tool }) => quoteLine(tool, 40)));
  const worked = countBy(
    calls
      .filter(({ kind, failed, command }) => kind === 'run' && !failed && !isReadOnlyCommand(command ?? ''))
      .map((call) => quoteLine(commandKey(commandText(call)), 80)),
  );
  const tools = [...byTool]
    .map(([tool, count]) => `${tool} ${count}`)
    .slice(0, 8)
    .join(', ');
  let text = `${SESSION_LINE}${tools}`;
  for (const [at, [command, count]] of [...worked].entries()) {
    const next = `${text}${at === 0 ? '; worked: ' : ', '}${command}${count === 1 ? '' : ` (${count} times)`}`;
    if (next.length > ENTRY_CHARS) break;
    text = next;
  }
  return [entryOf(text, last, options)];
}

const finishedCalls = (messages: readonly Message[]): readonly ToolCall[] =>
  toolCalls(messages, () => undefined).filter(
    (call) => !call.denied && call.stopped === undefined && call.result !== undefined && !isEmptySearch(call),
  );

const entryOf = (text: string, call: ToolCall, { sessionId, cwd }: ExtractOptions): MemoryEntry => ({
  ...{ kind: 'runtime', text: quoteLine(text, ENTRY_CHARS), sessionId, messageId: call.messageId, at: call.at },
  ...(cwd === undefined ? {} : { cwd }),
});

const errorOf = ({ error = '' }: ToolCall): string =>
  quoteLine(isDirective(error) ? '(an error whose text gives orders)' : error, ERROR_CHARS);

/** What made it work: the same command after these changes, or another spelling of it. */
function remedyOf(calls: readonly ToolCall[], at: number): string {
  const failed = calls[at];
  if (failed === undefined) return '';
  const key = commandKey(commandText(failed));
  const later = calls.slice(at + 1);
  const again = later.findIndex((call) => !call.failed && commandKey(commandText(call)) === key);
  if (again !== -1) {
    const steps = later.slice(0, again).filter((call) => !call.failed && changesSomething(call));
    const names = [...new Set(steps.map((call) => quoteLine(call.kind === 'run' ? commandText(call) : call.title, 60)))].slice(-3);
    return names.length === 0 ? '; worked when run again' : `; worked after ${names.join(', ')}`;
  }
  const other = later.slice(0, REACH).find((call) => !call.failed && isOtherSpelling(failed, call));
  return other === undefined ? '' : `; worked as ${quoteLine(commandText(other), COMMAND_CHARS)}`;
}

const changesSomething = (call: ToolCall): boolean =>
  call.kind === 'write' || (call.kind === 'run' && !isReadOnlyCommand(call.command ?? ''));

/** `python x.py` and `python3 x.py`, `npm run biuld` and `npm run build`: most words are shared, or the program and its subject. */
function isOtherSpelling(failed: ToolCall, other: ToolCall): boolean {
  if (failed.kind !== other.kind) return false;
  if (failed.kind === 'write') return failed.paths.some((path) => other.paths.includes(path));
  const [one, two] = [wordsOf(failed), wordsOf(other)];
  const known = new Set(one);
  const shared = two.filter((word) => known.has(word)).length;
  return shared > 0 && shared * 2 >= Math.min(one.length, two.length) && (one[0] === two[0] || shared * 3 >= two.length * 2);
}

/** The words of a command, without a version at the end of the program's name and without what only prepares it. */
const wordsOf = (call: ToolCall): readonly string[] =>
  commandKey(commandText(call))
    .replace(/^(?:sudo |[A-Z_]{1,40}=\S{1,100} )+/, '')
    .split(/\s+/)
    .map((word, at) => (at === 0 ? word.replace(/^.*\//, '').replace(/[\d.]+$/, '') : word));

/** How often each occurs, the most frequent first. */
function countBy(values: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}
