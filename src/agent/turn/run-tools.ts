import type { Limits } from '../../context/measure/limits.ts';
import { offloadsOnArrival } from '../../context/offload/offload.ts';
import type { Bilingual } from '../../domain/language.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import { type ChangedPaths, type ContentBlock, type Message, type ToolUseBlock, textOf } from '../../domain/session/message.ts';
import { redact } from '../../domain/value/redact.ts';
import { type AgentDeps, type LimitsDeps, limitsOf, reportInstructions, warn } from '../deps.ts';
import { offloadedResult, type StoredStub, storeArrival } from '../fit/store-stub.ts';
import type { ChangedFiles, Tool, ToolOutcome, ToolPlan } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import { type CallOutcome, nextGroup, runCall, type StoredOutcome } from './run-call.ts';
import { toolExcerpt } from './tool-excerpt.ts';

export type RunToolsDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'report' | 'person' | 'measure' | 'prompts' | 'disk'>;

/**
 * Runs the calls of one reply and stores each result as soon as it is there, in the order of the calls. Looking runs side by
 * side, everything else one after the other, so that a person is asked about one thing at a time. A call that fails, is
 * denied or is interrupted has a result that says so. When the disk refuses a result, the calls after it are not run, but
 * every call still has its result in the session. Resolves to what ended the turn: why a hook did, or the answer that a call gave;
 * undefined when nothing did.
 */
export async function runTools(
  requested: readonly ToolUseBlock[],
  session: Session,
  deps: RunToolsDeps,
  { tools, signal }: { readonly tools: readonly Tool[]; readonly signal: AbortSignal },
): Promise<TurnEnd | undefined> {
  const limits = limitsOf(session, deps);
  const calls = requested.map(calledTool);
  const failures: unknown[] = [];
  const touched: string[] = [];
  let index = 0;
  let end: TurnEnd | undefined;
  let planned: ToolOutcome | undefined;
  while (index < calls.length) {
    const group = await nextGroup(calls.slice(index), tools, signal);
    const stop = { signal: failures.length === 0 ? signal : AbortSignal.abort(), hasEnded: end !== undefined };
    const running = group.map((call) => runCall(call, session, deps, stop));
    for (const [at, { call }] of group.entries()) {
      const outcome = await running[at];
      if (outcome === undefined) continue;
      if (!outcome.denied) touched.push(...pathsTouched(outcome.plan));
      end ??= endOf(outcome);
      try {
        storeResult(call, redactOutcome(outcome, deps), session, deps, limits);
        if (outcome.todo !== undefined && planned?.acceptedPlan === undefined) planned = outcome;
      } catch (error) {
        failures.push(error);
      }
    }
    index += group.length;
  }
  if (failures.length > 0) throw failures[0];
  // Behind all results, which stand together.
  if (planned !== undefined) (await import('../memory/plan.ts')).followPlan(planned, session, deps);
  if (!signal.aborted) appendFolderInstructions(touched, session, deps);
  return end;
}

const endOf = ({ ends, answer }: CallOutcome): TurnEnd | undefined =>
  ends !== undefined ? { why: ends } : answer === undefined ? undefined : { answer };

export type TurnEnd = { readonly why: string } | { readonly answer: string };

/**
 * What a tool printed without the keys and passwords in it, before the model or the disk get to see them; so what is restored later is
 * what was sent. What a person types and what the model writes stay as they are.
 */
export const redactOutcome = <Outcome extends ToolOutcome>(outcome: Outcome, { config }: Pick<AgentDeps, 'config'>): Outcome =>
  config.agent.redactSecrets
    ? {
        ...outcome,
        ...{ content: redact(outcome.content), note: redactBoth(outcome.note) },
        ...(outcome.shown === undefined ? {} : { shown: redactBoth(outcome.shown) }),
        ...(outcome.changedPaths === undefined ? {} : { changedPaths: redactPaths(outcome.changedPaths) }),
        ...(outcome.changed === undefined ? {} : { changed: redactChanged(outcome.changed) }),
        ...(outcome.diff === undefined ? {} : { diff: { ...outcome.diff, text: redact(outcome.diff.text) } }),
      }
    : outcome;

const redactPaths = ({ files, deleted }: ChangedPaths): ChangedPaths => ({ files: files.map(redact), deleted: deleted.map(redact) });

const changedBy = (toolUseId: string, { files, deleted }: ChangedPaths) => ({ toolUseId, files: [...files], deleted: [...deleted] });

const redactChanged = ({ text, note }: ChangedFiles): ChangedFiles => ({ text: redact(text), note: redactBoth(note) });
const redactBoth = ({ en, zh }: Bilingual): Bilingual => ({ en: redact(en), zh: redact(zh) });

/** What a result needs to be stored: no model is asked, nobody is, and nothing runs. */
export type StoreResultDeps = LimitsDeps & Pick<AgentDeps, 'measure' | 'report'>;

