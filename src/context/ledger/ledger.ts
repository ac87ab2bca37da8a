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

import { unique } from '../../domain/lists.ts';
import { emptyLedger, type Ledger } from '../../domain/session/ledger.ts';
import type { Message, ReadBody } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { todoListIn } from '../history/todo-list.ts';
import { type MediaPlaces, mediaShown } from '../offload/media-stub.ts';
import { newestProposal } from '../rules/newest-proposal.ts';
import { followFacts } from '../rules/standing-facts.ts';
import { undoneDecisions } from '../rules/undone-decisions.ts';
import { quoteLine } from '../text/quote.ts';
import { progressIn } from './exchange/progress.ts';
import { changedFiles } from './files/changed-files.ts';
import { isSamePath } from './files/undone.ts';
import { rankIdentifiers } from './identifiers.ts';
import { mergeLedger } from './merge-ledger.ts';
import { outcomesOf, wasRun } from './outcomes.ts';
import { isRefusal, openRefusals } from './refusals.ts';
import { sourcedTexts } from './sourced-texts.ts';
import { symbolsIn } from './symbols.ts';
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
  const { chosen, ...facts } = followFacts(earlier, messages, sources.kept);
  const asked = sources.asked?.trim() ? { asked: [quoteLine(sources.asked, ASKED_CHARS)] } : {};
  const after = newIn(sources.kept ?? [], messages);
  const files = changedFiles(calls);
  const {
    proposal: _,
    progress: _was,
    symbols: _known,
    overruled: _ended,
    chosen: _own,
    ...before
  } = withoutRestored(earlier, files.restored);
  const proposal = newestProposal(earlier, messages, sources.kept ?? []);
  const found = {
    ...ledgerOfCalls(messages, calls, { ...sources, after, files, todo: earlier.todo }),
    ...asked,
    ...(proposal === undefined ? {} : { proposal }),
  };
  const merged = mergeLedger(before, { ...emptyLedger, ...found });
  const refused = openRefusals(earlier, { calls, messages, after, done: merged.done });
  const undone = undoneDecisions(messages, calls, after);
  const progress = progressIn(earlier, messages, { calls, after });
  const symbols = symbolsIn(calls, earlier.symbols ?? [], merged);
  const decisions = facts.decisions.filter((decision) => !undone.has(decision));
  const overruled = unique([...(earlier.overruled ?? []), ...earlier.decisions]).filter((decision) => !decisions.includes(decision));
  return {
    ...{ ...merged, ...facts },
    ...(symbols.length === 0 ? {} : { symbols }),
    ...(progress === undefined ? {} : { progress }),
    decisions,
    ...(chosen.length === 0 ? {} : { chosen }),
    ...(overruled.length === 0 ? {} : { overruled }),
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
