import type { MemoryEntry } from '../domain/memory.ts';
import type { Message } from '../domain/message.ts';

export function extractMemories(_messages: readonly Message[], _from: { readonly sessionId: string }): readonly MemoryEntry[] {
  return [];
}
