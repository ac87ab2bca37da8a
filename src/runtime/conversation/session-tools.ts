import type { RecordFileChange, Tool } from '../../agent/ports.ts';
import { limitsFor } from '../../context/measure/limits.ts';
import { searchableTexts } from '../../context/search/search-documents.ts';
import type { Message } from '../../domain/session/message.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { Recall } from '../../tools/recall.ts';
import type { Remember } from '../../tools/remember.ts';
import { createTools } from '../../tools/tools.ts';
import type { Setting } from '../setting.ts';

/** The tools are made before their session is: the header lists them. */
export type LateSession = { remember?: Remember; sent?: () => readonly Message[] };

type Owner = {
  readonly sessionId: string;
  readonly group: string;
  readonly model: string;
  readonly late: LateSession;
  readonly noteFile: RecordFileChange;
};

/** The real tools of one session. */
export function toolsOf(owner: Owner, setting: Setting): readonly Tool[] {
  const { world, home, store, prompt, config, model } = setting;
  const { sessionId } = owner;
  const paths = pathsOf(home);
  const bodies = store.bodies(sessionId);
  return createTools({
    cwd: world.cwd(),
    home,
    sessionFolder: paths.session(sessionId),
    env: world.env,
    prompts: (name) => prompt(`tools/${name}`),
    pageChars: limitsFor(config, model.facts(owner.model).windowTokens).resultChars,
    readBody: bodies.readPath,
    platform: world.platform,
    shell: '/bin/sh',
    recall: recallOf(owner, setting),
    ...(config.memory.enabled ? { remember: rememberOf(owner) } : {}),
    recordFileChange: owner.noteFile,
    now: world.now,
    newId: world.newId,
    kill: (pid, signal) => world.kill(pid, signal),
  });
}

const rememberOf =
  ({ late }: Owner): Remember =>
  (wish) =>
    late.remember?.(wish) ?? { outcome: 'refused', why: 'the session has not begun' };

/** The database is loaded when something is looked up, and not before. */
function recallOf({ sessionId, group, late }: Owner, { world, home, store, show }: Setting): Recall {
  const place = { world, home, store, group, tell: (message: string) => show({ type: 'warning', message }) };
  return {
    search: async (wish, signal) => {
      const beside = { sessionId, texts: searchableTexts(late.sent?.() ?? []) };
      return (await import('./recall.ts')).search(place, { ...wish, beside }, signal);
    },
    open: async (ref, signal) => (await import('./recall.ts')).openRef(place, ref, signal),
  };
}

export type LateNote = { readonly note: RecordFileChange; readonly begin: (note: RecordFileChange) => void };

/** The tools are made before the session that records what they change. */
export function lateNote(): LateNote {
  let noteFile: RecordFileChange | undefined;
  return {
    note: (change) => {
      if (noteFile === undefined) throw new Error('A file was changed before its session was open');
      return noteFile(change);
    },
    begin: (note) => {
      noteFile = note;
    },
  };
}
