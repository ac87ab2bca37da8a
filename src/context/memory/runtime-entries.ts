import type { CallTally, FailedCall } from '../../domain/memory/call-tally.ts';
import { type MemoryEntry, SESSION_LINE } from '../../domain/memory/memory.ts';
import { plainText, senseOf } from '../../domain/memory/memory-sense.ts';
import { isToolResult, isToolUse, type Message, resultText, textOf } from '../../domain/session/message.ts';
import { redact } from '../../domain/value/redact.ts';
import { isSameWork, workOf } from '../ledger/files/shell-files.ts';
import { commandKey, commandText, isCheck, isEmptySearch, isMisuse, isReadOnlyCommand } from '../ledger/outcomes.ts';
import { toolCalls } from '../ledger/tool-calls.ts';
import type { ToolCall } from '../ledger/types.ts';
import { isDirective } from '../sentence/asks.ts';
import { quoteLine } from '../text/sentences.ts';

/** What tools printed, and what an imported file says: whole texts, and pairs of neighbouring words that show whether a sentence only repeats them. */
export type ToolOutput = { readonly texts: readonly string[]; readonly pairs: ReadonlySet<string> };

/** Characters read of each result; a page of a book has about two thousand. */
const MAX_RESULT_CHARS = 400_000;
const LINE_CHARS = 2_000;

export function toolOutputOf(messages: readonly Message[]): ToolOutput {
  const isForeign = messages.some(isImported);
  const results = messages.flatMap((message) => [
    ...message.content.filter(isToolResult).map((block) => resultText(block).slice(0, MAX_RESULT_CHARS)),
    ...(isImported(message) || (isForeign && isOurs(message)) ? [textOf(message.content).slice(0, MAX_RESULT_CHARS)] : []),
  ]);
  const pairs = new Set<string>();
  for (const result of results) {
    // Lines without words, in a program's own notation, are skipped.
    for (const line of result.split(/\n|(?<=[.。!?！？]) ?/))
      if (PROSE.test(line)) for (const pair of wordPairs(line.slice(0, LINE_CHARS))) pairs.add(pair);
  }
  return { texts: results.map((result) => plainText(result)), pairs };
}

export const isImported = ({ imported }: Message): boolean => imported === true;

/** Notices, pins among them, repeat what was said; here that may have been a stranger. */
const isOurs = ({ origin }: Message): boolean => origin === 'notice' || origin === 'summary';

const PROSE = /\p{L}{2}[\s,]+\p{L}{2}|\p{Script=Han}{4}/u;

/** Share of a sentence's word pairs: a paraphrase still has half of them, an independent sentence about the same thing does not. */
const MIN_REPEATED_SHARE = 0.5;

/** True when a sentence repeats what a tool printed, word for word or nearly so. */
export function repeatsOutput(sentence: string, { texts, pairs }: ToolOutput): boolean {
  if (texts.length === 0) return false;
  const plain = plainText(sentence);
  if (plain !== '' && texts.some((text) => text.includes(plain))) return true;
  const sentencePairs = wordPairs(sentence);
  return sentencePairs.length >= 2 && sentencePairs.filter((pair) => pairs.has(pair)).length / sentencePairs.length >= MIN_REPEATED_SHARE;
}

function wordPairs(text: string): readonly string[] {
  const { terms } = senseOf(text);
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}

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

const COMMAND_CHARS = 120;
const ERROR_CHARS = 110;
const MAX_FAILURES = 20;
const MAX_STEPS = 3;
const MAX_PATHS = 20;
/** Different commands that are counted; beyond that the newest that ran once makes room. */
const MAX_COMMANDS = 1_000;
/** What they did stands in the other pages. */
const OWN_TOOLS: ReadonlySet<string> = new Set(['remember', 'recall']);
/** How many calls after a failure another spelling of its command is still an answer to it. */
const REACH = 12;

export const noCalls: CallTally = { tools: [], worked: [], failures: [] };

/** What the calls of a session came to after these messages. A call among `before`, which is counted, may have its result in `messages`. */
export function tallyCalls(tally: CallTally, before: readonly Message[], messages: readonly Message[]): CallTally {
  const state: TallyState = {
    tools: new Map(tally.tools),
    worked: new Map(tally.worked),
    failures: [...tally.failures],
    last: tally.last,
  };
  let calling = before.findLast(({ content }) => content.some(isToolUse));
  let previous = before.at(-1);
  for (const message of messages) {
    if (!isImported(message)) for (const call of endedCalls(message, calling, previous)) add(state, call);
    if (message.content.some(isToolUse)) calling = message;
    previous = message;
  }
  const { tools, worked, failures, last } = state;
  return { tools: [...tools], worked: [...worked], failures, ...(last !== undefined && { last }) };
}

