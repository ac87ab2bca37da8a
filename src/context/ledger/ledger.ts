/**
 * Facts that outlive the messages they came from: constraints, decisions, files, commands and their outcomes, identifiers, open points.
 * They are gathered by rule and never by a model, and stand beside every summary.
 *
 * Messages with their results come in; a ledger comes out, which is merged with the earlier one, bounded, and rendered in as many tokens
 * as it is given. A later outcome wins over an earlier one, except that constraints only accumulate.
 *
 * Total for any text, and linear in its length. Nothing is in a ledger that was not in the messages; secrets are redacted, and what a
 * program printed is never taken for what a person said.
 */

import { unique } from '../../domain/lists.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import type { BodyRef, Message, ReadBody } from '../../domain/session/message.ts';
import { todoListIn } from '../history/todo-list.ts';
import { extractFacts, messageText, programNotes } from '../rules/message-text.ts';
import { constraintStrength } from '../text/cues.ts';
import { quoteLine } from '../text/quote.ts';
import { looksLikeOutput } from '../text/sentences.ts';
import { isEcho } from './exchanges.ts';
import { rankIdentifiers, type SourcedText } from './identifiers.ts';
import { commandKey, commandText, outcomesOf, parseSuccess, successText, wasRun } from './outcomes.ts';
import { toolCalls } from './tool-calls.ts';
import type { ToolCall } from './types.ts';

/** Returns the path at which an offloaded body can be read again. */
export type BodyPath = (ref: BodyRef) => string;

const MAX_IDENTIFIERS = 600;

/**
 * Extracts, by rule alone, the facts that must outlive the messages: from what the user and the model said, and from the calls with their
 * results, with a stub's body in place of the stub. Total: any messages have a ledger. Nothing is in the ledger that is not in the
 * messages.
 */
export function gatherLedger(
  messages: readonly Message[],
  { bodyOf, bodyPath }: { readonly bodyOf: ReadBody; readonly bodyPath: BodyPath },
): Ledger {
  const calls = toolCalls(messages, bodyOf);
  const successfulCalls = calls.filter((call) => !call.failed && wasRun(call));
  const filesModified = pathsOf(successfulCalls.filter(({ kind }) => kind === 'write' || kind === 'run'));
  const { failed, done } = outcomesOf(calls);
  const facts = extractFacts(messages);
  const todo = todoListIn(messages);
  return {
    filesModified,
    filesRead: pathsOf(successfulCalls.filter(({ kind }) => kind === 'read')).filter((path) => !filesModified.includes(path)),
    failedCommands: [...failed],
    ...facts,
    open: unique([...facts.open, ...refusalsIn(calls)]),
    identifiers: unique(rankIdentifiers(sourcedTexts(messages, calls), MAX_IDENTIFIERS).map((name) => quoteLine(name, 300))),
    done: [...done],
    bodies: calls.flatMap(({ body, title }) =>
      body === undefined ? [] : [{ path: bodyPath(body), what: `${quoteLine(title, 160)}, ${body.lines} lines` }],
    ),
    ...(todo === undefined ? {} : { todo }),
  };
}

/** Returns the calls that a person or a rule refused: each still needs approval and must not be tried in another way. */
const refusalsIn = (calls: readonly ToolCall[]): readonly string[] =>
  calls.flatMap((call) => (call.denied ? [`${REFUSAL_PREFIX}\`${commandText(call)}\``] : [])).slice(-MAX_REFUSALS);

const REFUSAL_PREFIX = 'Not allowed when it was tried: ';
const MAX_REFUSALS = 10;

const pathsOf = (calls: readonly ToolCall[]): string[] => unique(calls.flatMap(({ paths }) => paths.map((path) => quoteLine(path, 1_000))));

function sourcedTexts(messages: readonly Message[], calls: readonly ToolCall[]): readonly SourcedText[] {
  const messageTexts = messages.flatMap((message): readonly SourcedText[] => {
    const text = messageText(message);
    const note: SourcedText = { source: 'note', text: programNotes(message) };
    if (message.origin !== 'user') return [{ source: isEcho(message) ? 'result' : 'assistant', text }];
    const lines = text.split('\n');
    return [
      { source: 'user', text: lines.filter((line) => !looksLikeOutput(line)).join('\n') },
      { source: 'note', text: lines.filter(looksLikeOutput).join('\n') },
      note,
    ];
  });
  const callTexts = calls.flatMap((call): readonly SourcedText[] => [
    { source: 'command', text: call.command ?? '' },
    { source: call.kind === 'write' && !call.failed && wasRun(call) ? 'file' : 'input', text: call.kind === 'run' ? '' : call.title },
    { source: 'change', text: call.kind === 'write' && !call.failed && wasRun(call) ? textsIn(call.input).join('\n') : '' },
    { source: 'error', text: call.error ?? '' },
    { source: 'result', text: call.result ?? '' },
  ]);
  return [...messageTexts, ...callTexts];
}

/** Every text of a call's arguments: what an edit takes away and what it puts there name what the work is about. */
const textsIn = (input: unknown, depth = 0): readonly string[] => {
  if (typeof input === 'string') return [input];
  if (typeof input !== 'object' || input === null || depth === MAX_DEPTH) return [];
  return Object.values(input).flatMap((value: unknown) => textsIn(value, depth + 1));
};

/** Of arguments that are lists of edits, with room to spare; what is deeper is not an argument that anybody wrote. */
const MAX_DEPTH = 8;

