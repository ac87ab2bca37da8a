import type { ModelView, SessionView } from './chat-port.ts';
import { count, counted } from './figures.ts';
import { safeLine } from './safe-text.ts';

/** What stands above the first prompt of a session: version, who answers, the window, the session, one hint of at most two lines. Ends with a newline. */
export function welcomeText(version: string, model: ModelView, session: SessionView): string {
  const who = model.offline ? 'offline: not a language model' : `model ${safeLine(model.name)}`;
  const window = `window ${count(model.windowTokens)} tokens${model.windowAssumed ? ' (assumed)' : ''}`;
  const which = `session ${safeLine(session.sessionId)}${session.resumed ? `, continued with ${counted(session.messages, 'message')}` : ''}`;
  return `${[`SanBot ${version}`, who, window, which].join(' · ')}\n${model.offline ? OFFLINE_HINT : HINT}\n`;
}

const HINT = '/help lists the commands. Ctrl-C stops a turn, Ctrl-D leaves.';
const OFFLINE_HINT =
  'It understands: read, list, search, run, write, edit, remember, recall, status.\nFor a language model set ANTHROPIC_API_KEY. /help lists the commands.';
