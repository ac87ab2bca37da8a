import { kindOfStatement } from '../../context/memory/extract-memories.ts';
import { quoteLine } from '../../context/text/quote.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { inspectText } from '../../domain/text.ts';
import { groupOf, homeOf } from '../../runtime/home.ts';
import { NO_CAP, openStore } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import { nearestIds } from '../../store/files/ids.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { MemoryStore } from '../../store/memory/memories.ts';
import { allRecords } from '../../store/session/peek-session.ts';
import type { Store } from '../../store/store.ts';
import {
  forgottenText,
  MEMORY_IS_OFF,
  memoriesJson,
  memoriesText,
  memoryOriginText,
  rememberedText,
} from '../../terminal/views/memory-text.ts';
import type { MemoryAddOptions, MemoryForgetOptions, MemoryListOptions, MemoryShowOptions } from '../actions.ts';

export type MemoryPlace = { readonly home: string; readonly group: string; readonly store: Store; readonly memories: MemoryStore };

type PlaceOptions = { readonly home: string | undefined; readonly group: string | undefined };

export function memoryPlace(world: World, options: PlaceOptions, screen: Screen): MemoryPlace {
  const home = homeOf(world, options);
  const group = groupOf(world, options);
  const store = openStore(world, home, { maxSessionBytes: NO_CAP, tell: (line) => screen.err(`sanbot: ${line}\n`) });
  return { home, group, store, memories: store.memories(group) };
}

export async function listMemories(world: World, options: MemoryListOptions, screen: Screen): Promise<number> {
  const { memories } = memoryPlace(world, options, screen);
  const entries = memories.list().filter(({ kind }) => options.kind === undefined || kind === options.kind);
  screen.out(options.json ? memoriesJson(entries) : memoriesText(entries, screen.columns));
  if (!readSettings(world, options).config.memory.enabled) screen.err(`${MEMORY_IS_OFF}\n`);
  return 0;
}

/** The entry with an id, on its page or among the older ones. Throws not_found with the nearest. */
export function findMemory(memories: MemoryStore, id: string, { older = false }: { readonly older?: boolean } = {}): MemoryLine {
  const live = memories.list();
  const found = live.find((entry) => entry.id === id) ?? (older ? memories.older().findLast((entry) => entry.id === id) : undefined);
  if (found !== undefined) return found;
  const nearest = nearestIds(
    id,
    live.map((entry) => entry.id),
  );
  throw new SanbotError('not_found', `There is no memory ${inspectText(id)}`, {
    hint: nearest.length === 0 ? 'sanbot memory list shows them.' : `The nearest are: ${nearest.join(', ')}. sanbot memory list shows all.`,
  });
}

export async function showMemory(world: World, options: MemoryShowOptions, screen: Screen): Promise<number> {
  const { home, memories } = memoryPlace(world, options, screen);
  const entry = findMemory(memories, options.id, { older: true });
  const origin = { ref: refOf(home, entry), path: pathsOf(home).extracted(groupOf(world, options), entry.kind) };
  screen.out(options.json ? memoriesJson([entry], origin) : memoryOriginText(entry, origin));
  return 0;
}

/** What `sanbot show` takes for the message an entry comes from; undefined when that session is gone. */
function refOf(home: string, { sessionId, messageId }: MemoryLine): string | undefined {
  if (sessionId === undefined || messageId === undefined) return undefined;
  try {
    for (const record of allRecords(pathsOf(home), sessionId))
      if (record.type === 'message' && record.message.id === messageId) return `${sessionId}:${record.n}`;
  } catch (error) {
    if (!(error instanceof SanbotError)) throw error;
  }
  return undefined;
}

/** A statement that comes from the command line has no session. */
export const NO_SESSION = 'none';

export async function addMemory(world: World, options: MemoryAddOptions, screen: Screen): Promise<number> {
  const { config } = readSettings(world, options);
  if (!config.memory.enabled) throw new SanbotError('refused', 'Memory is switched off', { hint: 'Set memory.enabled to true.' });
  const { memories } = memoryPlace(world, options, screen);
  const text = quoteLine(options.text, 500);
  const answer = memories.remember({
    ...{ kind: options.kind ?? kindOfStatement(text), text, sessionId: NO_SESSION, messageId: world.newId() },
    ...{ at: world.now().toISOString(), by: 'user', cwd: world.cwd() },
  });
  if (answer === undefined) throw new SanbotError('usage', 'There is nothing in the text to remember');
  screen.out(options.json ? `${JSON.stringify(answer)}\n` : `${rememberedText(answer)}\n`);
  return 0;
}

/** Off their pages, and out of the page that sessions begin with. */
export async function forgetMemories(world: World, options: MemoryForgetOptions, screen: Screen): Promise<number> {
  const { memories, group, store } = memoryPlace(world, options, screen);
  for (const id of options.ids) findMemory(memories, id);
  const gone = memories.forget(options.ids);
  store.consolidations(group).dropEntries(options.ids);
  screen.out(options.json ? memoriesJson(gone) : forgottenText(gone));
  return 0;
}
