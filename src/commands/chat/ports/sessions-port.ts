import type { AuditRecord } from '../../../domain/event.ts';
import { resumeConversation, startConversation } from '../../../runtime/conversation/conversation.ts';
import type { Conversation } from '../../../runtime/conversation/types.ts';
import { storeEnvironmentOf } from '../../../runtime/open-store.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { pathsOf } from '../../../store/files/paths.ts';
import { normalizeTitle } from '../../../store/session/change-session.ts';
import { writeTitle } from '../../../store/session/session-title.ts';
import type { SessionsPort } from '../../../terminal/chat/sessions-port.ts';
import type { Current } from './current.ts';

/** `group` is that of new sessions. */
export function createSessionsPort({ conversation, runtime, switchTo }: Current, group: string): SessionsPort {
  const resume = (sessionId: string) => switchTo((counted) => resumeConversation(counted, sessionId, { model: undefined }));
  return {
    current: () => {
      const { session, resumed } = conversation();
      return { sessionId: session.id, cwd: session.cwd, resumed, messages: session.context.messages.length };
    },
    list: () => runtime.store.sessions.list(),
    resume: async (named) => {
      const sessionId = runtime.store.sessions.findId(named);
      if (sessionId !== conversation().session.id) await resume(sessionId);
    },
    startNew: () => switchTo((counted) => startConversation(counted, group)),
    fork: async () => {
      const copyId = await fork(conversation(), runtime);
      await resume(copyId);
      return copyId;
    },
    rename: async (title) => rename(conversation(), runtime, title),
    exportTo: async (file) => exportTo(conversation(), runtime, file),
    events: () => newestEvents(conversation(), runtime),
  };
}

async function fork({ session, deps }: Conversation, { environment, home, store }: Runtime): Promise<string> {
  const { forkSession } = await import('../../sessions/fork.ts');
  const warn = (message: string) => deps.report.emit({ type: 'warning', message });
  return forkSession({ environment, home, store, warn }, session.id);
}

/** The log's record first; the file beside it is derived from it. */
function rename({ session }: Conversation, { environment, home, show }: Runtime, title: string): string {
  const line = normalizeTitle(title);
  session.append({ type: 'title', title: line });
  const disk = { ...storeEnvironmentOf(environment, home), warn: (message: string) => show({ type: 'warning', message }) };
  writeTitle(disk, pathsOf(home), { sessionId: session.id, title: line });
  return line;
}

async function exportTo({ session, deps }: Conversation, { environment, home }: Runtime, name: string | undefined) {
  const file = name ?? `${session.id}.md`;
  const { exportToFile } = await import('../../sessions/export-session.ts');
  const warn = (message: string) => deps.report.emit({ type: 'warning', message });
  return { file, bytes: exportToFile(environment, { home, session: session.id, file }, warn) };
}

const MAX_EVENTS = 30;

function newestEvents({ session }: Conversation, { store }: Runtime): readonly AuditRecord[] {
  const records: AuditRecord[] = [];
  store.events.read({ sessionId: session.id }, (record) => {
    records.push(record);
    if (records.length > MAX_EVENTS) records.shift();
  });
  return records;
}
