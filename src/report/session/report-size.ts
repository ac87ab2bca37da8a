import { resolve } from 'node:path';
import { createContextFold } from '../../context/history/apply-record.ts';
import type { ToolCall } from '../../context/ledger/types.ts';
import { type Measure, SEED_RATIO } from '../../context/measure/measure.ts';
import { activePruning, applyPruning } from '../../context/offload/prune.ts';
import { actorsOf, type ChangeSet, isFileChange } from '../../domain/session/change.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Message, Origin, PruneRecord, Usage } from '../../domain/session/message.ts';
import type { FileRecord, LogRecord } from '../../domain/session/record.ts';

export const contextKinds = [
  'system prompt',
  'tool descriptions',
  'summary and notices',
  'your messages',
  'replies',
  'tool results',
] as const;

/** Tokens of one context: in all, and of each of `contextKinds`. `reported` when the provider counted them. */
export type ContextSize = { readonly tokens: number; readonly parts: readonly number[]; readonly reported: boolean };

/** `ratio`: of the model's tokens to the measure's, by the newest reply that told. */
type SizeScale = { readonly measure: Measure; ratio: number };

const kindOf: Readonly<Record<Origin, number>> = { summary: 2, notice: 2, user: 3, model: 4, tools: 5, interrupted: 5 };

/** What a context weighs: the parts by the measure, their sum by the provider where it told it, which then is the new ratio. */
export const measureContext = (scale: SizeScale, context: SessionContext, usage: Usage | undefined): ContextSize =>
  sizeOf(scale, rawParts(context, scale.measure), usage);

function rawParts(context: SessionContext, measure: Measure): number[] {
  const { systemTokens, toolsTokens } = measure.context({ ...context, messages: [], anchorFloor: 0 }, 1);
  const parts = contextKinds.map((_, kind) => (kind === 0 ? systemTokens : kind === 1 ? toolsTokens : 0));
  for (const message of context.messages) addToParts(parts, message, measure);
  return parts;
}

function addToParts(parts: number[], message: Message, measure: Measure): void {
  const kind = kindOf[message.origin];
  parts[kind] = (parts[kind] ?? 0) + measure.message(message, 1);
}

function sizeOf(scale: SizeScale, parts: readonly number[], usage: Usage | undefined): ContextSize {
  const total = sum(parts);
  const input = usage === undefined ? 0 : usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  if (input > 0 && total > 0) scale.ratio = input / total;
  const { ratio } = scale;
  const [system = 0, tools = 0, ...messages] = parts;
  const estimated = Math.ceil(ratio * system) + Math.ceil(ratio * tools) + Math.ceil(ratio * sum(messages));
  return { tokens: input > 0 ? input : estimated, parts: parts.map((tokens) => Math.round(tokens * ratio)), reported: input > 0 };
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

export type RunningContext = Readonly<ReturnType<typeof createRunningContext>>;

/** Weighs only what a record adds, so that a long session takes time for its records and not for their squares. */
export function createRunningContext(measure: Measure) {
  const fold = createContextFold({ system: '', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 });
  const scale = { measure, ratio: SEED_RATIO };
  let parts: number[] | undefined;
  /** What is left out on the wire since the last change of the context. */
  let pruned: PruneRecord | undefined;
  const partsNow = (): number[] => {
    parts ??= rawParts(fold.context(), measure);
    return parts;
  };
  return {
    context: fold.context,
    size: (): ContextSize => sizeOf(scale, partsNow(), undefined),
    sizeOf: (context: SessionContext): ContextSize => measureContext(scale, context, undefined),
    sizeBefore: (reply: Message): ContextSize => {
      pruned = reply.pruned ?? pruned;
      if (pruned !== undefined) return measureContext(scale, applyPruning(fold.context(), pruned), reply.usage);
      return sizeOf(scale, partsNow(), reply.usage);
    },
    apply: (record: LogRecord): void => {
      fold.apply(record);
      if (record.type === 'message' && parts !== undefined) addToParts(parts, record.message, measure);
      if (record.type === 'header' || record.type === 'checkpoint') pruned = activePruning(record.context);
      if (record.type === 'offload' || record.type === 'model') pruned = undefined;
      if (record.type === 'header' || record.type === 'checkpoint' || record.type === 'offload') parts = undefined;
    },
  };
}

type FileCounts = {
  reads: number;
  /** Changes that were recorded with what was there before and after. */
  recorded: number;
  /** Calls of tools that change files, and commands that plainly write to one; what they did is not recorded. */
  called: number;
  /** Bytes before the first change and after the last; null for no file, undefined when nothing is recorded. */
  before: number | null | undefined;
  after: number | null | undefined;
};

export type FileTally = Map<string, FileCounts>;

export const emptyFileTally = (): FileTally => new Map();

export function addFile(files: FileTally, change: ToolCall | FileRecord): void {
  if ('type' in change) {
    addChange(files, change.path, change.before?.bytes ?? null, change.after?.bytes ?? null);
    return;
  }
  for (const path of change.paths) {
    const file = fileAt(files, path);
    if (change.kind === 'read') file.reads += 1;
    if (change.kind === 'write' || change.kind === 'run') file.called += 1;
  }
}

function addChange(files: FileTally, path: string, before: number | null, after: number | null): void {
  const file = fileAt(files, path);
  file.recorded += 1;
  if (file.before === undefined) file.before = before;
  file.after = after;
}

function fileAt(files: FileTally, path: string): FileCounts {
  const file = files.get(path) ?? { reads: 0, recorded: 0, called: 0, before: undefined, after: undefined };
  files.set(path, file);
  return file;
}

export type TouchedFile = Readonly<Pick<FileCounts, 'reads' | 'before' | 'after'>> & { readonly path: string; readonly changes: number };

/** `changes` were recorded beside the log, after what it tells itself. `lookUps`: reads of results that SanBot keeps. */
export function touchedFiles(
  files: FileTally,
  folders: { readonly cwd: string; readonly home: string; readonly changes: readonly ChangeSet[] },
): { readonly files: readonly TouchedFile[]; readonly lookUps: number } {
  const mergedFiles = new Map<string, FileCounts>();
  let lookUps = 0;
  for (const [name, file] of files) {
    const path = resolve(folders.cwd, name);
    if (path.startsWith(`${folders.home}/`)) {
      lookUps += file.reads;
      continue;
    }
    const sum = fileAt(mergedFiles, path);
    sum.reads += file.reads;
    sum.recorded += file.recorded;
    sum.called += file.called;
    if (sum.before === undefined) sum.before = file.before;
    if (file.after !== undefined) sum.after = file.after;
  }
  for (const { path, before, after } of folders.changes.flatMap((set) =>
    actorsOf(set).length === 0 ? [] : set.changes.filter(isFileChange),
  ))
    addChange(mergedFiles, path, before?.size ?? null, after?.size ?? null);
  // A change by a tool of SanBot's is a call and a record; where a link gave it two names, the record is right.
  const touched = [...mergedFiles]
    .map(([path, { recorded, called, ...file }]) => ({ path, ...file, changes: Math.max(recorded, called) }))
    .filter(({ reads, changes }) => reads + changes > 0);
  return { files: touched.sort((a, b) => b.changes - a.changes || b.reads - a.reads || (a.path < b.path ? -1 : 1)), lookUps };
}
