import type { ModelView } from '../chat/model-port.ts';
import type { SessionView } from '../chat/sessions-port.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { textWidth, wrap } from '../text/text-width.ts';

export type Welcome = { readonly version: string; readonly model: ModelView; readonly session: SessionView; readonly columns: number };

/** What stands above the first prompt of a session: version, who answers, the window, the session, one hint of at most two lines. Ends with a newline. */
export function welcomeText({ version, model, session, columns }: Welcome): string {
  const modelName = model.offline ? 'offline: not a language model' : `model ${safeLine(model.name)}`;
  const windowSize = `window ${formatCount(model.windowTokens)} tokens${model.windowAssumed ? ' (assumed)' : ''}`;
  const sessionName = `session ${safeLine(session.sessionId)}${session.resumed ? `, continued with ${pluralize(session.messages, 'message')}` : ''}`;
  const head = joinInLines([`SanBot ${version}`, modelName, windowSize, sessionName], columns);
  return `${head}\n${wrap(model.offline ? OFFLINE_HINT : HINT, columns).join('\n')}\n`;
}

/** Side by side as far as there is room: none is broken, so that an id can be copied. */
const joinInLines = ([first = '', ...more]: readonly string[], columns: number): string =>
  more.reduce((text, part) => {
    const last = text.slice(text.lastIndexOf('\n') + 1);
    return textWidth(`${last} · ${part}`) > columns ? `${text}\n${part}` : `${text} · ${part}`;
  }, first);

const HINT = '/help lists the commands. Ctrl-C stops a turn, Ctrl-D exits.';
const OFFLINE_HINT =
  'It understands: read, list, search, run, write, edit, remember, recall, status.\nFor a language model leave and run: sanbot setup. /help lists the commands.';
