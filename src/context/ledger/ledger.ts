import type { Ledger } from '../../domain/session/ledger.ts';
import type { BodyOf, BodyRef, Message } from '../../domain/session/message.ts';
import { todoListIn } from '../history/todo-list.ts';
import { notesIn, saidFacts, saidIn } from '../rules/said.ts';
import { constraintStrength } from '../text/cues.ts';
import { quotedLine } from '../text/quote.ts';
import { looksPrinted } from '../text/sentences.ts';
import { isEcho } from './exchanges.ts';
import { type PlacedText, rankIdentifiers } from './identifiers.ts';
import { commandKey, outcomesOf, readSuccess, shownCommand, successText, wasRun } from './outcomes.ts';
import { toolCalls } from './tool-calls.ts';
import type { ToolCall } from './types.ts';

/** Where an offloaded body can be read again. */
export type BodyPath = (ref: BodyRef) => string;

const MOST_IDENTIFIERS = 300;

/**
 * The facts that must outlive the messages, by rule alone: from what the user and the model said and from the calls with their
 * results, a stub standing for its body. Total: any messages have a ledger. Nothing in it is not in the messages.
 */
export function gatherLedger(
  messages: readonly Message[],
  { bodyOf, bodyPath }: { readonly bodyOf: BodyOf; readonly bodyPath: BodyPath },
): Ledger {
  const calls = toolCalls(messages, bodyOf);
  const worked = calls.filter((call) => !call.failed && wasRun(call));
  const filesModified = pathsOf(worked.filter(({ kind }) => kind === 'write' || kind === 'run'));
  const { failed, done } = outcomesOf(calls);
  const said = saidFacts(messages);
  const todo = todoListIn(messages);
  return {
    filesModified,
    filesRead: pathsOf(worked.filter(({ kind }) => kind === 'read')).filter((path) => !filesModified.includes(path)),
    failedCommands: [...failed],
    ...said,
    open: unique([...said.open, ...refusedIn(calls)]),
    identifiers: unique(rankIdentifiers(placedTexts(messages, calls), MOST_IDENTIFIERS).map((name) => quotedLine(name, 300))),
    done: [...done],
    bodies: calls.flatMap(({ body, title }) =>
      body === undefined ? [] : [{ path: bodyPath(body), what: `${quotedLine(title, 160)}, ${body.lines} lines` }],
    ),
    ...(todo === undefined ? {} : { todo }),
  };
}

/** What a person or a rule said no to: it still waits for a yes, and must not be tried another way. */
const refusedIn = (calls: readonly ToolCall[]): readonly string[] =>
  calls.flatMap((call) => (call.denied ? [`${REFUSED}\`${shownCommand(call)}\``] : [])).slice(-MOST_REFUSED);

const REFUSED = 'Not allowed when it was tried: ';
const MOST_REFUSED = 10;

const unique = (items: readonly string[]): string[] => [...new Set(items)];

const pathsOf = (calls: readonly ToolCall[]): string[] =>
  unique(calls.flatMap(({ paths }) => paths.map((path) => quotedLine(path, 1_000))));

function placedTexts(messages: readonly Message[], calls: readonly ToolCall[]): readonly PlacedText[] {
  const said = messages.flatMap((message): readonly PlacedText[] => {
    const text = saidIn(message);
    const note: PlacedText = { place: 'note', text: notesIn(message) };
    if (message.origin !== 'user') return [{ place: isEcho(message) ? 'result' : 'assistant', text }];
    const lines = text.split('\n');
    return [
      { place: 'user', text: lines.filter((line) => !looksPrinted(line)).join('\n') },
      { place: 'note', text: lines.filter(looksPrinted).join('\n') },
      note,
    ];
  });
  const called = calls.flatMap((call): readonly PlacedText[] => [
    { place: 'command', text: call.command ?? '' },
    { place: call.kind === 'write' && !call.failed && wasRun(call) ? 'file' : 'input', text: call.kind === 'run' ? '' : call.title },
    { place: 'error', text: call.error ?? '' },
    { place: 'result', text: call.result ?? '' },
  ]);
  return [...said, ...called];
}

/**
 * The earlier ledger continued by the later one, in the order of first mention. A later outcome wins: what succeeded later has
 * not failed, what was modified later was not only read, and a question is closed once the work has gone on. Constraints only
 * add up: one that contradicts an earlier one stands after it.
 */
export function mergeLedger(earlier: Ledger, later: Ledger): Ledger {
  const filesModified = unique([...earlier.filesModified, ...later.filesModified]);
  const todo = later.todo ?? earlier.todo;
  return {
    filesModified,
    filesRead: unique([...earlier.filesRead, ...later.filesRead]).filter((path) => !filesModified.includes(path)),
    ...mergeOutcomes(earlier, later),
    constraints: unique([...earlier.constraints, ...later.constraints]),
    decisions: unique([...earlier.decisions, ...later.decisions]),
    identifiers: mergeRanked(earlier.identifiers, later.identifiers),
    open: unique([...earlier.open.filter((item) => isEmpty(later) || stillOpen(item, later)), ...later.open]),
    bodies: [...new Map([...earlier.bodies, ...later.bodies].map((body) => [body.path, body])).values()],
    ...(todo === undefined ? {} : { todo }),
  };
}

