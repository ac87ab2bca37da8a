import { inOrder, limitList, newestFirst, unique } from '../../domain/lists.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import { madeOnly, mergeFiles } from './files/changed-files.ts';
import { causeText, checksIn, commandKey, parseSuccess, settlesFailure, successText } from './outcomes.ts';

/** A later outcome wins. Constraints, decisions and open points accumulate here: what ends them is in the messages. */
export function mergeLedger(earlier: Ledger, later: Ledger): Ledger {
  const { filesModified, filesDeleted } = mergeFiles(earlier, later);
  const outcomes = mergeOutcomes(earlier, later);
  const both = (list: 'filesRead' | 'constraints' | 'decisions' | 'open' | 'asked' | 'skills'): string[] =>
    unique([...(earlier[list] ?? []), ...(later[list] ?? [])]);
  return {
    ...earlier,
    ...later,
    filesModified,
    filesRead: both('filesRead').filter((path) => !filesModified.includes(path) && !filesDeleted.includes(path)),
    ...outcomes,
    done: outcomes.done.filter((text) => !madeOnly(parseSuccess(text)?.command ?? '', filesDeleted)),
    constraints: both('constraints'),
    decisions: both('decisions'),
    identifiers: mergeRanked(earlier.identifiers, later.identifiers),
    open: both('open'),
    bodies: newestBodies([...earlier.bodies, ...later.bodies]),
    asked: someOf(both('asked')),
    skills: someOf(both('skills')),
    filesDeleted: someOf(filesDeleted),
    todo: later.todo ?? earlier.todo,
  };
}

export const someOf = <Item>(list: readonly Item[]): readonly Item[] | undefined => (list.length === 0 ? undefined : list);

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

function settlingLater(done: readonly string[], key: string): string | undefined {
  const checks = checksIn(key);
  const shown = checks.map((check) => done.find((text) => doneKey(text) === check));
  if (checks.length > 0 && shown.every((text) => text !== undefined)) return shown[0];
  return done.find((text) => settlesFailure(parseSuccess(text)?.command ?? '', key));
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

/** The earlier list has an advantage: a name that once ranked high fades slowly. A name in both lists rises. */
function mergeRanked(earlier: readonly string[], later: readonly string[]): string[] {
  const score = new Map(earlier.map((name, rank) => [name, 1 / (rank / 3 + 10)]));
  for (const [rank, name] of later.entries()) {
    const previous = score.get(name);
    score.set(name, Math.max(previous ?? 0, 1 / (rank + 10)) + (previous === undefined ? 0 : 0.02));
  }
  return [...score].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** Limits the ledger that is stored with each summary: to so many UTF-16 units in each list. The first two must be cut last. */
export function boundLedger(ledger: Ledger): Ledger {
  const { filesDeleted, purpose, chosen, asked, skills, overruled, proposal, todo, progress, symbols } = ledger;
  const newest = <Item>(list: readonly Item[], chars: number): Item[] => limitList(list, chars, newestFirst);
  return {
    constraints: newest(ledger.constraints, 24_000),
    filesModified: newest(ledger.filesModified, 32_000),
    decisions: newest(ledger.decisions, 16_000),
    failedCommands: newest(ledger.failedCommands, 12_000),
    open: newest(ledger.open, 4_000),
    done: newest(ledger.done, 10_000),
    identifiers: limitList(ledger.identifiers, 24_000, inOrder),
    filesRead: newest(ledger.filesRead, 12_000),
    bodies: newest(ledger.bodies, 8_000),
    filesDeleted: filesDeleted && newest(filesDeleted, 6_000),
    proposal,
    purpose,
    chosen: chosen && newest(chosen, 16_000),
    asked: asked && newest(asked, 3_000),
    skills: skills && newest(skills, 1_000),
    todo,
    overruled: overruled && newest(overruled, 4_000),
    progress,
    symbols,
  };
}
