/**
 * Facts that outlive the messages they came from: constraints, decisions, files, commands and their outcomes, identifiers, open points.
 * They are gathered by rule and never by a model, and stand beside every summary.
 *
 * Messages with their results come in; a ledger comes out, which continues the earlier one, is bounded, and rendered in as many tokens as
 * it is given. A later outcome wins over an earlier one, and a later word of the user over a rule or a decision.
 *
 * Total for any text, and linear in its length. Nothing is in a ledger that was not in the messages; secrets are redacted, and what a
 * program printed is never taken for what a person said.
 */

import { inOrder, limitList, newestFirst, unique } from '../../domain/lists.ts';
import { emptyLedger, type Ledger } from '../../domain/session/ledger.ts';
import type { Message, ReadBody } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { todoListIn } from '../history/todo-list.ts';
import { type MediaPlaces, mediaShown } from '../offload/media-stub.ts';
import { newestProposal } from '../rules/newest-proposal.ts';
import { followFacts } from '../rules/standing-facts.ts';
import { undoneDecisions } from '../rules/undone-decisions.ts';
import { quoteLine } from '../text/quote.ts';
import { changedFiles, madeOnly, mergeFiles } from './files/changed-files.ts';
import { isSamePath } from './files/undone.ts';
import { rankIdentifiers } from './identifiers.ts';
import { causeText, commandKey, outcomesOf, parseSuccess, settlesFailure, successText, wasRun } from './outcomes.ts';
import { isRefusal, openRefusals } from './refusals.ts';
import { sourcedTexts } from './sourced-texts.ts';
import { toolCalls } from './tool-calls.ts';
import type { ToolCall } from './types.ts';

const MAX_IDENTIFIERS = 1_000;
const ASKED_CHARS = 1_500;

/**
 * Extracts, by rule alone, the facts that must outlive the messages: from what the user and the model said, and from the calls with their
 * results, with a stub's body in place of the stub. Total: any messages have a ledger. Nothing is in the ledger that is not in the
 * messages.
 */
export const gatherLedger = (messages: readonly Message[], sources: LedgerSources): Ledger =>
  continueLedger(emptyLedger, messages, sources);

export type LedgerSources = MediaPlaces & {
  readonly bodyOf: ReadBody;
  /** What stays in the context after the messages: it shows what of them is settled. */
  readonly kept?: readonly Message[];
  /** What the user asks this compaction to keep, in the user's words. */
  readonly asked?: string | undefined;
};

/** Continues the earlier ledger by these messages, which may end what it held: a rule, a decision, an open point. */
export function continueLedger(earlier: Ledger, messages: readonly Message[], sources: LedgerSources): Ledger {
  const calls = toolCalls(messages, sources.bodyOf);
  const facts = followFacts(earlier, messages, sources.kept);
  const asked = sources.asked?.trim() ? { asked: [quoteLine(sources.asked, ASKED_CHARS)] } : {};
  const after = newIn(sources.kept ?? [], messages);
  const files = changedFiles(calls);
  const { proposal: _, ...before } = withoutRestored(earlier, files.restored);
  const proposal = newestProposal(earlier, messages, sources.kept ?? []);
  const found = {
    ...ledgerOfCalls(messages, calls, { ...sources, after, files, todo: earlier.todo }),
    ...asked,
    ...(proposal === undefined ? {} : { proposal }),
  };
  const merged = mergeLedger(before, { ...emptyLedger, ...found });
  const refused = openRefusals(earlier, { calls, messages, after, done: merged.done });
  const undone = undoneDecisions(messages, calls, after);
  return {
    ...{ ...merged, ...facts },
    decisions: facts.decisions.filter((decision) => !undone.has(decision)),
    open: unique([...facts.open.filter((item) => !isRefusal(item)), ...refused]),
  };
}

/** What git put back is as it was, unless it was committed in between. */
function withoutRestored(earlier: Ledger, restored: readonly string[]): Ledger {
  if (restored.length === 0 || earlier.done.some((text) => /\bgit commit\b|^Commit /.test(text))) return earlier;
  return { ...earlier, filesModified: earlier.filesModified.filter((path) => !restored.some((each) => isSamePath(each, path))) };
}

/** What the calls and the names in the messages tell. */
function ledgerOfCalls(
  messages: readonly Message[],
  calls: readonly ToolCall[],
  sources: LedgerSources & Pick<Ledger, 'todo'> & { readonly after: readonly Message[]; readonly files: ReturnType<typeof changedFiles> },
): Partial<Ledger> {
  const successfulCalls = calls.filter((call) => !call.failed && wasRun(call));
  const { filesModified, filesDeleted } = sources.files;
  const { failed, done } = outcomesOf(calls);
  const todo = todoListIn([...messages, ...sources.after], sources.todo);
  const skills = skillsRead(successfulCalls);
  return {
    filesModified,
    ...(filesDeleted.length === 0 ? {} : { filesDeleted }),
    filesRead: pathsOf(successfulCalls.filter(({ kind }) => kind === 'read' || kind === 'fetch')).filter(
      (path) => !filesModified.includes(path),
    ),
    failedCommands: [...failed],
    identifiers: unique(rankIdentifiers(sourcedTexts(messages, calls), MAX_IDENTIFIERS).map((name) => quoteLine(name, 300))),
    done: [...done],
    bodies: [
      ...calls.flatMap(({ body, title }) =>
        body === undefined ? [] : [{ path: sources.bodyPath(body), what: `${quoteLine(title, 160)}, ${body.lines} lines` }],
      ),
      ...messages.flatMap((message) => mediaShown(message, sources)),
    ],
    ...(skills.length === 0 ? {} : { skills }),
    ...(todo === undefined ? {} : { todo }),
  };
}

