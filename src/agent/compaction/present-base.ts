import { insertAfterSummary } from '../../context/history/pins.ts';
import { TOOLS_NOTICE, toolChanges } from '../../context/prompt/tool-changes.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { AgentDeps } from '../deps.ts';

/** What a session freezes at its start, and takes anew only where its past changes anyway: the provider's cache begins with it. */
export type Base = Pick<SessionContext, 'system' | 'tools'>;

type BaseDeps = Pick<AgentDeps, 'clock'>;

/**
 * The context with this base in the place of its own, and with a message that says what became of the tools. Thinking in its messages must
 * be gone before it is sent: that is bound to the base. The system prompt alone changes only where `keepsSystem` is false.
 */
export function withBase(context: SessionContext, base: Base, { clock }: BaseDeps, keepsSystem: boolean): SessionContext {
  const changes = toolChanges(context.tools, base.tools);
  if (changes === undefined) return keepsSystem ? context : { ...context, system: base.system };
  const notice = {
    ...({ id: clock.newId(), at: clock.now().toISOString(), role: 'user', origin: 'notice', notice: TOOLS_NOTICE } as const),
    content: [{ type: 'text', text: changes } as const],
  };
  const messages = insertAfterSummary(
    context.messages.filter((message) => message.notice !== TOOLS_NOTICE),
    [notice],
  );
  return { ...context, ...base, messages };
}
