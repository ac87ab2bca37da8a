/**
 * What is remembered across sessions, for a person to read and correct: `sanbot memory` with its subcommands, and `sanbot consolidate`.
 *
 * In come ids, texts and a group. Out go the memories with their ids and where they come from, as text or as JSON.
 *
 * The files below memory/ are the truth, also where a person has edited them: each command reads them and changes them through store/memory.
 * What is replaced is kept among the older ones, and a consolidation can be undone.
 *
 * They refuse to remember while memory is switched off, and to consolidate without confirmation: before that, what would change is shown.
 */

import { kindOfStatement } from '../../context/memory/extract-memories.ts';
import { quoteLine } from '../../context/text/sentences.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { MemoryKind, RememberResult, StatementKind } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { inspectText } from '../../domain/text.ts';
import { type GroupOptions, groupOf, type HomeOptions } from '../../runtime/home.ts';
import { readSettings } from '../../runtime/settings.ts';
import { nearestIds, type StorePaths } from '../../store/files/paths.ts';
import type { MemoryStore } from '../../store/memory/memories.ts';
import { allRecords } from '../../store/session/peek-session.ts';
import {
  forgottenEntriesText,
  memoriesJson,
  memoriesText,
  memoryIsOffText,
  memoryOriginText,
  rememberResultText,
} from '../../terminal/views/memory-text.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';

export type MemoryScope = HomeOptions & GroupOptions;

export type MemoryListOptions = MemoryScope & { readonly kind?: MemoryKind; readonly json?: boolean };

export type MemoryShowOptions = MemoryScope & { readonly id: string; readonly json?: boolean };

export type MemoryAddOptions = MemoryScope & { readonly text: string; readonly kind?: StatementKind; readonly json?: boolean };

export type MemoryForgetOptions = MemoryScope & { readonly ids: readonly string[]; readonly json?: boolean };

export function openMemories(options: MemoryScope, context: CommandContext) {
  const opened = openHome(options, context);
  const group = groupOf(context.environment, options);
  return { ...opened, group, memories: opened.store.memories(group) };
}

export async function listMemories(options: MemoryListOptions, { environment, io }: CommandContext): Promise<void> {
  const { memories } = openMemories(options, { environment, io });
  const entries = memories.list().filter(({ kind }) => options.kind === undefined || kind === options.kind);
  io.out(options.json ? memoriesJson(entries) : memoriesText(entries, io.columns));
  if (!readSettings(environment, options).config.memory.enabled) io.err(`${memoryIsOffText()}\n`);
}

/** The entry with an id, on its page or among the older ones. Throws not_found with the nearest. */
export function findMemory(memories: MemoryStore, id: string, { older = false }: { readonly older?: boolean } = {}): MemoryLine {
  const activeEntries = memories.list();
  const match =
    activeEntries.find((entry) => entry.id === id) ?? (older ? memories.older().findLast((entry) => entry.id === id) : undefined);
  if (match !== undefined) return match;
  const suggestions = nearestIds(
    id,
    activeEntries.map((entry) => entry.id),
  );
  throw new SanbotError(
    'not_found',
    { en: `There is no memory ${inspectText(id)}`, zh: `没有记忆 ${inspectText(id)}` },
    suggestions.length === 0
      ? { en: 'sanbot memory list shows all memories.', zh: 'sanbot memory list 显示所有记忆。' }
      : {
          en: `Similar ids: ${suggestions.join(', ')}. sanbot memory list shows all memories.`,
          zh: `相近的 id：${suggestions.join('、')}。sanbot memory list 显示所有记忆。`,
        },
  );
}

export async function showMemory(options: MemoryShowOptions, { environment, io }: CommandContext): Promise<void> {
  const { paths, group, memories } = openMemories(options, { environment, io });
  const entry = findMemory(memories, options.id, { older: true });
  const origin = { ref: originRef(paths, entry), path: paths.extracted(group, entry.kind) };
  io.out(options.json ? memoriesJson([entry], origin) : memoryOriginText(entry, origin));
}

function originRef(paths: StorePaths, { sessionId, messageId }: MemoryLine): string | undefined {
  if (sessionId === undefined || messageId === undefined) return undefined;
  try {
    for (const record of allRecords(paths, sessionId))
      if (record.type === 'message' && record.message.id === messageId) return `${sessionId}:${record.n}`;
  } catch (error) {
    if (!(error instanceof SanbotError)) throw error;
  }
  return undefined;
}

const NO_SESSION = 'none';

export async function addMemory(options: MemoryAddOptions, { environment, io }: CommandContext): Promise<void> {
  const answer = keepStatement({ ...options, by: 'user' }, { environment, io });
  if (answer === undefined) throw new SanbotError('usage', { en: 'The text contains nothing to remember', zh: '文本中没有可记住的内容' });
  io.out(options.json ? `${JSON.stringify(answer)}\n` : `${rememberResultText(answer)}\n`);
}

type Statement = MemoryScope & { readonly text: string; readonly kind?: StatementKind | undefined; readonly by: 'user' | 'model' };

/** Remembers what was said outside of a session. Undefined where there is nothing in it; throws refused where memory is off. */
export function keepStatement(options: Statement, { environment, io }: CommandContext): RememberResult | undefined {
  if (!readSettings(environment, options).config.memory.enabled) throw memoryOff();
  const text = quoteLine(options.text, 500);
  return openMemories(options, { environment, io }).memories.remember({
    ...{ kind: options.kind ?? kindOfStatement(text), text, sessionId: NO_SESSION, messageId: environment.newId() },
    ...{ at: environment.now().toISOString(), by: options.by, cwd: environment.cwd() },
  });
}

export async function forgetMemories(options: MemoryForgetOptions, { environment, io }: CommandContext): Promise<void> {
  const { memories, group, store } = openMemories(options, { environment, io });
  for (const id of options.ids) findMemory(memories, id);
  const removed = memories.forget(options.ids);
  store.consolidations(group).dropEntries(options.ids);
  io.out(options.json ? memoriesJson(removed) : forgottenEntriesText(removed));
}

export const memoryOff = (): SanbotError =>
  new SanbotError(
    'refused',
    { en: 'Memory is switched off', zh: '记忆功能已关闭' },
    { en: 'Set memory.enabled to true.', zh: '请将 memory.enabled 设为 true。' },
  );
