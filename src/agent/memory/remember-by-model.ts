import { messageText } from '../../context/ledger/exchange/exchanges.ts';
import { isGrounded, isKeepable } from '../../context/memory/check-proposal.ts';
import type { MasterLine } from '../../context/memory/consolidate.ts';
import { isImported, repeatsOutput, toolOutputOf } from '../../context/memory/runtime-entries.ts';
import { fillRequest, type PromptValues } from '../../context/summary/summary-request.ts';
import { neutralize, quoteLine } from '../../context/text/sentences.ts';
import { AbortedError, errorReason } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { MemoryEntry } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { entriesProposalSchema, extractJson, masterProposalSchema } from '../../domain/memory/memory-proposal.ts';
import { isToolUse, type Message, textOf, type Usage } from '../../domain/session/message.ts';
import { type AgentDeps, orWarn } from '../deps.ts';
import type { Model } from '../ports/model.ts';
import { besideConversation, buildRequest } from '../request.ts';
import type { Session } from '../session/session.ts';
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

export type MemoryRequest = {
  readonly model: Model;
  readonly name: string;
  /** The prompt's text, with the line that parts its system prompt from its user message. */
  readonly prompt: string;
  readonly signal: AbortSignal;
};

type MemoryAnswer =
  | { readonly kind: 'answer'; readonly text: string; readonly usage: Usage | undefined; readonly costUsd: number | undefined }
  | { readonly kind: 'none'; readonly why: Bilingual; readonly usage?: Usage | undefined; readonly costUsd?: number | undefined };

/** One request without tools. Never rejects: a model that fails is a reason to go by rule. */
export async function askMemory({ model, name, prompt, signal }: MemoryRequest, values: PromptValues): Promise<MemoryAnswer> {
  try {
    const facts = model.facts(name);
    const silent = () => undefined;
    const answer = await model.ask(buildRequest({ purpose: 'memory', model: name, facts, prompt: fillRequest(prompt, values) }), {
      signal,
      onText: silent,
      onThinking: silent,
      onRetry: silent,
    });
    if (answer.kind !== 'reply') return { kind: 'none', why: { en: 'it refused the request', zh: '它拒绝了请求' } };
    const cost = { usage: answer.usage, costUsd: answer.usage === undefined ? undefined : facts.costUsd(answer.usage) };
    if (answer.content.some(isToolUse)) return { kind: 'none', why: { en: 'it called a tool', zh: '它调用了工具' }, ...cost };
    return { kind: 'answer', text: textOf(answer.content), ...cost };
  } catch (error) {
    return { kind: 'none', why: error instanceof AbortedError ? { en: 'it ran out of time', zh: '已超时' } : errorReason(error) };
  }
}

type ProposalResult =
  | { readonly kind: 'proposed'; readonly model: string; readonly lines: readonly MasterLine[]; readonly costUsd: number | undefined }
  | { readonly kind: 'none'; readonly why: Bilingual };

const MAX_SOURCE_CHARS = 60_000;
const MAX_LINE_CHARS = 300;

/**
 * What a model would put on the page of L2. Each line must name the entries it comes from and say what they say; others are left out.
 * What tools printed is not shown to it.
 */
export async function proposeMaster(entries: readonly MemoryLine[], request: MemoryRequest): Promise<ProposalResult> {
  const statements = entries.filter(({ kind }) => kind !== 'runtime');
  const rows = statements.map(({ id, kind, day, text }) => `[${id}] ${kind}, ${day ?? 'by hand'}: ${neutralize(text)}`);
  const answer = await askMemory(request, { entries: newestRows(rows) });
  if (answer.kind === 'none') return answer;
  const parsed = masterProposalSchema.safeParse(extractJson(answer.text));
  if (!parsed.success) return { kind: 'none', why: { en: 'it is not the JSON that was asked for', zh: '不是所要求的 JSON' } };
  const byId = new Map(statements.map((entry) => [entry.id, entry] as const));
  const lines = parsed.data.lines.flatMap(({ kind, text, from }): readonly MasterLine[] => {
    const ids = [...new Set(from)];
    const sources = ids.flatMap((id) => byId.get(id)?.text ?? []);
    const line = quoteLine(text, MAX_LINE_CHARS);
    return sources.length === ids.length && isGrounded(line, sources) ? [{ kind, text: line, ids }] : [];
  });
  if (lines.length === 0) return { kind: 'none', why: { en: 'none of its lines says what the entries say', zh: '没有一行与条目内容相符' } };
  return { kind: 'proposed', model: request.name, lines, costUsd: answer.costUsd };
}

function newestRows(rows: readonly string[]): string {
  let remainingChars = MAX_SOURCE_CHARS;
  const from = rows.findLastIndex((row) => {
    remainingChars -= row.length + 1;
    return remainingChars < 0;
  });
  return rows.slice(from + 1).join('\n');
}
