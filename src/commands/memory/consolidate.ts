import { diffPages, entriesFromDaily, type MasterLine, parseRequestLines, updateMasterPage } from '../../context/memory/consolidate.ts';
import { SanbotError } from '../../domain/errors.ts';
import { parseMasterPage } from '../../domain/memory/master-page.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { buildSetting } from '../../runtime/build-setting.ts';
import type { Screen } from '../../runtime/screen.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { ConsolidationChange } from '../../store/memory/consolidation.ts';
import type { MemoryStore } from '../../store/memory/memories.ts';
import { confirmOnTerminal } from '../../terminal/input/confirm.ts';
import { counted } from '../../terminal/text/figures.ts';
import { createPaint } from '../../terminal/text/paint.ts';
import { type ConsolidationView, consolidationText } from '../../terminal/views/memory-text.ts';
import type { ConsolidateOptions, MemoryUndoOptions } from '../actions.ts';
import { memoryPlace } from './memory.ts';

/** L0 to L1 to L2: shows what changes, and does it when told to: --yes, or a yes at the terminal. */
export async function consolidate(world: World, options: ConsolidateOptions, screen: Screen): Promise<number> {
  const settings = readSettings(world, { home: options.home, model: options.model });
  if (!settings.config.memory.enabled) throw new SanbotError('refused', 'Memory is switched off', { hint: 'Set memory.enabled to true.' });
  const interactive = world.stdin.isTTY === true && world.stdout.isTTY === true && !options.json;
  const { home, group, store, memories } = memoryPlace(world, options, screen);
  const consolidations = store.consolidations(group);
  return consolidations.exclusively(async () => {
    const at = world.now().toISOString();
    const since = (parseMasterPage(consolidations.master()).consolidatedAt ?? '').slice(0, 10);
    const asked = consolidations.daily(since).flatMap(({ day, text }) => parseRequestLines(text, day));
    const entries = entriesFromDaily(asked);
    const { entries: live, remembered } = memories.preview(entries);
    const before = consolidations.master();
    const isNew =
      remembered.some(({ outcome }) => outcome === 'added') || updateMasterPage({ entries: live, before, at, lines: undefined }) !== before;
    if (isNew && !options.dryRun && !options.yes && !interactive)
      throw new SanbotError('refused', 'A consolidation needs a yes, and there is no terminal to ask at', {
        hint: 'Add --yes, or --dry-run to see what would change.',
      });
    const proposal = await byModel(world, { options, settings, live, screen });
    const change = {
      at,
      entries,
      aside: [],
      master: updateMasterPage({ entries: live, before, at, lines: proposal?.lines }),
    };
    const view = viewOf(change, {
      memories,
      before,
      by: proposal?.model ?? 'rule',
      path: pathsOf(home).master(group),
    });
    const nothing = [view.added, view.aside, view.gone, view.come].every((lines) => lines.length === 0);
    if (!options.json) screen.out(consolidationText(view, createPaint(screen.colour)));
    const done =
      !options.dryRun &&
      !nothing &&
      (options.yes || (await confirmOnTerminal('Consolidate?', { input: world.stdin, output: world.stdout })));
    if (done) consolidations.apply(change);
    const cost = proposal === undefined ? {} : { costUsd: proposal.costUsd };
    if (options.json)
      screen.out(`${JSON.stringify({ ...view, done, ...cost, ...(done ? { undo: 'sanbot memory undo' } : {}) }, null, 2)}\n`);
    else if (done) screen.out('Consolidated. To take it back: sanbot memory undo\n');
    else if (!options.dryRun && !nothing) screen.out('Nothing was changed.\n');
    return 0;
  });
}

type Viewing = { readonly memories: MemoryStore; readonly before: string; readonly by: string; readonly path: string };

function viewOf({ entries, master }: ConsolidationChange, { memories, before, by, path }: Viewing): ConsolidationView {
  const { remembered, entries: after } = memories.preview(entries);
  const added = remembered.filter(({ outcome }) => outcome === 'added');
  const going = new Set(added.flatMap(({ superseded }) => superseded));
  const lineOf = (lines: readonly MemoryLine[], id: string) => lines.find((line) => line.id === id)?.line ?? '';
  return {
    by,
    path,
    added: added.map(({ id }) => lineOf(after, id)).filter((line) => line !== ''),
    aside: memories
      .list()
      .filter(({ id }) => going.has(id))
      .map(({ line }) => line),
    ...diffPages(before, master),
  };
}

export async function undoConsolidation(world: World, options: MemoryUndoOptions, screen: Screen): Promise<number> {
  const { store, group } = memoryPlace(world, options, screen);
  const consolidations = store.consolidations(group);
  const done = await consolidations.exclusively(async () => consolidations.undo());
  if (done === undefined)
    throw new SanbotError('not_found', 'There is no consolidation to take back', { hint: 'sanbot consolidate makes one.' });
  const { at, removed, putBack } = done;
  screen.out(
    options.json
      ? `${JSON.stringify(done)}\n`
      : `The consolidation of ${at} is taken back: its page is as it was before, ${counted(removed, 'entry', 'entries')} removed, ${putBack} put back.\n`,
  );
  return 0;
}

type Proposal = { readonly model: string; readonly lines: readonly MasterLine[]; readonly costUsd: number | undefined };
type Asking = {
  readonly options: ConsolidateOptions;
  readonly settings: ReturnType<typeof readSettings>;
  readonly live: readonly MemoryLine[];
  readonly screen: Screen;
};

/** What a model makes of the entries; undefined where none is asked or none gives a usable answer: then rules do it. */
async function byModel(world: World, { options, settings, live, screen }: Asking): Promise<Proposal | undefined> {
  if (settings.config.model.provider === 'offline' || settings.config.memory.useModel === 'never' || live.length === 0) return undefined;
  const { proposeMaster } = await import('../../agent/memory/propose-master.ts');
  const setting = await buildSetting(world, {
    settings,
    mode: 'read-only',
    allowed: [],
    askPermission: async () => 'nobody',
    confirm: async () => true,
    show: () => undefined,
    tell: (line) => screen.err(`sanbot: ${line}\n`),
  });
  const proposed = await proposeMaster(live, {
    model: setting.model,
    name: options.model ?? setting.modelName,
    prompt: setting.prompt('memory-consolidate'),
    signal: world.deadline(settings.config.compaction.timeoutMs),
  });
  if (proposed.kind === 'proposed') return proposed;
  screen.err(`sanbot: the model gave no usable answer (${proposed.why}); consolidating by rule\n`);
  return undefined;
}
