import { diffPages, entriesFromDaily, type MasterLine, updateMasterPage } from '../../context/memory/consolidate.ts';
import { SanbotError } from '../../domain/errors.ts';
import { parseMasterPage } from '../../domain/memory/master-page.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { buildUnattendedRuntime } from '../../runtime/build-runtime.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { IoStreams } from '../../runtime/io-streams.ts';
import { readSettings } from '../../runtime/settings.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { ConsolidationChange } from '../../store/memory/consolidation.ts';
import type { MemoryStore } from '../../store/memory/memories.ts';
import { confirmOnTerminal } from '../../terminal/input/confirm.ts';
import { pluralize } from '../../terminal/text/format.ts';
import { createPaint } from '../../terminal/text/paint.ts';
import { type ConsolidationView, consolidationText } from '../../terminal/views/memory-text.ts';
import type { CommandContext } from '../command.ts';
import { dailyRequests } from './daily-requests.ts';
import { type MemoryScope, openMemories } from './memory.ts';

export type ConsolidateOptions = MemoryScope & {
  readonly model?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

export type MemoryUndoOptions = MemoryScope & { readonly json?: boolean };

/** L0 to L1 to L2: shows what changes, and does it when told to: --yes, or a yes at the terminal. */
export async function consolidate(options: ConsolidateOptions, { environment, io }: CommandContext): Promise<number> {
  const settings = readSettings(environment, { home: options.home, model: options.model });
  if (!settings.config.memory.enabled) throw new SanbotError('refused', 'Memory is switched off', { hint: 'Set memory.enabled to true.' });
  const isInteractive = environment.stdin.isTTY === true && environment.stdout.isTTY === true && !options.json;
  const { home, group, store, memories } = openMemories(options, { environment, io });
  const consolidations = store.consolidations(group);
  return consolidations.exclusively(async () => {
    const at = environment.now().toISOString();
    const since = (parseMasterPage(consolidations.master()).consolidatedAt ?? '').slice(0, 10);
    const entries = entriesFromDaily(dailyRequests(home, consolidations, since));
    const { entries: activeEntries, remembered } = memories.preview(entries);
    const before = consolidations.master();
    const isNew =
      remembered.some(({ outcome }) => outcome === 'added') ||
      updateMasterPage({ entries: activeEntries, before, at, lines: undefined }) !== before;
    if (isNew && !options.dryRun && !options.yes && !isInteractive)
      throw new SanbotError('refused', 'A consolidation needs confirmation, and there is no terminal to ask at', {
        hint: 'Add --yes to confirm, or --dry-run to see what would change.',
      });
    const proposal = await proposeByModel(environment, { options, settings, activeEntries, io });
    const change = {
      at,
      entries,
      aside: [],
      master: updateMasterPage({ entries: activeEntries, before, at, lines: proposal?.lines }),
    };
    const view = viewOf(change, {
      memories,
      before,
      by: proposal?.model ?? 'rule',
      path: pathsOf(home).master(group),
    });
    const isUnchanged = [view.added, view.aside, view.gone, view.come].every((lines) => lines.length === 0);
    if (!options.json) io.out(consolidationText(view, createPaint(io.colour)));
    const isApplied =
      !options.dryRun &&
      !isUnchanged &&
      (options.yes || (await confirmOnTerminal('Consolidate?', { input: environment.stdin, output: environment.stdout })));
    if (isApplied) consolidations.apply(change);
    const cost = proposal === undefined ? {} : { costUsd: proposal.costUsd };
    if (options.json)
      io.out(`${JSON.stringify({ ...view, done: isApplied, ...cost, ...(isApplied ? { undo: 'sanbot memory undo' } : {}) }, null, 2)}\n`);
    else if (isApplied) io.out('Consolidated. To undo this: sanbot memory undo\n');
    else if (!options.dryRun && !isUnchanged) io.out('Nothing was changed.\n');
    return 0;
  });
}

type ViewContext = { readonly memories: MemoryStore; readonly before: string; readonly by: string; readonly path: string };

function viewOf({ entries, master }: ConsolidationChange, { memories, before, by, path }: ViewContext): ConsolidationView {
  const { remembered, entries: after } = memories.preview(entries);
  const added = remembered.filter(({ outcome }) => outcome === 'added');
  const supersededIds = new Set(added.flatMap(({ superseded }) => superseded));
  const lineOf = (lines: readonly MemoryLine[], id: string) => lines.find((line) => line.id === id)?.line ?? '';
  return {
    by,
    path,
    added: added.map(({ id }) => lineOf(after, id)).filter((line) => line !== ''),
    aside: memories
      .list()
      .filter(({ id }) => supersededIds.has(id))
      .map(({ line }) => line),
    ...diffPages(before, master),
  };
}

export async function undoConsolidation(options: MemoryUndoOptions, { environment, io }: CommandContext): Promise<number> {
  const { store, group } = openMemories(options, { environment, io });
  const consolidations = store.consolidations(group);
  const result = await consolidations.exclusively(async () => consolidations.undo());
  if (result === undefined)
    throw new SanbotError('not_found', 'There is no consolidation to undo', { hint: 'sanbot consolidate makes one.' });
  const { at, removed, putBack } = result;
  io.out(
    options.json
      ? `${JSON.stringify(result)}\n`
      : `The consolidation of ${at} is undone: the page is as it was before, ${pluralize(removed, 'memory', 'memories')} removed, ${putBack} put back.\n`,
  );
  return 0;
}

type Proposal = { readonly model: string; readonly lines: readonly MasterLine[]; readonly costUsd: number | undefined };
type ProposalContext = {
  readonly options: ConsolidateOptions;
  readonly settings: ReturnType<typeof readSettings>;
  readonly activeEntries: readonly MemoryLine[];
  readonly io: IoStreams;
};

/** What a model makes of the entries; undefined where none is asked or none gives a usable answer: then rules do it. */
async function proposeByModel(
  environment: Environment,
  { options, settings, activeEntries, io }: ProposalContext,
): Promise<Proposal | undefined> {
  if (settings.config.model.provider === 'offline' || settings.config.memory.useModel === 'never' || activeEntries.length === 0)
    return undefined;
  const { proposeMaster } = await import('../../agent/memory/propose-master.ts');
  const runtime = await buildUnattendedRuntime(environment, {
    settings,
    show: () => undefined,
    warn: io.warn,
  });
  const proposal = await proposeMaster(activeEntries, {
    model: runtime.model,
    name: options.model ?? runtime.modelName,
    prompt: runtime.prompt('memory-consolidate'),
    signal: environment.deadline(settings.config.compaction.timeoutMs),
  });
  if (proposal.kind === 'proposed') return proposal;
  io.warn(`the model gave no usable answer (${proposal.why}); consolidating by rule instead`);
  return undefined;
}