/** Stores the result of a call: the body of a large one before its stub appears anywhere, what hooks said of it behind it. */
export function storeResult(call: ToolUseBlock, outcome: StoredOutcome, session: Session, deps: StoreResultDeps, limits: Limits): void {
  const stub = offloadOnArrival(call, outcome, session, deps, limits);
  const result = [stub?.text ?? (outcome.content === '' ? '(no output)' : outcome.content), ...changedLines(outcome)].join('\n');
  const text = [result, ...(outcome.remarks ?? [])].join('\n\n');
  const block: ContentBlock = {
    type: 'tool_result',
    tool_use_id: call.id,
    content: outcome.media === undefined ? text : [{ type: 'text', text }, ...outcome.media],
    ...(outcome.ok ? {} : { is_error: true }),
  };
  const extra: Partial<Message> = {
    ...(stub ? { stubs: [stub.ref] } : {}),
    ...(outcome.readBack === true ? { readBack: [call.id] } : {}),
    ...(stub === undefined && outcome.source !== undefined ? { sources: [{ toolUseId: call.id, path: outcome.source }] } : {}),
    ...(outcome.changedPaths === undefined ? {} : { changed: [changedBy(call.id, outcome.changedPaths)] }),
    ...(outcome.ranInput === undefined ? {} : { ran: [{ toolUseId: call.id, input: outcome.ranInput }] }),
    ...(outcome.said === undefined ? {} : { refusals: [{ toolUseId: call.id, said: outcome.said }] }),
  };
  session.append({ type: 'message', message: session.message({ role: 'user', origin: 'tools', content: [block], ...extra }) });
  const { ok, denied, ms, note, diff, todo } = outcome;
  deps.report.emit({
    type: 'tool_ended',
    toolUseId: call.id,
    tool: call.name,
    ok,
    denied,
    bytes: new TextEncoder().encode(outcome.content).length,
    ms,
    note,
    ...(diff !== undefined && { diff }),
    ...(todo !== undefined && { todo }),
  });
  const excerpt = toolExcerpt(call.name, outcome);
  if (excerpt !== undefined) deps.report.emit({ type: 'tool_output', toolUseId: call.id, ...excerpt });
  if (outcome.changed !== undefined) deps.report.emit({ type: 'files_changed', toolUseId: call.id, note: outcome.changed.note });
  if (stub === undefined) return;
  deps.report.emit({
    type: 'offloaded',
    when: 'arrival',
    results: [offloadedResult(stub)],
    tokensBefore: deps.measure.text(outcome.content, session.estimate.ratio),
    tokensAfter: deps.measure.text(stub.text, session.estimate.ratio),
  });
}

const changedLines = ({ changed }: ToolOutcome): readonly string[] => (changed === undefined ? [] : [changed.text]);

function offloadOnArrival(
  call: ToolUseBlock,
  outcome: ToolOutcome,
  session: Session,
  deps: StoreResultDeps,
  limits: Limits,
): StoredStub | undefined {
  const result = { tool: call.name, content: outcome.content, readBack: outcome.readBack === true };
  if (!offloadsOnArrival(result, limits, deps.config.offload)) return undefined;
  const content = [outcome.content, ...changedLines(outcome)].join('\n');
  const stub = storeArrival({ ...outcome, content, toolUseId: call.id, tool: call.name }, session, limits);
  if (stub !== 'full') return stub;
  warn(deps.report.emit, {
    en: `A result of ${call.name} stays in the context: the session's offload.maxSessionBytes is used up.`,
    zh: `${call.name} 的一个结果留在上下文中：会话的 offload.maxSessionBytes 已用完。`,
  });
  return undefined;
}

/** The kind of these notices; `folder` says which folder one is of. */
const FOLDER_INSTRUCTIONS = 'folder_instructions';
const MAX_WORDS = 40;

/** Returns the paths that a call names: of a file tool its path, of a command its words, of which some are paths. */
function pathsTouched(plan: ToolPlan): readonly string[] {
  if (plan.kind === 'invalid') return [];
  if (plan.path !== undefined) return plan.place === 'inside' ? [plan.path] : [];
  const words = plan.command?.parsed.commands.flatMap((command) => command.words) ?? [];
  return words.flatMap((word) => (word === undefined || word === '' || word.startsWith('-') ? [] : [word])).slice(0, MAX_WORDS);
}

/**
 * Appends what the instruction files of touched folders say, unless the context says it already; so a compaction that takes it out lets it
 * be read again. Nothing before it changes: the prompt is frozen.
 */
function appendFolderInstructions(
  paths: readonly string[],
  session: Session,
  { prompts, report }: Pick<AgentDeps, 'prompts' | 'report'>,
): void {
  if (paths.length === 0) return;
  const { messages } = session.context;
  for (const { folder, text, files } of prompts.folder?.([...new Set(paths)]) ?? []) {
    const known = messages.findLast((message) => message.notice === FOLDER_INSTRUCTIONS && message.folder === folder);
    if (known !== undefined && textOf(known.content) === text) continue;
    const notice = { origin: 'notice', notice: FOLDER_INSTRUCTIONS, folder, content: [{ type: 'text', text }] } as const;
    session.append({ type: 'message', message: session.message({ role: 'user', ...notice }) });
    reportInstructions(report.emit, files);
  }
}