/**
 * Continues the earlier ledger with the later one, in order of first mention. A later outcome wins: what succeeded later has not failed,
 * what was modified later was not only read, and a question is closed once the work has gone on. Constraints only accumulate: one that
 * contradicts an earlier one comes after it.
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
    open: unique([...earlier.open.filter((item) => isEmpty(later) || isStillOpen(item, later)), ...later.open]),
    bodies: [...new Map([...earlier.bodies, ...later.bodies].map((body) => [body.path, body])).values()],
    ...(todo === undefined ? {} : { todo }),
  };
}

/** A question is closed once the work has gone on, and a refusal once the same call was carried out after all. */
function isStillOpen(item: string, later: Ledger): boolean {
  if (!item.startsWith(REFUSAL_PREFIX)) return !/[?？]["'”’)]*$/.test(item);
  const command = item.slice(REFUSAL_PREFIX.length + 1, -1);
  return (
    !later.done.some((text) => doneKey(text) === commandKey(command)) && !later.filesModified.some((path) => command.endsWith(` ${path}`))
  );
}

const isEmpty = (ledger: Ledger): boolean => Object.values(ledger).every((list) => list === undefined || list.length === 0);

function mergeOutcomes(earlier: Ledger, later: Ledger): Pick<Ledger, 'failedCommands' | 'done'> {
  const failedLater = new Set(later.failedCommands.map(({ command }) => commandKey(command)));
  const done = new Map<string, string>();
  for (const text of earlier.done) {
    const key = doneKey(text);
    if (!failedLater.has(key)) done.set(key, text);
  }
  for (const text of later.done) done.set(doneKey(text), mergeSuccess(done.get(doneKey(text)), text));
  const failures = new Map<string, Ledger['failedCommands'][number]>();
  for (const failure of [...earlier.failedCommands, ...later.failedCommands]) {
    const key = commandKey(failure.command);
    const success = done.get(key);
    if (success === undefined || failedLater.has(key)) failures.set(`${key}\n${failure.error}`, failure);
    else done.set(key, withCause(success, failure.error));
  }
  return { failedCommands: [...failures.values()], done: [...done.values()] };
}

const doneKey = (text: string): string => {
  const success = parseSuccess(text);
  return success === undefined ? text : commandKey(success.command);
};

/** Takes the larger of the two counts, so that merging the same messages twice does not count them twice. */
function mergeSuccess(earlier: string | undefined, later: string): string {
  const before = earlier === undefined ? undefined : parseSuccess(earlier);
  const after = parseSuccess(later);
  if (before === undefined || after === undefined) return later;
  return successText({
    command: after.command,
    times: Math.max(before.times, after.times),
    after: unique([...before.after, ...after.after]),
  });
}

function withCause(text: string, error: string): string {
  const success = parseSuccess(text);
  return success === undefined ? text : successText({ ...success, after: unique([error, ...success.after]) });
}

/**
 * Ranks names with an advantage for the earlier list, so that a name that once ranked high fades slowly over many merges. A name in both
 * lists rises.
 */
function mergeRanked(earlier: readonly string[], later: readonly string[]): string[] {
  const score = new Map(earlier.map((name, rank) => [name, 1 / (rank / 3 + 10)]));
  for (const [rank, name] of later.entries()) {
    const previous = score.get(name);
    score.set(name, Math.max(previous ?? 0, 1 / (rank + 10)) + (previous === undefined ? 0 : 0.02));
  }
  return [...score].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/**
 * Limits the ledger that is stored with each summary, so that it does not grow without bound over many compactions: to so many UTF-16 units
 * in each list. The limits of the first two are the widest, since they must be cut last.
 */
export function boundLedger(ledger: Ledger): Ledger {
  return {
    constraints: limitList(ledger.constraints, 24_000, byStrength),
    filesModified: limitList(ledger.filesModified, 32_000, newestFirst),
    decisions: limitList(ledger.decisions, 16_000, newestFirst),
    failedCommands: limitList(ledger.failedCommands, 12_000, newestFirst),
    open: limitList(ledger.open, 4_000, newestFirst),
    done: limitList(ledger.done, 10_000, newestFirst),
    identifiers: limitList(ledger.identifiers, 16_000, inOrder),
    filesRead: limitList(ledger.filesRead, 12_000, newestFirst),
    bodies: limitList(ledger.bodies, 8_000, newestFirst),
    ...(ledger.todo === undefined ? {} : { todo: ledger.todo }),
  };
}

type Order = (items: readonly string[]) => readonly number[];

const inOrder: Order = (items) => items.map((_, at) => at);
const newestFirst: Order = (items) => items.map((_, at) => items.length - 1 - at);
const byStrength: Order = (items) =>
  [...newestFirst(items)].sort((a, b) => constraintStrength(items[b] ?? '') - constraintStrength(items[a] ?? ''));

/** Returns the items that fit into `chars`: chosen in the sequence that `order` returns, kept in list order. */
function limitList<T>(list: readonly T[], chars: number, order: Order): T[] {
  const texts = list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  let remainingChars = chars;
  const kept = new Set<number>();
  for (const at of order(texts)) {
    const size = texts[at]?.length ?? 0;
    if (size > remainingChars) continue;
    remainingChars -= size;
    kept.add(at);
  }
  return kept.size === list.length ? [...list] : list.filter((_, at) => kept.has(at));
}
