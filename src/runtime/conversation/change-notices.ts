import { HOOK_NOTICE } from '../../agent/hooks.ts';
import type { Session } from '../../agent/session/session.ts';
import { promptChanges } from '../../context/prompt/prompt-changes.ts';
import { textOf } from '../../domain/session/message.ts';
import { projectFor, renderMemory } from '../prompt/render-system.ts';
import type { Runtime } from '../runtime.ts';

/**
 * The system prompt is frozen, so what has changed since the last message is said in flagged messages, one for each kind: the newest of
 * each kind outlives every compaction. Called when a turn is about to begin, so that only looking at a session writes nothing.
 */
export function appendChangeNotices(session: Session, runtime: Runtime): void {
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
  const changes = [
    ...(last.at.slice(0, 10) === project.date ? [] : [{ notice: 'date', text: `The date is now ${project.date}.` }]),
    ...(workingFolder(session) === project.cwd ? [] : [{ notice: 'folder', text: `The working folder is now ${project.cwd}.` }]),
    ...promptChanges(system, messages, currentState).map((text) => ({ notice: 'known', text })),
  ];
  for (const { notice, text } of changes) {
    const content = [{ type: 'text', text }];
    session.appendOrDiscard({ type: 'message', message: session.message({ role: 'user', origin: 'notice', notice, content }) });
  }
}

/** The folder that the newest notice names, or where the session began. */
function workingFolder(session: Session): string {
  const notices = session.context.messages.filter((message) => message.origin === 'notice').map((message) => textOf(message.content));
  const folders = notices.map((text) => /^The working folder is now (.+)\.$/m.exec(text)?.[1]);
  return folders.findLast((folder) => folder !== undefined) ?? session.cwd;
}
