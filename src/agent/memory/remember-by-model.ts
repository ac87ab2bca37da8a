import { isGrounded } from '../../context/memory/grounded.ts';
import { repeatsOutput, toolOutputOf } from '../../context/memory/printed.ts';
import { messageText } from '../../context/rules/said.ts';
import { neutralize, quoteLine } from '../../context/text/quote.ts';
import type { MemoryEntry } from '../../domain/memory/memory.ts';
import { entriesProposalSchema, extractJson } from '../../domain/memory/memory-proposal.ts';
import type { AgentDeps } from '../deps.ts';
import { reasonOf, type Session } from '../session/session.ts';
import { askMemory } from './ask-memory.ts';

const MATERIAL_CHARS = 60_000;
const MESSAGE_CHARS = 4_000;
const ENTRY_CHARS = 300;

/**
 * At the end of a session, beside the rules: what a model finds worth keeping of what the user and the model said, which is all it is
 * shown. An entry counts when the message it names says it. Never rejects: a model that fails leaves what the rules found.
 */
export async function rememberByModel(
  session: Session,
  deps: AgentDeps,
  wish: { readonly prompt: string; readonly signal: AbortSignal },
): Promise<void> {
  const { messages } = session.context;
  const said = messages
    .map((message) => ({ message, text: messageText(message).slice(0, MESSAGE_CHARS).trim() }))
    .filter(({ text }) => text !== '');
  if (said.length === 0) return;
  let left = MATERIAL_CHARS;
  const shown = said.filter((_, at) => {
    left -= (said[said.length - 1 - at]?.text.length ?? 0) + 20;
    return left >= 0;
  }).length;
  const newest = said.slice(-shown);
  const conversation = newest.map(({ message, text }, at) => `[${at + 1}] ${message.origin}: ${neutralize(text)}`).join('\n\n');
  const answer = await askMemory({ model: deps.model, name: session.model, ...wish }, { conversation });
  session.book('compaction', answer.usage, answer.costUsd);
  if (answer.kind === 'none') return;
  const parsed = entriesProposalSchema.safeParse(extractJson(answer.text));
  if (!parsed.success) return;
  const printed = toolOutputOf(messages);
  const entries = parsed.data.entries.flatMap(({ kind, text, from }): readonly MemoryEntry[] => {
    const source = newest[from - 1];
    if (source === undefined || !isGrounded(text, [source.text])) return [];
    const by = source.message.origin === 'user' ? 'user' : 'model';
    if (by === 'model' && repeatsOutput(text, printed)) return [];
    const { id: messageId, at } = source.message;
    return [{ kind, text: quoteLine(text, ENTRY_CHARS), sessionId: session.id, messageId, at, by, cwd: session.cwd }];
  });
  try {
    deps.emit({ type: 'memory_extracted', ...deps.memories.add(entries) });
  } catch (error) {
    deps.emit({ type: 'warning', message: `No memories were written: ${reasonOf(error)}` });
  }
}
