/**
 * `sanbot` and `sanbot --print`: a conversation with a person at a terminal, or one turn for a program. Both front ends open a conversation
 * and say a text in it; they differ in who asks, who shows and who decides.
 *
 * Settings, flags and standard input come in; an exit code comes out, with the answer on standard output and all else on standard error.
 * `openChat` implements the terminal's ports on the conversation that is open, one maker for each port in `ports/`.
 *
 * What happens in a turn is decided below, and a view is only put together here. Leaving, a closed terminal and a kill end a
 * conversation in the same order; everything is on disk before.
 */

import { warnOfWindow } from '../../agent/deps.ts';
import { SanbotError } from '../../domain/errors.ts';
import { startConversation } from '../../runtime/conversation/conversation.ts';
import { type ConversationStart, openLiveConversation } from '../../runtime/conversation/open-runtime.ts';
import type { EndReason, LiveConversation } from '../../runtime/conversation/types.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Settings } from '../../runtime/settings.ts';
import type { ChatPort } from '../../terminal/chat/chat-port.ts';
import { createCompactionPort, createModelPort, createPinsPort } from './ports/context-port.ts';
import { openCurrent } from './ports/current.ts';
import { createChangesPort, createRollbackPort, createSessionsPort } from './ports/history-port.ts';
import { createMemoryPort } from './ports/memory-port.ts';
import {
  createInstructionsPort,
  createMcpPort,
  createPermissionsPort,
  createSettingsPort,
  createSkillsPort,
} from './ports/program-port.ts';
import { createJobsPort, createTurnPort } from './ports/turn-port.ts';

export type ChatStart = ConversationStart & { readonly settings: Settings };

export type Chat = ChatPort & {
  /** The one that is open now. */
  readonly conversation: () => LiveConversation;
  /** Begins it anew in another group, under the same id. Throws usage once something was said in it. */
  readonly changeGroup: (group: string) => Promise<void>;
  /** Tells when no conversation fits beside the system prompt and the tools, or only a short one. */
  readonly checkWindow: () => void;
  /** What an orderly end does first. Never rejects. */
  readonly reflect: () => Promise<void>;
  readonly close: (reason: EndReason) => Promise<void>;
};

const STAYS_IN_GROUP = { en: 'A session stays in its group once something was said in it', zh: '会话中有内容之后不能更换组' };

/** The chat of one process: one conversation at a time, and all that a person can ask about it. */
export function openChat(runtime: Runtime, { settings, ...start }: ChatStart): Chat {
  const current = openCurrent(runtime, (counted) => openLiveConversation(counted, start));
  return {
    turn: createTurnPort(current),
    model: createModelPort(current),
    compaction: createCompactionPort(current),
    rollback: createRollbackPort(current),
    changes: createChangesPort(current),
    memory: createMemoryPort(current),
    permissions: createPermissionsPort(current),
    mcp: createMcpPort(current),
    pins: createPinsPort(current),
    jobs: createJobsPort(current),
    sessions: createSessionsPort(current, start.group),
    settings: createSettingsPort(current, settings),
    skills: createSkillsPort(current),
    instructions: createInstructionsPort(current),
    conversation: current.conversation,
    changeGroup: async (group) => {
      const { session, resumed } = current.conversation();
      if (resumed || session.context.messages.length > 0) throw new SanbotError('usage', STAYS_IN_GROUP);
      await current.switchTo((counted) => startConversation(counted, group, session.id));
    },
    checkWindow: () => warnOfWindow(current.conversation().session, current.conversation().deps),
    reflect: () => current.conversation().reflect(),
    close: (reason) => current.conversation().end(reason),
  };
}
