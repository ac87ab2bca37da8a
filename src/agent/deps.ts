/**
 * The agent: the order in which things are done in a conversation, and nothing of how they are done.
 *
 * In comes what the user says; out come requests to a model, calls of tools, writes to a store and events. turn/ leads through a turn,
 * fit/ keeps the context within the window, compaction/ and rollback/ replace it by another, session/ holds it, memory/ keeps what is to
 * outlast it. All that touches the world comes in by the types of ports/, put together here for the functions that use them.
 *
 * The order of writes is the protocol, so a crash at any moment leaves the state before or after a step. No I/O, no clock and no chance
 * is to be found in this room, and none of its functions keeps state in a module.
 */

import type { CompactionSample, Tally } from '../context/fidelity/fidelity.ts';
import { type Limits, limitsFor, limitsWithBase } from '../context/measure/limits.ts';
import type { ContextCount, Measure } from '../context/measure/measure.ts';
import { hasAmpleRoom, tightWindowNotice, windowProblem } from '../context/measure/window-problem.ts';
import type { ReadFile, UnreadFile } from '../context/prompt/system-prompt.ts';
import type { SummaryPrompts } from '../context/summary/summary-request.ts';
import type { Config } from '../domain/config/config.ts';
import { errorReason } from '../domain/errors.ts';
import { type Bilingual, because } from '../domain/language.ts';
import type { PermissionMode } from '../domain/permission.ts';
import type { CompactionWish, SessionContext } from '../domain/session/context.ts';
import { NO_TEXT } from '../domain/value/text-bytes.ts';
import type { Archive, FolderInstructions, Memories, ReadRecords, RecordedActs, Snapshots } from './ports/disk.ts';
import type { Clock, Confirm, Deadline, Emit, NewId } from './ports/effects.ts';
import type { Model, ModelFacts } from './ports/model.ts';
import type { AskPermission, Permissions, RunHooks } from './ports/tools.ts';
import type { Session } from './session/session.ts';

/**
 * Says what became of the facts that a compaction took out of the context: how many are still in it, can be found by one look-up,
 * or neither; undefined when that would take too long. Testimony for the audit log; a rejection is told and changes nothing.
 */
export type CheckCompaction = (compaction: CompactionSample) => Promise<Tally | undefined>;

/** All that the agent works with, in groups; a function takes those that it uses. Built once for a conversation. */
export type AgentDeps = {
  readonly config: Config;
  readonly model: Model & {
    /** False for a model that only follows direct requests: then summaries are made by rule, and that is no failure. */
    readonly canSummarise: boolean;
    /** The model that takes over where the session's cannot answer now; left out where none does. */
    readonly fallback?: string;
    /** Where rules write what a model would, as in a replay, what is done first goes by the model's prices all the same. */
    readonly rulesStandForModel?: boolean;
  };
  readonly clock: {
    readonly now: Clock;
    readonly newId: NewId;
    readonly deadline: Deadline;
    /** For how long until now nothing was worked on: a person was asked, or the program was suspended. Left out where neither can be. */
    readonly idleMs?: () => number;
  };
  /** What is said of the work, to the screen and to the audit log. */
  readonly report: {
    readonly emit: Emit;
    /** Left out where compactions are judged by other means. */
    readonly checkCompaction?: CheckCompaction;
  };
  /** What the person at the terminal decides: by settings beforehand, when asked, and by hooks. */
  readonly person: {
    readonly mode: PermissionMode;
    /** Somebody types, and may be away for a while between two messages. */
    readonly interactive?: boolean;
    /** False where the mode is that of a command, and not of a conversation that a summary would remind of it. */
    readonly repeatsMode?: boolean;
    /** Tools that a flag allows where nobody can be asked. */
    readonly allowed: ReadonlySet<string>;
    readonly permissions: Permissions;
    /** False where the working folder is the person's home or above it. */
    readonly trustsFolder: boolean;
    readonly askPermission: AskPermission;
    readonly confirm: Confirm;
    /** Undefined where nobody has any, as in a replay. */
    readonly runHooks?: RunHooks;
  };
  readonly disk: {
    readonly snapshots: Snapshots;
    readonly past: ReadRecords;
    /** Left out where snapshots alone keep what leaves. */
    readonly archive?: Archive;
    readonly memories: Memories;
    /** What may change files. Left out where nothing is run, as in a replay. */
    readonly acts?: RecordedActs;
  };
  readonly prompts: {
    readonly summary: () => SummaryPrompts;
    /** The frozen part of the system prompt, and the tools as the model is told of them, as a session with this model would freeze them now. */
    readonly base: (model: string) => Pick<SessionContext, 'system' | 'tools'>;
    /** What goes on outside of the conversation now, a line for each; left out where nothing can. */
    readonly ongoing?: () => readonly string[];
    /** Left out where there is no project, as in a replay. */
    readonly folder?: FolderInstructions;
  };
  readonly measure: Measure;
};

/** The time of the work, in milliseconds: it stands still while a person is asked. Only differences mean something. */
export const workMs = ({ now, idleMs }: Pick<AgentDeps['clock'], 'now' | 'idleMs'>): number => now().getTime() - (idleMs?.() ?? 0);

/** The same work with every event passed to `emit` instead. */
export const withEmit = <Deps extends Pick<AgentDeps, 'report'>>(deps: Deps, emit: Emit): Deps => ({
  ...deps,
  report: { ...deps.report, emit },
});

