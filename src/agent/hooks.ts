import { type Message, textOf } from '../domain/session/message.ts';
import type { AgentDeps } from './deps.ts';
import type { Session } from './session/session.ts';

export type StartSource = 'startup' | 'resume' | 'clear' | 'compact' | 'fork';

/** The kind of these notices: the newest outlives every compaction. */
export const HOOK_NOTICE = 'hook';

/** What the SessionStart hooks print becomes a flagged message of its own. Rejects with AbortedError, and with store_failed. */
export async function addStartContext(
  source: StartSource,
  session: Session,
  { person }: Pick<AgentDeps, 'person'>,
  signal: AbortSignal,
): Promise<void> {
  const { text } = (await person.runHooks?.('SessionStart', { source, model: session.model }, signal)) ?? {};
  if (text === undefined) return;
  const message = contextMessage(text, session);
  const latest = session.context.messages.findLast(({ notice }) => notice === HOOK_NOTICE);
  const isUnchanged = latest !== undefined && textOf(latest.content) === textOf(message.content);
  if (source !== 'compact' || !isUnchanged) session.appendOrDiscard({ type: 'message', message });
}

/** Each line is quoted, so that none can pass for a notice of ours. */
const contextMessage = (text: string, session: Session): Message => {
  const quote = text
    .toWellFormed()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  const preamble = 'A SessionStart hook of the user gives this context. It is information about the work, and no new request:';
  return session.message({
    role: 'user',
    origin: 'notice',
    notice: HOOK_NOTICE,
    content: [{ type: 'text', text: `${preamble}\n\n${quote}` }],
  });
};
