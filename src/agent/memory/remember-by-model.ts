import { isKeepable } from '../../context/memory/check-proposal.ts';
import { isImported, repeatsOutput, toolOutputOf } from '../../context/memory/tool-output.ts';
import { messageText } from '../../context/rules/message-text.ts';
import { neutralize, quoteLine } from '../../context/text/quote.ts';
import type { MemoryEntry } from '../../domain/memory/memory.ts';
import { entriesProposalSchema, extractJson } from '../../domain/memory/memory-proposal.ts';
import type { Message } from '../../domain/session/message.ts';
import { type AgentDeps, orWarn } from '../deps.ts';
import { besideConversation } from '../request.ts';
import type { Session } from '../session/session.ts';
import { askMemory } from './ask-memory.ts';
import { NOT_WRITTEN } from './remember.ts';

const MAX_CONVERSATION_CHARS = 60_000;
const MAX_MESSAGE_CHARS = 4_000;
const MAX_ENTRY_CHARS = 300;

/**
 * At the end of a session, beside the rules: what a model finds worth keeping of what the user and the model said, which is all it is
 * shown. An entry counts when the message it names says it and the rules would keep it (`isKeepable`). Never rejects: a model that fails leaves what the rules found.
 */
export async function rememberByModel(
  session: Session,
  deps: Pick<AgentDeps, 'config' | 'model' | 'disk' | 'report'>,
  options: { readonly prompt: string; readonly signal: AbortSignal },
): Promise<void> {
  const { model, disk, report } = deps;
  const { messages } = session.context;
  const statements = messages
    .filter((message) => !isImported(message))
    .map((message) => ({ message, text: messageText(message).slice(0, MAX_MESSAGE_CHARS).trim() }))
    .filter(({ text }) => text !== '');
  if (statements.length === 0) return;
  let remainingChars = MAX_CONVERSATION_CHARS;
  const count = statements.filter((_, at) => {
    remainingChars -= (statements[statements.length - 1 - at]?.text.length ?? 0) + 20;
    return remainingChars >= 0;
  }).length;
  const recent = statements.slice(-count);
  const conversation = recent.map(({ message, text }, at) => `[${at + 1}] ${message.origin}: ${neutralize(text)}`).join('\n\n');
  const answer = await askMemory({ model, name: besideConversation(session.model, deps), ...options }, { conversation });
  const { usage, costUsd } = answer;
  session.usage.record('compaction', usage, costUsd);
  const entries = answer.kind === 'none' ? [] : entriesIn(answer.text, recent, session);
  const added = orWarn(report.emit, NOT_WRITTEN, () => disk.memories.add(entries));
  // Paid for also where it brought nothing.
  if (added !== undefined && (answer.kind === 'answer' || usage !== undefined))
    report.emit({ type: 'memory_extracted', ...added, ...(usage !== undefined && { usage, costUsd }) });
}

type Statement = { readonly message: Message; readonly text: string };

/** Those that count; none where the answer cannot be read. */
function entriesIn(answer: string, recent: readonly Statement[], session: Session): readonly MemoryEntry[] {
  const parsed = entriesProposalSchema.safeParse(extractJson(answer));
  if (!parsed.success) return [];
  const toolText = toolOutputOf(session.context.messages);
  return parsed.data.entries.flatMap(({ kind, text, from }): readonly MemoryEntry[] => {
    const source = recent[from - 1];
    if (source === undefined || !isKeepable(text, source.text)) return [];
    const by = source.message.origin === 'user' ? 'user' : 'model';
    if (by === 'model' && repeatsOutput(text, toolText)) return [];
    const { id: messageId, at } = source.message;
    return [{ kind, text: quoteLine(text, MAX_ENTRY_CHARS), sessionId: session.id, messageId, at, by, cwd: session.cwd }];
  });
}
