import { localize } from '../../domain/language.ts';
import type { ModelView } from '../chat/context-port.ts';
import type { SessionView } from '../chat/history-port.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { textWidth, wrap } from '../text/text-width.ts';

export type Welcome = { readonly version: string; readonly model: ModelView; readonly session: SessionView; readonly columns: number };

/** What stands above the first prompt of a session: version, who answers, the window, the session, one hint of at most two lines. Ends with a newline. */
export function welcomeText({ version, model, session, columns }: Welcome): string {
  const head = joinInLines([`SanBot ${version}`, modelName(model), windowSize(model), sessionName(session)], columns);
  return `${head}\n${wrap(localize(model.offline ? offlineHint : hint), columns).join('\n')}\n`;
}

const modelName = ({ name, offline }: ModelView): string =>
  offline
    ? localize({ en: 'offline: not a language model', zh: '离线：不是语言模型' })
    : localize({ en: `model ${safeLine(name)}`, zh: `模型 ${safeLine(name)}` });

const windowSize = ({ windowTokens, windowAssumed }: ModelView): string =>
  localize({
    en: `window ${formatCount(windowTokens)} tokens${windowAssumed ? ' (assumed)' : ''}`,
    zh: `窗口 ${formatCount(windowTokens)} token${windowAssumed ? '（假定值）' : ''}`,
  });

const sessionName = ({ sessionId, resumed, messages }: SessionView): string =>
  localize({
    en: `session ${safeLine(sessionId)}${resumed ? `, continued with ${pluralize(messages, 'message')}` : ''}`,
    zh: `会话 ${safeLine(sessionId)}${resumed ? `，继续，已有 ${formatCount(messages)} 条消息` : ''}`,
  });

/** Side by side as far as there is room: none is broken, so that an id can be copied. */
const joinInLines = ([first = '', ...more]: readonly string[], columns: number): string =>
  more.reduce((text, part) => {
    const last = text.slice(text.lastIndexOf('\n') + 1);
    return textWidth(`${last} · ${part}`) > columns ? `${text}\n${part}` : `${text} · ${part}`;
  }, first);

const hint = {
  en: '/help lists the commands. Ctrl-C stops a turn, Ctrl-D exits.',
  zh: '/help 列出命令。Ctrl-C 停止当前轮次，Ctrl-D 退出。',
};
const offlineHint = {
  en: 'It understands: read, list, search, run, write, edit, remember, recall, status.\nFor a language model leave and run: sanbot setup. /help lists the commands.',
  zh: '它能理解：read、list、search、run、write、edit、remember、recall、status。\n要使用语言模型，请退出并运行 sanbot setup。/help 列出命令。',
};