type TallyState = {
  readonly tools: Map<string, number>;
  readonly worked: Map<string, number>;
  failures: FailedCall[];
  last: CallTally['last'];
};

/** The calls whose results a message brings, and what it says another program did. Calls that did not run are left out. */
function endedCalls(message: Message, calling: Message | undefined, previous: Message | undefined): readonly ToolCall[] {
  const answered = calling !== undefined && !isImported(calling) && message.content.some(isToolResult) ? [calling, message] : [];
  const recorded = message.origin === 'notice' ? [...(previous === undefined || isImported(previous) ? [] : [previous]), message] : [];
  return [
    ...toolCalls(recorded, () => undefined).filter(({ messageId }) => messageId === message.id),
    ...toolCalls(answered, () => undefined).filter(({ messageId }) => messageId === calling?.id),
  ].filter((call) => !call.denied && call.stopped === undefined && call.result !== undefined && !isEmptySearch(call));
}

const shownCommand = (call: ToolCall): string => redact(commandText(call));

function add(state: TallyState, call: ToolCall): void {
  const key = commandKey(shownCommand(call));
  state.failures = state.failures.map((failure) => follow(failure, call, key));
  if (call.failed && (call.kind === 'run' || (call.kind === 'write' && !isMisuse(call))))
    state.failures = [...state.failures.filter(({ command }) => commandKey(command) !== key), failedCall(call, call.kind)].slice(
      -MAX_FAILURES,
    );
  if (OWN_TOOLS.has(call.tool)) return;
  state.last = { messageId: call.messageId, at: call.at };
  count(state.tools, quoteLine(call.tool, 40));
  if (call.kind !== 'run' || call.failed || isReadOnlyCommand(call.command ?? '')) return;
  count(state.worked, quoteLine(key, 80));
  if (state.worked.size > MAX_COMMANDS) dropNewestOfOnce(state.worked);
}

const failedCall = (call: ToolCall, kind: FailedCall['kind']): FailedCall => ({
  kind,
  command: shownCommand(call),
  paths: kind === 'write' ? call.paths.slice(0, MAX_PATHS) : [],
  error: errorOf(call),
  messageId: call.messageId,
  at: call.at,
  calls: 0,
  steps: [],
  worked: false,
  isSettled: false,
});

const errorOf = ({ error = '' }: ToolCall): string =>
  quoteLine(isDirective(error) ? '(an error whose text gives orders)' : error, ERROR_CHARS);

function follow(failure: FailedCall, call: ToolCall, key: string): FailedCall {
  const next = { ...failure, calls: failure.calls + 1 };
  if (call.failed) return next;
  const isOther = (failure.kind === 'write' || (failure.other === undefined && failure.calls < REACH)) && isOtherSpelling(failure, call);
  const withOther = {
    ...next,
    isSettled: failure.isSettled || (failure.kind === 'write' && isOther),
    ...(isOther && failure.other === undefined && failure.calls < REACH && { other: quoteLine(shownCommand(call), COMMAND_CHARS) }),
  };
  if (failure.worked) return withOther;
  if (key === commandKey(failure.command)) return { ...withOther, worked: true };
  if (!changesSomething(call)) return withOther;
  const step = quoteLine(call.kind === 'run' ? shownCommand(call) : redact(call.title), 60);
  return { ...withOther, steps: [...failure.steps.filter((other) => other !== step), step].slice(-MAX_STEPS) };
}

const changesSomething = (call: ToolCall): boolean =>
  call.kind === 'write' || (call.kind === 'run' && !isReadOnlyCommand(call.command ?? ''));

/** `python x.py` and `python3 x.py`, `npm run biuld` and `npm run build`. A check of less than what failed is no answer to it. */
function isOtherSpelling(failed: FailedCall, other: ToolCall): boolean {
  if (failed.kind !== other.kind) return false;
  if (failed.kind === 'write') return failed.paths.some((path) => other.paths.includes(path));
  const [one, two] = [commandKey(failed.command), commandKey(shownCommand(other))];
  return isSameWork(one, two) && (!isCheck(one) || workOf(one).subjects.length === workOf(two).subjects.length);
}

const count = (counts: Map<string, number>, value: string): void => void counts.set(value, (counts.get(value) ?? 0) + 1);

/** The one that was just added stays, so that it can still become frequent. */
function dropNewestOfOnce(counts: Map<string, number>): void {
  const once = [...counts].filter(([, times]) => times === 1).at(-2);
  if (once !== undefined) counts.delete(once[0]);
}
