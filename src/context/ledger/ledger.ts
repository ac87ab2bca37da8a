/**
 * Facts that outlive the messages they came from: constraints, decisions, files, commands and their outcomes, identifiers, open points.
 *
 * Messages with their results come in; a ledger comes out that continues the earlier one. A later outcome wins over an earlier one, and a
 * later word of the user over a rule or a decision.
 *
 * Gathered by rule, never by a model; total and linear. Nothing is in it that was not in the messages, secrets are redacted, and what a
 * program printed is never taken for what a person said.
 */

import { unique } from '../../domain/lists.ts';
import { emptyLedger, type Ledger } from '../../domain/session/ledger.ts';
import type { Message, ReadBody } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { newestRequest } from '../history/cut.ts';
import { todoListIn } from '../history/todo-list.ts';
import { type MediaPlaces, mediaShown } from '../offload/media-stub.ts';
import { continuePurpose } from '../rules/purpose.ts';
import { followFacts } from '../rules/standing-facts.ts';
import { needsReferent } from '../sentence/asks.ts';
import { quietMentions, quoteLine, quoteText } from '../text/sentences.ts';
import { exchangesBefore, isRequest, messageText, onlyKept } from './exchange/exchanges.ts';
import { progressIn } from './exchange/progress.ts';
import { changedFiles } from './files/changed-files.ts';
import { isSamePath, undoneIn } from './files/undone.ts';
import { rankIdentifiers } from './identifiers.ts';
import { mergeLedger, someOf } from './merge-ledger.ts';
import { type CommandFailure, causeText, commandKey, commandText, outcomesOf, parseSuccess, wasRun } from './outcomes.ts';
import { sourcedTexts, symbolsIn } from './sourced-texts.ts';
import { toolCalls } from './tool-calls.ts';
import type { ToolCall } from './types.ts';

const MAX_IDENTIFIERS = 1_000;
const ASKED_CHARS = 1_500;

export type LedgerSources = MediaPlaces & {
  readonly bodyOf: ReadBody;
  /** What stays in the context after the messages: it shows what of them is settled. */
  readonly kept?: readonly Message[];
  /** What the user asks this compaction to keep, in the user's words. */
  readonly asked?: string | undefined;
};

/** Continues the earlier ledger by these messages, which may end what it held: a rule, a decision, an open point. */
export function continueLedger(earlier: Ledger, messages: readonly Message[], sources: LedgerSources): Ledger {
  const { kept = [] } = sources;
  const calls = toolCalls(messages, sources.bodyOf);
  const after = onlyKept(kept, messages);
  const files = changedFiles(calls);
  const found = ledgerOfCalls(messages, calls, { ...sources, after, files, todo: earlier.todo });
  const before = withoutRestored(earlier, files.restored);
  const merged = withoutSettled(mergeLedger(before, { ...emptyLedger, ...found }), before, [...calls, ...toolCalls(after, sources.bodyOf)]);
  const facts = followFacts(earlier, messages, kept);
  const undone = undoneDecisions(messages, calls, after);
  const decisions = facts.decisions.filter((decision) => !undone.has(decision));
  const ended = unique([...(earlier.overruled ?? []), ...earlier.decisions]).filter((decision) => !decisions.includes(decision));
  const refused = openRefusals(earlier, { calls, messages, after, done: merged.done });
  return {
    ...{ ...merged, ...facts },
    decisions,
    purpose: continuePurpose(earlier, messages),
    chosen: someOf(facts.chosen),
    overruled: someOf(ended),
    open: unique([...facts.open.filter((item) => !isRefusal(item)), ...refused]),
    symbols: someOf(symbolsIn(calls, earlier.symbols ?? [], merged)),
    progress: progressIn(earlier, messages, { calls, after }),
    proposal: newestProposal(earlier, messages, kept),
  };
}

/** A command that failed here and worked in what is kept is no longer one that fails. */
function withoutSettled(ledger: Ledger, earlier: Ledger, calls: readonly ToolCall[]): Ledger {
  if (ledger.failedCommands.length === 0) return ledger;
  const { failed, done } = outcomesOf(calls);
  const now = mergeLedger(earlier, { ...emptyLedger, failedCommands: failed, done });
  const failing = new Set(now.failedCommands.map(({ command }) => commandKey(command)));
  const fails = ({ command }: CommandFailure): boolean => failing.has(commandKey(command));
  const settled = ledger.failedCommands.filter((failure) => !fails(failure));
  const causes = settled.flatMap((failure) => [failure.error, causeText(failure)]);
  const repairs = now.done.filter((text) => parseSuccess(text)?.after.some((cause) => causes.includes(cause)));
  const repaired = repairs.map((text) => parseSuccess(text)?.command);
  const others = ledger.done.filter((text) => !repaired.includes(parseSuccess(text)?.command));
  return {
    ...ledger,
    failedCommands: ledger.failedCommands.filter(fails),
    done: repairs.length === 0 ? ledger.done : [...others, ...repairs],
  };
}

function withoutRestored(earlier: Ledger, restored: readonly string[]): Ledger {
  if (restored.length === 0 || earlier.done.some((text) => /\bgit commit\b|^Commit /.test(text))) return earlier;
  return { ...earlier, filesModified: earlier.filesModified.filter((path) => !restored.some((each) => isSamePath(each, path))) };
}

