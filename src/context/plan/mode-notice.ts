import type { PermissionMode } from '../../domain/permission.ts';
import { planRoad } from '../../domain/session/called-tool.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { type Message, textOf } from '../../domain/session/message.ts';

const MODE_NOTICE = 'mode';

/** What the model has to be told of the permission mode; undefined when it knows, or plan mode has never been on. */
export function modeNotice(
  mode: PermissionMode,
  { messages, tools }: Pick<SessionContext, 'messages' | 'tools'>,
): Pick<Message, 'notice' | 'content'> | undefined {
  const latest = messages.findLast(({ notice }) => notice === MODE_NOTICE);
  if (mode !== 'plan' && latest === undefined) return undefined;
  const text = mode === 'plan' ? onText(planRoad(tools)) : `Plan mode is over. The permission mode is ${mode} now.`;
  const isOn = latest !== undefined && textOf(latest.content).startsWith(ON);
  if (mode === 'plan' ? isOn : !isOn) return undefined;
  return { notice: MODE_NOTICE, content: [{ type: 'text', text }] };
}

const ON = 'Plan mode is on.';

const onText = (road: string): string =>
  `${ON} Look, search, ask, and run what only reads; change nothing. When you know enough, hand your plan in, whole, in Markdown, with numbered steps: by ${road}. The user reads it, may change it, and says yes or no; only a yes ends plan mode.`;
