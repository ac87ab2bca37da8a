import type { Bilingual } from '../../domain/language.ts';
import type { MemoryKind, RememberResult } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import type { RecallAnswer } from '../../domain/recall.ts';

export type MemoryPort = {
  readonly view: () => MemoryView;
  /** Keeps a statement beyond this session. Throws SanbotError when memory is off or the disk refuses. */
  readonly remember: (text: string) => RememberResult | { readonly outcome: 'refused'; readonly why: Bilingual };
  /** Takes an entry off its page for good. Rejects with SanbotError when there is none of that id. */
  readonly forget: (id: string) => Promise<MemoryLine>;
  /** What of the conversations of this process is remembered now and was not at its start; not what was only run. */
  readonly learned: () => readonly MemoryLine[];
  readonly recall: (query: string, signal: AbortSignal) => Promise<RecallAnswer>;
};

/** `on` is false when nothing is added and nothing is told to sessions. */
export type MemoryView = { readonly on: boolean; readonly files: readonly MemoryFile[] };

export type MemoryFile = { readonly kind: MemoryKind; readonly path: string; readonly entries: readonly MemoryLine[] };
