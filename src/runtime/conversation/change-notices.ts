import { HOOK_NOTICE } from '../../agent/hooks/hooks.ts';
import type { Session } from '../../agent/session/session.ts';
import { folderNotice, workingFolderIn } from '../../context/history/working-folder.ts';
import { promptChanges } from '../../context/prompt/prompt-changes.ts';
import type { Message } from '../../domain/session/message.ts';
import { projectFor, renderMemory } from '../prompt/render-system.ts';
import type { Runtime } from '../runtime.ts';
import { appendServerNotice } from './mcp.ts';

/**
 * The system prompt is frozen, so what has changed since the last message is said in flagged messages, one for each kind: the newest of
 * each kind outlives every compaction. Called when a turn is about to begin, so that only looking at a session writes nothing.
 */
export function appendChangeNotices(session: Session, runtime: Runtime): void {
  appendServerNotice(session, runtime.mcp);
  const { system } = session.context;
  // What a hook says has just been added, and tells nothing of the day on which the work was left.
  const messages = session.context.messages.filter(({ notice }) => notice !== HOOK_NOTICE);
  const last = messages.at(-1);
  if (last === undefined) return;
  const project = projectFor(runtime, session.model);
  const options = { group: session.group, project, model: session.model };
  const currentState = {
    project,
    memory: renderMemory(runtime, options, { exceptSession: session.id }),
    allMemory: renderMemory(runtime, options, { unlimited: true }),
  };
  const isSameFolder = (workingFolderIn(session.context.messages) ?? session.cwd) === project.cwd;
  const notices = [
    ...(last.at.slice(0, 10) === project.date ? [] : [{ notice: 'date', content: textContent(`The date is now ${project.date}.`) }]),
    ...(isSameFolder ? [] : [folderNotice(project.cwd)]),
    ...promptChanges(system, messages, currentState).map(({ notice, text }) => ({ notice, content: textContent(text) })),
  ];
  for (const notice of notices)
    session.appendOrDiscard({ type: 'message', message: session.message({ role: 'user', origin: 'notice', ...notice }) });
}

const textContent = (text: string): Message['content'] => [{ type: 'text', text }];
