import { AbortedError, SanbotError } from '../../domain/errors.ts';
import { localize, type Warn } from '../../domain/language.ts';
import { ownSessions, type SessionListEntry } from '../../domain/session/session-list-entry.ts';
import { inspectText } from '../../domain/text.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store } from '../../store/store.ts';
import { searchOnTerminal } from '../../terminal/input/confirm.ts';
import { loadFuzzyFind } from '../../terminal/input/fuzzy-find.ts';
import { COLUMNS_WITHOUT_TERMINAL } from '../../terminal/text/table.ts';
import { sessionChoice } from '../../terminal/views/sessions-table.ts';
import { canAsk } from '../answer.ts';
import type { ChatOptions } from './chat-options.ts';

export type SessionSelection = Pick<ChatOptions, 'resume' | 'continueNewest' | 'name' | 'fork' | 'plain'>;

/**
 * The session that --resume or --continue means, or with --fork a copy of it; undefined for a new one. Throws not_found when there is nothing
 * to continue, AbortedError when the list was left without a choice, and like `forkSession`.
 */
export async function resolveSession(runtime: Runtime, selection: SessionSelection, warn: Warn): Promise<string | undefined> {
  const { environment, home, store } = runtime;
  const sessionId = await sessionToResume(store, selection, { environment, warn });
  if (sessionId === undefined || !selection.fork) return sessionId;
  const { forkSession } = await import('../sessions/fork.ts');
  return forkSession({ environment, home, store, warn }, sessionId);
}

async function sessionToResume(
  store: Store,
  { resume, continueNewest, name, plain }: SessionSelection,
  { environment, warn }: { readonly environment: Environment; readonly warn: Warn },
): Promise<string | undefined> {
  if (resume === true && plain === true && canAsk(environment)) {
    const sessionId = newestHere(store, environment);
    warn(plainResume);
    return sessionId;
  }
  if (resume === true) return pickSession(store.sessions.list(), environment);
  if (resume !== undefined) return store.sessions.findId(resume);
  if (continueNewest && name !== undefined) return newestNamed(store, name);
  return continueNewest ? newestHere(store, environment) : undefined;
}

/** A list that narrows is nothing for a screen reader. */
const plainResume = {
  en: 'This is the last session used in this folder. /sessions lists the others, and /resume ID changes to one of them.',
  zh: '这是此文件夹中最近使用的会话。/sessions 列出其他会话，/resume ID 切换到其中一个。',
};

function newestNamed(store: Store, name: string): string {
  const newest = store.sessions.list().find(({ title, problem }) => problem === undefined && title === name);
  if (newest !== undefined) return newest.sessionId;
  throw new SanbotError(
    'not_found',
    { en: `There is no session named ${inspectText(name)}`, zh: `没有名为 ${inspectText(name)} 的会话` },
    { en: 'Begin one of this name without --continue.', zh: '不加 --continue 即可新建此名称的会话。' },
  );
}

/** Does it again each second, so many times, while somebody else has the session open. */
export async function waitForSession<T>({ wait = 0 }: ChatOptions, { environment }: Runtime, work: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SanbotError) || error.code !== 'session_locked' || waited >= wait) throw error;
    }
    await environment.sleep(1_000, new AbortController().signal);
  }
}

function newestHere(store: Store, environment: Environment): string {
  const newest = store.sessions.newest(environment.cwd());
  if (newest !== undefined) return newest.sessionId;
  throw new SanbotError(
    'not_found',
    { en: `There is no session in ${environment.cwd()} to continue`, zh: `${environment.cwd()} 中没有可继续的会话` },
    {
      en: 'Run sanbot to start one, or sanbot sessions to list the others.',
      zh: '运行 sanbot 新建会话，或用 sanbot sessions 列出其他会话。',
    },
  );
}

/** Those of the working folder stand first. */
async function pickSession(sessions: readonly SessionListEntry[], environment: Environment): Promise<string> {
  const { cwd, now, stdout } = environment;
  if (!canAsk(environment))
    throw new SanbotError(
      'usage',
      {
        en: '--resume needs the id of a session where no list can be drawn to choose from',
        zh: '无法显示选择列表时，--resume 需要会话 id',
      },
      {
        en: 'sanbot sessions lists them; --continue takes the last one used in this folder.',
        zh: 'sanbot sessions 列出全部会话；--continue 继续此文件夹中最近的会话。',
      },
    );
  const usable = sessions.filter(({ problem }) => problem === undefined);
  if (usable.length === 0)
    throw new SanbotError(
      'not_found',
      { en: 'There is no session to continue', zh: '没有可继续的会话' },
      { en: 'Run sanbot to start one.', zh: '运行 sanbot 新建会话。' },
    );
  const isHere = (row: SessionListEntry): boolean => row.cwd === cwd();
  const ordered = [...usable.filter(isHere), ...usable.filter((row) => !isHere(row))];
  const matching = await sessionMatcher(ordered);
  const choices = (typed: string) =>
    matching(typed).map((row) => ({
      name: sessionChoice(row, { now: now(), folder: cwd(), columns: (stdout.columns || COLUMNS_WITHOUT_TERMINAL) - 3 }),
      value: row.sessionId,
    }));
  const chosen = await searchOnTerminal(localize({ en: 'Continue which session?', zh: '继续哪个会话？' }), choices, environment);
  if (chosen === undefined) throw new AbortedError('no session was chosen');
  return chosen;
}

/** Those whose title, folder and id hold the letters that were typed, in their order; the best match first. */
async function sessionMatcher(sessions: readonly SessionListEntry[]): Promise<(typed: string) => readonly SessionListEntry[]> {
  const find = await loadFuzzyFind();
  const byText = new Map(sessions.map((row) => [`${row.title} ${row.cwd} ${row.sessionId}`, row]));
  const texts = [...byText.keys()];
  return (typed) =>
    typed.trim() === '' ? ownSessions(sessions) : find(typed.trim(), texts, MAX_FOUND).flatMap((text) => byText.get(text) ?? []);
}

const MAX_FOUND = 100;
