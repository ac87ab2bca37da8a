/**
 * What is worth more than the session in which it was said: of messages that leave a context, of a session that ends, or one statement.
 * Found here by rule; remember-by-model.ts has a model look for more and draft the page that later sessions read first. What has to stay in
 * this very session is pinned (pins.ts).
 *
 * What a tool printed never becomes a memory in anybody's name: a web page must not speak in later sessions. A model's proposal counts only
 * when its source says it.
 *
 * A failure is told and stops nothing, since every message is in the log anyway.
 */

import { type MemoryProposal, proposedMemories, withProposed } from '../../context/memory/check-proposal.ts';
import { extractMemories, extractStatements, kindOfStatement } from '../../context/memory/extract-memories.ts';
import { isImported, repeatsOutput, sessionRuntime, toolOutputOf } from '../../context/memory/runtime-entries.ts';
import { withoutNotes } from '../../context/offload/media-stub.ts';
import { quoteLine } from '../../context/text/sentences.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { MemoryEntry, RememberResult, StatementKind } from '../../domain/memory/memory.ts';
import { plainText } from '../../domain/memory/memory-sense.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
import type { MemoryCounts } from '../../domain/session/snapshot.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import { type AgentDeps, orWarn } from '../deps.ts';
import type { Session } from '../session/session.ts';

type MemoryDeps = Pick<AgentDeps, 'config' | 'disk' | 'report'>;

/** Before anything leaves the context: what rules find, and what of a model's proposals was said. What cannot be written is told. */
export function flushMemories(
  messages: readonly Message[],
  session: Session,
  deps: MemoryDeps,
  proposals: readonly MemoryProposal[] = [],
): MemoryCounts {
  if (!deps.config.compaction.memoryFlush) return noMemories;
  const options = { sessionId: session.id, cwd: session.cwd };
  return addEntries(deps, () => withProposed(extractMemories(messages, options), proposedMemories(proposals, messages, options)));
}

/** At the end of a session: what was said and has not left the context, and what all of its calls came to. Never throws. */
export function rememberSession(session: Session, deps: MemoryDeps): MemoryCounts {
  const options = { sessionId: session.id, cwd: session.cwd };
  return addEntries(deps, () => [
    ...extractStatements(session.context.messages, options),
    ...sessionRuntime(
      session.calls.tally(() => deps.disk.past(session.id)),
      options,
    ),
  ]);
}

const noMemories: MemoryCounts = { decisions: 0, facts: 0, preferences: 0, runtime: 0 };

function addEntries({ config, disk, report }: MemoryDeps, extract: () => readonly MemoryEntry[]): MemoryCounts {
  if (!config.memory.enabled) return noMemories;
  const added = orWarn(report.emit, NOT_WRITTEN, () => disk.memories.add(extract()));
  if (added !== undefined) report.emit({ type: 'memory_extracted', ...added });
  return added ?? noMemories;
}

export const NOT_WRITTEN: Bilingual = { en: 'No memories were written', zh: '没有写入记忆' };

export type RememberRequest = {
  readonly text: string;
  readonly kind: StatementKind | undefined;
  /** `user` for what was typed by hand; `agent` for a call of the tool, whose text may come from anywhere. */
  readonly source: 'user' | 'agent';
};

export type RememberOutcome = RememberResult | { readonly outcome: 'refused'; readonly why: Bilingual };

const MAX_STATEMENT_CHARS = 500;
export const NOTHING_IN_IT: Bilingual = { en: 'there is nothing in it to remember', zh: '其中没有可记住的内容' };

/** Why a text is no statement to keep. */
export function whyNotKept(text: string): Bilingual | undefined {
  const { length } = text.trim();
  if (length > MAX_STATEMENT_CHARS)
    return {
      en: `a memory is one statement of at most ${MAX_STATEMENT_CHARS} characters, and this has ${groupDigits(length)}`,
      zh: `一条记忆是一句话，最多 ${MAX_STATEMENT_CHARS} 个字符，而这条有 ${groupDigits(length)} 个`,
    };
  return plainText(quoteLine(text, MAX_STATEMENT_CHARS)) === '' ? NOTHING_IN_IT : undefined;
}

/** Keeps one statement. The agent may keep what the user said and what it concluded, but not what a tool printed. Throws store_failed. */
export function remember(
  { text, kind, source }: RememberRequest,
  session: Session,
  { clock, disk }: Pick<AgentDeps, 'clock' | 'disk'>,
): RememberOutcome {
  const why = whyNotKept(text);
  if (why !== undefined) return { outcome: 'refused', why };
  const line = quoteLine(text, MAX_STATEMENT_CHARS);
  const { messages } = session.context;
  const ownMessages = messages.filter((message) => message.origin === 'user' && !isImported(message));
  const userTexts = ownMessages.map(({ content }) => plainText(textOf(withoutNotes(content))));
  const byUser = source === 'user' || userTexts.some((words) => words.includes(plainText(text)));
  if (!byUser && repeatsOutput(text, toolOutputOf(messages)))
    return {
      outcome: 'refused',
      why: {
        en: 'it stands in what a tool returned or what was imported, and only what the user says is remembered; the user can: /remember TEXT',
        zh: '它出自工具返回或导入的内容，而只有用户说的话才会被记住；用户可以输入 /remember TEXT',
      },
    };
  const result = disk.memories.remember({
    kind: kind ?? kindOfStatement(line),
    text: line,
    sessionId: session.id,
    messageId: messages.findLast(({ origin }) => origin === 'user')?.id ?? 'none',
    at: clock.now().toISOString(),
    by: byUser ? 'user' : 'model',
    cwd: session.cwd,
  });
  return result ?? { outcome: 'refused', why: NOTHING_IN_IT };
}
