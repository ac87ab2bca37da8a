import { SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import type { Store } from '../../store/store.ts';
import { timeAgo } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { CommandContext } from '../command.ts';

/** Without a name the session used last in the working folder, and a line on standard error says which. Throws not_found. */
export function chooseSession(named: string | undefined, store: Store, { environment, io }: CommandContext): string {
  const { cwd, now } = environment;
  if (named !== undefined) return store.sessions.findId(named);
  const newest = store.sessions.newest(cwd());
  if (newest === undefined)
    throw new SanbotError(
      'not_found',
      { en: `There is no session in ${cwd()}`, zh: `${cwd()} 中没有会话` },
      { en: 'Name one with --session ID; sanbot sessions lists them.', zh: '用 --session ID 指定一个；sanbot sessions 列出会话。' },
    );
  const title = newest.title === '' ? '' : ` ${safeLine(JSON.stringify(newest.title))}`;
  io.err(
    localize({
      en: `Session ${newest.sessionId}${title}, last used ${timeAgo(newest.updatedAt, now())}.\n`,
      zh: `会话 ${newest.sessionId}${title}，上次使用于 ${timeAgo(newest.updatedAt, now())}。\n`,
    }),
  );
  return newest.sessionId;
}