/** Tells the person what is no failure of the work. */
export const warn = (emit: Emit, message: Bilingual): void => emit({ type: 'warning', message });

/** Tells which instruction files are in the context, and warns of those of which only the beginning is, or nothing. */
export function reportInstructions(emit: Emit, files: readonly ReadFile[], unread: readonly UnreadFile[] = []): void {
  for (const { path, why } of unread) warn(emit, because({ en: `${path} is not read`, zh: `未读取 ${path}` }, why));
  if (files.length > 0) emit({ type: 'instructions_read', files });
  for (const { path } of files.filter(({ garbled }) => garbled))
    warn(emit, {
      en: `${path}: ${NO_TEXT.en}. The model does not have it as it was written; iconv converts it.`,
      zh: `${path}：${NO_TEXT.zh}。模型收到的与原文不同；可用 iconv 转换。`,
    });
  for (const { path, chars } of files.filter(({ cut }) => cut))
    warn(emit, {
      en: `${path} is too long: the model has only its first ${chars} characters. Put what matters there, and the rest into files that it names.`,
      zh: `${path} 太长：模型只收到开头的 ${chars} 个字符。请把重要内容放在开头，其余放进其中列出的文件。`,
    });
}

/** What `work` returns; where it fails, that is told with its reason, and nothing else comes of it. */
export function orWarn<Result>(emit: Emit, what: Bilingual, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    warn(emit, because(what, errorReason(error)));
    return undefined;
  }
}

type FactsDeps = { readonly model: Pick<Model, 'facts'> };
export type LimitsDeps = FactsDeps & Pick<AgentDeps, 'config'>;

/** The model's facts for this session; a window that an overflow answer stated wins over every table. */
export function modelFacts(session: Session, { model }: FactsDeps): ModelFacts {
  const facts = model.facts(session.model);
  const statedWindow = session.estimate.statedWindow;
  return statedWindow === undefined || statedWindow >= facts.windowTokens
    ? facts
    : { ...facts, windowTokens: statedWindow, assumed: false };
}

/**
 * The limits of a session with its model, beside its own system prompt and tools. A price step of the model counts as an edge
 * like the soft window, unless the user wants the model's whole window.
 */
export const limitsOf = (session: Session, deps: LimitsDeps): Limits => limitsIn(modelFacts(session, deps), session, deps);

/** The same with what is wanted of one compaction in the place of the settings. */
export function withWish<Deps extends Pick<AgentDeps, 'config'>>(deps: Deps, { targetTokens, keepMessages, model }: CompactionWish): Deps {
  const { compaction } = deps.config;
  const wanted = {
    ...(targetTokens !== undefined && { targetTokens }),
    ...(keepMessages !== undefined && { keepRecentMessages: keepMessages }),
    ...(model !== undefined && { model, useLLMSummary: true }),
  };
  return { ...deps, config: { ...deps.config, compaction: { ...compaction, ...wanted } } };
}

/** The same with a model of these facts, and with another base where that is counted. */
export function limitsIn(
  { windowTokens, priceStepTokens, thinkingTokens }: ModelFacts,
  { estimate }: Pick<Session, 'estimate'>,
  deps: Pick<AgentDeps, 'config'>,
  { systemTokens, toolsTokens }: BaseTokens = estimate.count(),
): Limits {
  const { compaction, offload } = deps.config;
  const priceStepFirst = priceStepTokens !== undefined && compaction.softWindow > 0 && priceStepTokens < compaction.softWindow;
  const limits = limitsFor(
    { offload, compaction: priceStepFirst ? { ...compaction, softWindow: priceStepTokens } : compaction },
    windowTokens,
    thinkingTokens,
  );
  return limitsWithBase(limits, systemTokens + toolsTokens);
}

type BaseTokens = Pick<ContextCount, 'systemTokens' | 'toolsTokens'>;

/** The same without the system prompt and the tools: all that only the window decides, and nothing above what it is beside them. */
export const limitsWithoutBase = (session: Session, deps: LimitsDeps): Limits =>
  limitsIn(modelFacts(session, deps), session, deps, { systemTokens: 0, toolsTokens: 0 });

/** True where the session is so far from every limit that nothing has to be counted: no rung is due, and nothing to be told. */
export const isFarFromLimits = (session: Session, deps: LimitsDeps): boolean =>
  hasAmpleRoom(session.estimate.most(), limitsWithoutBase(session, deps));

/** Why no conversation of this session fits into these limits, its largest tools by name; undefined when one does. */
export function windowTooSmall(
  session: Session,
  { measure }: Pick<AgentDeps, 'measure'>,
  limits: Limits,
  { tools, count }: { readonly tools: SessionContext['tools']; readonly count: BaseTokens } = {
    tools: session.context.tools,
    count: session.estimate.count(),
  },
): Bilingual | undefined {
  const largest = () =>
    tools
      .map((spec) => ({ name: spec.name, tokens: measure.text(JSON.stringify(spec), session.estimate.ratio) }))
      .sort((a, b) => b.tokens - a.tokens);
  return windowProblem(count, limits, largest);
}

/** Says of the window when a conversation begins that no conversation fits beside the system prompt and the tools, or only a short one. */
export function warnOfWindow(session: Session, deps: AgentDeps): void {
  if (isFarFromLimits(session, deps)) return;
  const limits = limitsOf(session, deps);
  const message = windowTooSmall(session, deps, limits) ?? tightWindowNotice(session.estimate.count(), limits);
  if (message !== undefined) deps.report.emit({ type: 'warning', message });
}