/** What of the messages that stay came after those that leave. */
function newIn(kept: readonly Message[], messages: readonly Message[]): readonly Message[] {
  const ids = new Set(messages.map(({ id }) => id));
  return kept.filter(({ id }) => !ids.has(id));
}

/** The names of skills whose instructions were read, not only searched for or looked into. */
const skillsRead = (calls: readonly ToolCall[]): readonly string[] =>
  unique(
    calls.flatMap(({ tool, input }) =>
      tool === 'skill' && isObject(input) && isString(input.name) && input.file === undefined ? [quoteLine(input.name, 100)] : [],
    ),
  );

const pathsOf = (calls: readonly ToolCall[]): string[] => unique(calls.flatMap(({ paths }) => paths.map((path) => quoteLine(path, 1_000))));

/**
 * Continues the earlier ledger with the later one, in order of first mention. A later outcome wins: what succeeded later has not failed,
 * what was modified later was not only read. Constraints, decisions and open points accumulate here: what ends them is in the messages.
 */
export function mergeLedger(earlier: Ledger, later: Ledger): Ledger {
  const { filesModified, filesDeleted } = mergeFiles(earlier, later);
  const proposal = later.proposal ?? earlier.proposal;
  const outcomes = mergeOutcomes(earlier, later);
  const todo = later.todo ?? earlier.todo;
  const asked = unique([...(earlier.asked ?? []), ...(later.asked ?? [])]);
  const skills = unique([...(earlier.skills ?? []), ...(later.skills ?? [])]);
  return {
    filesModified,
    filesRead: unique([...earlier.filesRead, ...later.filesRead]).filter(
      (path) => !filesModified.includes(path) && !filesDeleted.includes(path),
    ),
    ...outcomes,
    done: outcomes.done.filter((text) => !madeOnly(parseSuccess(text)?.command ?? '', filesDeleted)),
    constraints: unique([...earlier.constraints, ...later.constraints]),
    decisions: unique([...earlier.decisions, ...later.decisions]),
    identifiers: mergeRanked(earlier.identifiers, later.identifiers),
    open: unique([...earlier.open, ...later.open]),
    bodies: newestBodies([...earlier.bodies, ...later.bodies]),
    ...(asked.length === 0 ? {} : { asked }),
    ...(skills.length === 0 ? {} : { skills }),
    ...(filesDeleted.length === 0 ? {} : { filesDeleted }),
    ...(proposal === undefined ? {} : { proposal }),
    ...(todo === undefined ? {} : { todo }),
  };
}

/** One line for each file and command: the newest body of what a call read or ran. */
function newestBodies(bodies: Ledger['bodies']): Ledger['bodies'] {
  const bySubject = new Map<string, Ledger['bodies'][number]>();
  for (const body of bodies) {
    const subject = commandKey(body.what.replace(/^\S+ /, '').replace(/, \d+ lines$/, ''));
    bySubject.delete(subject);
    bySubject.set(subject, body);
  }
  return [...bySubject.values()];
}

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
    const settling = success === undefined && !failedLater.has(key) ? settlingLater(later.done, key) : undefined;
    if (settling !== undefined) done.set(doneKey(settling), withCause(done.get(doneKey(settling)) ?? settling, causeText(failure)));
    else if (success === undefined || failedLater.has(key)) failures.set(`${key}\n${failure.error}`, failure);
    else done.set(key, withCause(success, failure.error));
  }
  return { failedCommands: [...failures.values()], done: [...done.values()] };
}

/** The success of another command that shows that this one's failure is past. */
const settlingLater = (done: readonly string[], key: string): string | undefined =>
  done.find((text) => settlesFailure(parseSuccess(text)?.command ?? '', key));

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
    constraints: limitList(ledger.constraints, 24_000, newestFirst),
    filesModified: limitList(ledger.filesModified, 32_000, newestFirst),
    decisions: limitList(ledger.decisions, 16_000, newestFirst),
    failedCommands: limitList(ledger.failedCommands, 12_000, newestFirst),
    open: limitList(ledger.open, 4_000, newestFirst),
    done: limitList(ledger.done, 10_000, newestFirst),
    identifiers: limitList(ledger.identifiers, 24_000, inOrder),
    filesRead: limitList(ledger.filesRead, 12_000, newestFirst),
    bodies: limitList(ledger.bodies, 8_000, newestFirst),
    ...(ledger.filesDeleted === undefined ? {} : { filesDeleted: limitList(ledger.filesDeleted, 6_000, newestFirst) }),
    ...(ledger.proposal === undefined ? {} : { proposal: ledger.proposal }),
    ...(ledger.asked === undefined ? {} : { asked: limitList(ledger.asked, 3_000, newestFirst) }),
    ...(ledger.skills === undefined ? {} : { skills: limitList(ledger.skills, 1_000, newestFirst) }),
    ...(ledger.todo === undefined ? {} : { todo: ledger.todo }),
  };
}
