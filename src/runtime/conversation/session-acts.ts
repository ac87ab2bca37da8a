import type { RecordedActs } from '../../agent/ports/disk.ts';
import type { Session } from '../../agent/session/session.ts';
import { isToolUse } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import type { Changes } from '../../store/changes/changes.ts';
import { isLive } from '../../tools/command/jobs/job-state.ts';
import type { Jobs } from '../../tools/command/jobs/jobs.ts';
import { completePattern } from '../../tools/command/lost/complete-pattern.ts';
import type { Runtime } from '../runtime.ts';
import { gitPlaces } from './git-places.ts';

export type SessionActs = RecordedActs & {
  /** The record itself, loaded when it is first asked for. */
  readonly changes: () => Promise<Changes>;
  /** Writes down what commands in the background changed until now. Loads nothing; throws store_failed. */
  readonly leave: () => Promise<void>;
};

type Owner = {
  readonly session: Pick<Session, 'id' | 'lastRecord' | 'context'>;
  readonly jobs: Jobs;
  /** Makes the folder of a session that has nothing stored yet. */
  readonly store: () => void;
};

/** An act of which nothing is kept, as the settings say. */
const UNRECORDED: Awaited<ReturnType<RecordedActs['begin']>> = {
  goOn: () => undefined,
  end: () => ({ set: undefined, uncovered: new Map(), isNews: false }),
};

/** How soon the end of a command in the background is seen while nothing else happens. */
const WATCH_MS = 1_000;

/** The acts of a session and of its helpers: where each stands in the session, and the end of those that go on in the background. */
export function createSessionActs({ session, jobs, store: makeFolder }: Owner, { environment, store, config }: Runtime): SessionActs {
  let loading: Promise<Changes> | undefined;
  const live = (name: string): boolean => {
    const job = jobs.find(name);
    return job !== undefined && isLive(job);
  };
  const changes = (): Promise<Changes> => {
    loading ??= store.changes(session.id, { ...gitPlaces(environment), isRunning: live, limits: config.changes });
    return loading;
  };
  const watched = new Set<string>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const rest = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  /** What it changed is written down before somebody else changes more. */
  const watch = (name: string, record: Changes): void => {
    watched.add(name);
    timer ??= setInterval(() => {
      const ended = [...watched].filter((each) => !live(each));
      for (const each of ended) watched.delete(each);
      if (watched.size === 0) rest();
      if (ended.length > 0) orLater(() => record.lookAtJobs(session.lastRecord));
    }, WATCH_MS).unref();
  };
  return {
    changes,
    begin: async ({ cwd, id, title, names }) => {
      if (!config.changes.enabled) return UNRECORDED;
      makeFolder();
      const record = await changes();
      const base = { cwd, userHome: environment.homedir() || undefined };
      const allNames = (): readonly string[] => [...names().flatMap((name) => completePattern(name, base)), ...touchedPaths(session)];
      const act = record.begin(cwd, { id, title, record: session.lastRecord }, allNames);
      return {
        ...act,
        goOn: (job) => {
          act.goOn(job);
          watch(job, record);
        },
      };
    },
    news: async () => (loading === undefined ? [] : (await loading).news(session.lastRecord)),
    leave: async () => {
      rest();
      if (loading !== undefined) (await loading).close(session.lastRecord);
    },
  };
}

/** Whatever fails now is tried again with the next act, which tells it. */
function orLater(work: () => void): void {
  try {
    work();
  } catch {
    // It is told then.
  }
}

/** The paths of files that the model has read and changed in what it still has of the session. */
const touchedPaths = ({ context }: Pick<Session, 'context'>): readonly string[] =>
  context.messages
    .flatMap(({ content }) => content)
    .filter(isToolUse)
    .flatMap(({ input }) => (isObject(input) && isString(input.path) ? [input.path] : []));
