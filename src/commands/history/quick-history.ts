import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chooseLanguage, setLanguage } from '../../domain/language.ts';
import type { SessionListEntry } from '../../domain/session/session-list-entry.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { type HomeUser, requireHome, resolveHome } from '../../store/home.ts';
import { type CheckedSessions, checkSessions } from '../../store/session/list/known-sessions.ts';
import { COLUMNS_WITHOUT_TERMINAL } from '../../terminal/text/table.ts';
import { sessionColumnsTable, sessionsTable } from '../../terminal/views/sessions-table.ts';

/** What bin/sanbot.js knows of its process. */
export type QuickStart = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly user: HomeUser;
  readonly now: Date;
  /** Undefined where standard output is no terminal. */
  readonly terminal: { readonly columns: number | undefined } | undefined;
  /** Called before longer work: it runs code that V8 has not compiled for speed until then. */
  readonly optimise: () => void;
};

/**
 * Returns what `sanbot history` prints when nothing follows it: the sessions, from the file that lists them, without the command line's
 * library, the settings and the stores. Undefined where the whole program has to answer: when the settings may name a language, and when
 * anything fails, since errors are printed there.
 */
export async function quickHistory({ env, user, now, terminal, optimise }: QuickStart): Promise<string | undefined> {
  try {
    const home = requireHome(resolveHome(env, user.homedir), user);
    const set = env.SANBOT_LANGUAGE || undefined;
    if (set === undefined && mayNameLanguage(join(home, 'config.json'))) return undefined;
    setLanguage(chooseLanguage({ set, env, isTerminal: terminal !== undefined }));
    const checked = checkSessions(pathsOf(home), now);
    const { list, changed, others, isOutdated } = checked;
    const options = { now, columns: terminal?.columns ?? COLUMNS_WITHOUT_TERMINAL };
    if (changed.size > 0 || others.length > 0 || isOutdated) {
      optimise();
      return sessionsTable(await describeOthers(home, checked), options);
    }
    return list === undefined ? sessionsTable([], options) : sessionColumnsTable(list.shown, options);
  } catch {
    return undefined;
  }
}

function mayNameLanguage(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (!found.isFile() || readFileSync(path, 'latin1').includes('"ui"'));
}

async function describeOthers(home: string, checked: CheckedSessions): Promise<readonly SessionListEntry[]> {
  const { listAnew } = await import('./list-anew.ts');
  return listAnew(home, checked);
}
