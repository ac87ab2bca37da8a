import { diffPages, entriesFromDaily, type MasterLine, updateMasterPage } from '../../context/memory/consolidate.ts';
import { SanbotError } from '../../domain/errors.ts';
import { parseMasterPage } from '../../domain/memory/master-page.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { dailyRequests } from '../../runtime/conversation/consolidate-daily.ts';
import { buildUnattendedRuntime } from '../../runtime/runtime.ts';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import type { ConsolidationChange } from '../../store/memory/consolidation.ts';
import type { MemoryStore } from '../../store/memory/memories.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { createPaint } from '../../terminal/text/paint.ts';
import { consolidationText } from '../../terminal/views/memory-text.ts';
import { answer, isAgreed, requireYes, say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { type MemoryScope, memoryOff, openMemories } from './memory.ts';

export type ConsolidateOptions = MemoryScope & {
  readonly model?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

export type MemoryUndoOptions = MemoryScope & { readonly json?: boolean };

export async function consolidate(options: ConsolidateOptions, { environment, io }: CommandContext): Promise<void> {
  const settings = readSettings(environment, { home: options.home, model: options.model });
  if (!settings.config.memory.enabled) throw memoryOff();
  const { home, paths, group, store, memories } = openMemories(options, { environment, io });
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
    if (isNew && !options.dryRun)
      requireYes(options, environment, {
        what: { en: 'A consolidation', zh: '整理' },
        hint: {
          en: 'Add --yes to confirm, or --dry-run to see what would change.',
          zh: '加 --yes 确认，或用 --dry-run 查看将发生的更改。',
        },
      });
    const proposal = await proposeByModel(activeEntries, options.model, settings, { environment, io });
    const master = updateMasterPage({ entries: activeEntries, before, at, lines: proposal?.lines });
    const changes = { ...changedEntries(entries, memories), ...diffPages(before, master) };
    const view = { by: proposal?.model ?? 'rule', path: paths.master(group), ...changes };
    const isUnchanged = Object.values(changes).every((lines) => lines.length === 0);
    if (!options.json) io.out(consolidationText(view, createPaint(io.colour)));
    const isApplied =
      !options.dryRun &&
      !isUnchanged &&
      (options.yes || (!options.json && (await isAgreed({ en: 'Consolidate?', zh: '确认整理？' }, { environment, io }))));
    if (isApplied) consolidations.apply({ at, entries, aside: [], master });
    const cost = proposal === undefined ? {} : { costUsd: proposal.costUsd };
    if (options.json)
      io.out(`${JSON.stringify({ ...view, done: isApplied, ...cost, ...(isApplied ? { undo: 'sanbot memory undo' } : {}) }, null, 2)}\n`);
    else if (isApplied) say(io, { en: 'Consolidated. To undo this: sanbot memory undo', zh: '已整理。撤销：sanbot memory undo' });
  });
}

function changedEntries(entries: ConsolidationChange['entries'], memories: MemoryStore) {
  const { remembered, entries: after } = memories.preview(entries);
  const added = remembered.filter(({ outcome }) => outcome === 'added');
  const supersededIds = new Set(added.flatMap(({ superseded }) => superseded));
  return {
    added: added.map(({ id }) => after.find((line) => line.id === id)?.line ?? '').filter((line) => line !== ''),
    aside: memories
      .list()
      .filter(({ id }) => supersededIds.has(id))
      .map(({ line }) => line),
  };
}

export async function undoConsolidation(options: MemoryUndoOptions, { environment, io }: CommandContext): Promise<void> {
  const { store, group } = openMemories(options, { environment, io });
  const consolidations = store.consolidations(group);
  const result = await consolidations.exclusively(async () => consolidations.undo());
  if (result === undefined)
    throw new SanbotError(
      'not_found',
      { en: 'There is no consolidation to undo', zh: '没有可撤销的整理' },
      { en: 'sanbot consolidate makes one.', zh: '用 sanbot consolidate 进行整理。' },
    );
  const { at, removed, putBack } = result;
  answer(io, options, result, {
    en: `The consolidation of ${at} is undone: the page is as it was before, ${pluralize(removed, 'memory', 'memories')} removed, ${putBack} put back.`,
    zh: `已撤销 ${at} 的整理：页面恢复原样，删除了 ${formatCount(removed)} 条记忆，放回了 ${formatCount(putBack)} 条。`,
  });
}

type Proposal = { readonly model: string; readonly lines: readonly MasterLine[]; readonly costUsd: number | undefined };
/** What a model makes of the entries; undefined where none is asked or none gives a usable answer: then rules do it. */
async function proposeByModel(
  activeEntries: readonly MemoryLine[],
  modelName: string | undefined,
  settings: Settings,
  { environment, io }: CommandContext,
): Promise<Proposal | undefined> {
  if (settings.config.model.provider === 'offline' || settings.config.memory.useModel === 'never' || activeEntries.length === 0)
    return undefined;
  const { proposeMaster } = await import('../../agent/memory/remember-by-model.ts');
  const runtime = await buildUnattendedRuntime(environment, { settings, warn: io.warn });
  const proposal = await proposeMaster(activeEntries, {
    model: runtime.model,
    name: modelName ?? runtime.modelName,
    prompt: runtime.prompt('memory-consolidate'),
    signal: environment.deadline(settings.config.compaction.timeoutMs),
  });
  if (proposal.kind === 'proposed') return proposal;
  io.warn({
    en: `the model gave no usable answer (${proposal.why.en}); consolidating by rule instead`,
    zh: `模型没有给出可用的回答（${proposal.why.zh}）；改为按规则整理`,
  });
  return undefined;
}