/** A question is closed once the work has gone on, and a refusal once the same was done after all. */
function stillOpen(item: string, later: Ledger): boolean {
  if (!item.startsWith(REFUSED)) return !/[?？]["'”’)]*$/.test(item);
  const command = item.slice(REFUSED.length + 1, -1);
  return (
    !later.done.some((text) => keyOfDone(text) === commandKey(command)) && !later.filesModified.some((path) => command.endsWith(` ${path}`))
  );
}

const isEmpty = (ledger: Ledger): boolean => Object.values(ledger).every((list) => list === undefined || list.length === 0);

function mergeOutcomes(earlier: Ledger, later: Ledger): Pick<Ledger, 'failedCommands' | 'done'> {
  const failedLater = new Set(later.failedCommands.map(({ command }) => commandKey(command)));
  const done = new Map<string, string>();
  for (const text of earlier.done) {
    const key = keyOfDone(text);
    if (!failedLater.has(key)) done.set(key, text);
  }
  for (const text of later.done) done.set(keyOfDone(text), mergeSuccess(done.get(keyOfDone(text)), text));
  const failures = new Map<string, Ledger['failedCommands'][number]>();
  for (const failure of [...earlier.failedCommands, ...later.failedCommands]) {
    const key = commandKey(failure.command);
    const success = done.get(key);
    if (success === undefined || failedLater.has(key)) failures.set(`${key}\n${failure.error}`, failure);
    else done.set(key, withCause(success, failure.error));
  }
  return { failedCommands: [...failures.values()], done: [...done.values()] };
}

const keyOfDone = (text: string): string => {
  const success = readSuccess(text);
  return success === undefined ? text : commandKey(success.command);
};

/** How often is the larger of the two numbers: merging the same stretch twice must not count it twice. */
function mergeSuccess(earlier: string | undefined, later: string): string {
  const before = earlier === undefined ? undefined : readSuccess(earlier);
  const after = readSuccess(later);
  if (before === undefined || after === undefined) return later;
  return successText({
    command: after.command,
    times: Math.max(before.times, after.times),
    after: unique([...before.after, ...after.after]),
  });
}

function withCause(text: string, error: string): string {
  const success = readSuccess(text);
  return success === undefined ? text : successText({ ...success, after: unique([error, ...success.after]) });
}

/** A lead for what came first, so that a name that once was weighty fades slowly over many merges and one in both lists rises. */
function mergeRanked(earlier: readonly string[], later: readonly string[]): string[] {
  const score = new Map(earlier.map((name, rank) => [name, 1 / (rank / 3 + 10)]));
  for (const [rank, name] of later.entries()) {
    const known = score.get(name);
    score.set(name, Math.max(known ?? 0, 1 / (rank + 10)) + (known === undefined ? 0 : 0.02));
  }
  return [...score].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** UTF-16 units that each list of a stored ledger may hold; the first two only give way when nothing else could. */
const BOUNDS: Readonly<Record<Exclude<keyof Ledger, 'todo'>, number>> = {
  constraints: 24_000,
  filesModified: 32_000,
  decisions: 16_000,
  failedCommands: 12_000,
  open: 4_000,
  done: 10_000,
  identifiers: 8_000,
  filesRead: 12_000,
  bodies: 8_000,
};

/** So that the ledger that is stored with each summary does not grow without limit over many compactions. */
export function boundLedger(ledger: Ledger): Ledger {
  return {
    constraints: bounded(ledger.constraints, BOUNDS.constraints, byStrength),
    filesModified: bounded(ledger.filesModified, BOUNDS.filesModified, newestFirst),
    decisions: bounded(ledger.decisions, BOUNDS.decisions, newestFirst),
    failedCommands: bounded(ledger.failedCommands, BOUNDS.failedCommands, newestFirst),
    open: bounded(ledger.open, BOUNDS.open, newestFirst),
    done: bounded(ledger.done, BOUNDS.done, newestFirst),
    identifiers: bounded(ledger.identifiers, BOUNDS.identifiers, inOrder),
    filesRead: bounded(ledger.filesRead, BOUNDS.filesRead, newestFirst),
    bodies: bounded(ledger.bodies, BOUNDS.bodies, newestFirst),
    ...(ledger.todo === undefined ? {} : { todo: ledger.todo }),
  };
}

type Order = (items: readonly string[]) => readonly number[];

const inOrder: Order = (items) => items.map((_, at) => at);
const newestFirst: Order = (items) => items.map((_, at) => items.length - 1 - at);
const byStrength: Order = (items) =>
  [...newestFirst(items)].sort((a, b) => constraintStrength(items[b] ?? '') - constraintStrength(items[a] ?? ''));

/** As many of the items as fit into `chars`, chosen by worth, in their own order. */
function bounded<T>(list: readonly T[], chars: number, order: Order): T[] {
  const texts = list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  let left = chars;
  const kept = new Set<number>();
  for (const at of order(texts)) {
    const size = texts[at]?.length ?? 0;
    if (size > left) continue;
    left -= size;
    kept.add(at);
  }
  return kept.size === list.length ? [...list] : list.filter((_, at) => kept.has(at));
}
