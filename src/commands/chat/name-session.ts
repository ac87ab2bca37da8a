import type { Bilingual } from '../../domain/language.ts';
import { redact } from '../../domain/value/redact.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { normalizeTitle } from '../../store/session/change-session.ts';
import { writeTitle } from '../../store/session/peek-session.ts';

/** As a title stands in a log. Throws usage when it is empty or too long. */
export const nameAsTitle = (name: string): string => redact(normalizeTitle(name));

/** The log's record first; the file beside it is derived from it. */
export function nameSession({ session }: Pick<Conversation, 'session'>, { environment, home, show }: Runtime, title: string): string {
  const line = nameAsTitle(title);
  session.append({ type: 'title', title: line });
  const disk = { ...storeEnvironmentOf(environment, home), warn: (message: Bilingual) => show({ type: 'warning', message }) };
  writeTitle(disk, pathsOf(home), { sessionId: session.id, title: line });
  return line;
}
