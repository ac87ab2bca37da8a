import type { RecordFileChange, Tool } from '../../agent/ports.ts';
import { limitsFor } from '../../context/measure/limits.ts';
import { searchableTexts } from '../../context/search/search-documents.ts';
import type { Message } from '../../domain/session/message.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { Recall } from '../../tools/recall.ts';
import type { Remember } from '../../tools/remember.ts';
import { createTools } from '../../tools/tools.ts';
import type { Runtime } from '../runtime.ts';

/** The tools are made before their session is: the header lists them. */
export type DeferredSession = { remember?: Remember; sentMessages?: () => readonly Message[] };

type Owner = {
  readonly sessionId: string;
  readonly group: string;
  readonly model: string;
  readonly deferred: DeferredSession;
  readonly noteFile: RecordFileChange;
};

/** The real tools of one session. */
export function toolsOf(owner: Owner, runtime: Runtime): readonly Tool[] {
  const { environment, home, store, prompt, config, model } = runtime;
  const { sessionId } = owner;
  const paths = pathsOf(home);
  const bodies = store.bodies(sessionId);
  return createTools({
    cwd: environment.cwd(),
    home,
    sessionFolder: paths.session(sessionId),
    env: environment.env,
    prompts: (name) => prompt(`tools/${name}`),
    pageChars: limitsFor(config, model.facts(owner.model).windowTokens).resultChars,
    readBody: bodies.readPath,
    platform: environment.platform,
    shell: '/bin/sh',
    recall: recallOf(owner, runtime),
    ...(config.memory.enabled ? { remember: rememberOf(owner) } : {}),
    recordFileChange: owner.noteFile,
    now: environment.now,
    newId: environment.newId,
    kill: (pid, signal) => environment.kill(pid, signal),
  });
}

const rememberOf =
  ({ deferred }: Owner): Remember =>
  (request) =>
    deferred.remember?.(request) ?? { outcome: 'refused', why: 'the session has not begun' };

/** The database is loaded when something is looked up, and not before. */
function recallOf({ sessionId, group, deferred }: Owner, { environment, home, store, show }: Runtime): Recall {
  const recallContext = { environment, home, store, group, warn: (message: string) => show({ type: 'warning', message }) };
  return {
    search: async (request, signal) => {
      const beside = { sessionId, texts: searchableTexts(deferred.sentMessages?.() ?? []) };
      return (await import('./recall.ts')).search(recallContext, { ...request, beside }, signal);
    },
    open: async (ref, signal) => (await import('./recall.ts')).openRef(recallContext, ref, signal),
  };
}

export type DeferredNote = { readonly note: RecordFileChange; readonly bind: (note: RecordFileChange) => void };

/** The tools are made before the session that records what they change. */
export function createDeferredNote(): DeferredNote {
  let noteFile: RecordFileChange | undefined;
  return {
    note: (change) => {
      if (noteFile === undefined) throw new Error('A file was changed before its session was open');
      return noteFile(change);
    },
    bind: (note) => {
      noteFile = note;
    },
  };
}
