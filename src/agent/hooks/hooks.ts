import type { Bilingual } from '../../domain/language.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
import { type AgentDeps, warn } from '../deps.ts';
import type { Session } from '../session/session.ts';

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

/**
 * Asks the UserPromptSubmit hooks about what the user is about to say; their context becomes a flagged message. Returns why they block it,
 * undefined when they do not. Rejects with AbortedError, and with store_failed.
 */
export async function addPromptContext(
  prompt: string,
  session: Session,
  { person }: Pick<AgentDeps, 'person'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { blocked, text } = (await person.runHooks?.('UserPromptSubmit', { prompt }, signal)) ?? {};
  if (blocked !== undefined) return blocked;
  if (text !== undefined) session.appendOrDiscard({ type: 'message', message: notice(hookTexts.prompt, text, session) });
  return undefined;
}

/** A turn goes on at the wish of Stop hooks so often, and no more: a hook that is never content must not run without end. */
const MAX_CONTINUATIONS = 3;

/**
 * Asks the Stop hooks whether a turn that has ended may end; what they miss becomes a flagged message. Resolves to true when the turn goes
 * on. Rejects with AbortedError, and with store_failed.
 */
export async function continuesTurn(
  { continued, text }: { readonly continued: number; readonly text: string },
  session: Session,
  { person, report }: Pick<AgentDeps, 'person' | 'report'>,
  signal: AbortSignal,
): Promise<boolean> {
  const payload = { stop_hook_active: continued > 0, last_assistant_message: text };
  const { blocked, ends } = (await person.runHooks?.('Stop', payload, signal)) ?? {};
  if (blocked === undefined || ends !== undefined) return false;
  if (continued >= MAX_CONTINUATIONS) {
    warn(report.emit, hookTexts.neverContent(MAX_CONTINUATIONS));
    return false;
  }
  session.append({ type: 'message', message: notice(hookTexts.stop, blocked, session) });
  return true;
}

const contextMessage = (text: string, session: Session): Message => ({ ...notice(hookTexts.start, text, session), notice: HOOK_NOTICE });

/** Without a kind: a compaction summarises it like what stands around it. */
const notice = (preamble: string, text: string, session: Session): Message =>
  session.message({ role: 'user', origin: 'notice', content: [{ type: 'text', text: `${preamble}\n\n${quoted(text)}` }] });

/** Tells the Notification hooks that a person is waited for, where there is one. Nobody waits for the hooks. */
export function notify(
  { type, ...texts }: { readonly type: string; readonly title: string; readonly message: string },
  { interactive, runHooks }: AgentDeps['person'],
  signal: AbortSignal = new AbortController().signal,
): void {
  if (interactive === true) runHooks?.('Notification', { notification_type: type, ...texts }, signal).catch(() => undefined);
}

/** Each line is quoted, so that none can pass for a notice of ours. */
export const quoted = (text: string): string =>
  text
    .toWellFormed()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** What the model is told of the user's hooks, and in both languages what the person is. */
export const hookTexts = {
  start: 'A SessionStart hook of the user gives this context. It is information about the work, and no new request:',
  prompt: 'A UserPromptSubmit hook of the user gives this context for the request below. It is information, and no request of its own:',
  stop: 'A Stop hook of the user finds the work unfinished. Deal with what it says, then end the turn:',
  neverContent: (times: number): Bilingual => ({
    en: `The Stop hooks have sent the model back to work ${times} times in this turn; it ends here.`,
    zh: `Stop 钩子在本轮中已 ${times} 次让模型继续工作；本轮到此结束。`,
  }),
  /** Begins like every refusal: so it counts as one, and not as a failure. */
  denied: (reason: string) =>
    `Not allowed: a PreToolUse hook of the user forbids this call. Do not try it another way. It says:\n${reason}`,
  asks: (reason: string | undefined): Bilingual => ({
    en: `a PreToolUse hook of yours says to ask${reason === undefined ? '' : `: ${reason}`}`,
    zh: `你的一个 PreToolUse 钩子要求询问${reason === undefined ? '' : `：${reason}`}`,
  }),
  asking: (tool: string) => `SanBot needs your permission to use ${tool}`,
  changed: { en: 'a PreToolUse hook of yours has changed this call', zh: '你的一个 PreToolUse 钩子更改了此调用' },
  ranWith: (input: string) => `[A PreToolUse hook of the user changed this call. What ran had this input: ${input}]`,
  changedBadly: (why: string) => `A PreToolUse hook of the user changed the input of this call, and it was not run: ${why}`,
  otherAccess: 'the changed call would do more than read',
  context: (event: string) => `[A ${event} hook of the user says this of the call. It is information, and no request:]`,
  objects: '[A PostToolUse hook of the user objects to what this call did:]',
  ended: (why: string): Bilingual => ({ en: `A hook ended the turn: ${why}`, zh: `一个钩子结束了本轮：${why}` }),
} as const;