function ledgerOfCalls(
  messages: readonly Message[],
  calls: readonly ToolCall[],
  sources: LedgerSources & Pick<Ledger, 'todo'> & { readonly after: readonly Message[]; readonly files: ReturnType<typeof changedFiles> },
): Partial<Ledger> {
  const successfulCalls = calls.filter((call) => !call.failed && wasRun(call));
  const { filesModified, filesDeleted } = sources.files;
  const { failed, done } = outcomesOf(calls);
  const pathsRead = successfulCalls.flatMap(({ kind, paths }) => (kind === 'read' || kind === 'fetch' ? paths : []));
  return {
    filesModified,
    filesDeleted,
    filesRead: unique(pathsRead.map((path) => quoteLine(path, 1_000))).filter((path) => !filesModified.includes(path)),
    failedCommands: [...failed],
    identifiers: unique(rankIdentifiers(sourcedTexts(messages, calls), MAX_IDENTIFIERS).map((name) => quoteLine(name, 300))),
    done: [...done],
    bodies: [
      ...calls.flatMap(({ body, title }) =>
        body === undefined ? [] : [{ path: sources.bodyPath(body), what: `${quoteLine(title, 160)}, ${body.lines} lines` }],
      ),
      ...messages.flatMap((message) => mediaShown(message, sources)),
    ],
    asked: sources.asked?.trim() ? [quoteLine(sources.asked, ASKED_CHARS)] : [],
    skills: skillsRead(successfulCalls),
    todo: todoListIn([...messages, ...sources.after], sources.todo),
  };
}

const skillsRead = (calls: readonly ToolCall[]): readonly string[] =>
  calls.flatMap(({ tool, input }) =>
    tool === 'skill' && isObject(input) && isString(input.name) && input.file === undefined ? [quoteLine(input.name, 100)] : [],
  );

type RefusalInput = Readonly<Record<'messages' | 'after', readonly Message[]>> &
  Pick<Ledger, 'done'> & { readonly calls: readonly ToolCall[] };

/** The calls that were refused in the turn that still goes on, and that did not work since. */
function openRefusals(earlier: Ledger, { calls, messages, after, done }: RefusalInput): readonly string[] {
  const endsTurn = (message: Message): boolean => isRequest(message) || (message.origin === 'model' && message.stopReason === 'end_turn');
  if (after.some(endsTurn)) return [];
  const turnStart = messages.findLastIndex(endsTurn);
  const refused = calls
    .filter((call) => call.denied && call.index > turnStart && saysWhat(call))
    .map((call) => refusalOf(commandText(call)));
  // A turn that an earlier compaction divided begins with its own request, which was kept.
  const goesOn = turnStart <= 0 && messages[0]?.origin !== 'model';
  const worked = new Set(done.map((text) => refusalOf(parseSuccess(text)?.command ?? '')));
  return [...(goesOn ? earlier.open.filter(isRefusal) : []), ...refused].slice(-MAX_REFUSALS).filter((item) => !worked.has(item));
}

const isRefusal = (item: string): boolean => item.startsWith(REFUSAL_PREFIX);

const saysWhat = (call: ToolCall): boolean => commandText(call) !== call.tool;

const refusalOf = (command: string): string => `${REFUSAL_PREFIX}\`${command}\``;
const REFUSAL_PREFIX = 'Not allowed when it was tried: ';
const MAX_REFUSALS = 10;

/** What was decided for work that was taken back later, by git or at the user's word: it is no longer what was decided. */
function undoneDecisions(messages: readonly Message[], calls: readonly ToolCall[], kept: readonly Message[]): ReadonlySet<string> {
  const exchanges = exchangesBefore(messages, kept);
  const undone = [...undoneIn(exchanges, calls).exchanges];
  return new Set(
    undone.flatMap((at) => {
      const [from, to] = [exchanges[at]?.from ?? 0, exchanges[at + 1]?.from];
      const before = messages.slice(exchanges[at - 1]?.from ?? 0, from);
      const reply = followFacts(NOTHING, before).decisions;
      return followFacts(NOTHING, messages.slice(before.length === 0 ? from : from - before.length, to)).decisions.filter(
        (decision) => !reply.includes(decision),
      );
    }),
  );
}

const NOTHING = { constraints: [], decisions: [], open: [] };

const PROPOSAL_CHARS = 2_400;

/** What the newest request answers, when it is nothing without it ("yes, do it all", "option 2") and that leaves the context. */
function newestProposal(earlier: Pick<Ledger, 'proposal'>, messages: readonly Message[], kept: readonly Message[]): string | undefined {
  const all = [...messages, ...onlyKept(kept, messages)];
  const at = newestRequest(all);
  const request = all[at];
  if (request === undefined) return earlier.proposal;
  if (!needsReferent(messageText(request))) return undefined;
  const reply = all.slice(0, at).findLast((message) => message.origin === 'model' && messageText(message).trim() !== '');
  if (reply === undefined) return earlier.proposal;
  return kept.includes(reply) ? undefined : quoteProposal(messageText(reply).trim());
}

function quoteProposal(text: string): string {
  const end =
    text.length <= PROPOSAL_CHARS
      ? text
      : `[… ${text.length - PROPOSAL_CHARS} characters left out …]\n${text.slice(-PROPOSAL_CHARS).toWellFormed()}`;
  return quietMentions(quoteText(end))
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
