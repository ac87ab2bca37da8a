import type { KeptFiles, LeftOutFiles, RecordedActs } from '../../agent/ports/disk.ts';
import type { Session } from '../../agent/session/session.ts';
import type { Change } from '../../domain/session/change.ts';
import { isToolUse } from '../../domain/session/message.ts';
import type { LogRecord } from '../../domain/session/record.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import type { Changes } from '../../store/changes/changes.ts';
import type { LaterFinder } from '../../store/changes/left-out.ts';
import { areNear, type HeldActs } from '../../store/held-acts.ts';
import { isLive } from '../../tools/command/jobs/job-state.ts';
import type { Jobs } from '../../tools/command/jobs/jobs.ts';
import { completePattern } from '../../tools/command/lost/complete-pattern.ts';
import { isAllowedManifest } from '../../tools/place/allowed-manifests.ts';
import { leftToRun } from '../../tools/place/left-to-run.ts';
import { mayRunLater } from '../../tools/place/passed-over.ts';
import type { Runtime } from '../runtime.ts';
import { leaveOutOf } from './left-files.ts';
import { gitPlaces, namedFiles } from './session-tools.ts';

export type SessionActs = RecordedActs & {
  /** The record itself, loaded when it is first asked for. */
  readonly changes: () => Promise<Changes>;
  /** What it keeps of a folder; loads nothing before it is to look. */
  readonly keptIn: (cwd: string) => Promise<KeptFiles>;
  /**
   * Writes down what commands in the background changed until now, and puts back what they left that runs later. Loads nothing; throws
   * store_failed.
   */
  readonly leave: () => Promise<LeftOutFiles | undefined>;
};

type Owner = {
  readonly session: Pick<Session, 'id' | 'lastRecord' | 'context'>;
  readonly jobs: Jobs;
  /** Makes the folder of a session that has nothing stored yet. */
  readonly store: () => void;
  /** The records of the session. */
  readonly past: () => Iterable<LogRecord>;
  /** Tells the person what a command in the background left. */
  readonly tell: (left: LeftOutFiles) => void;
};

/** An act of which nothing is kept, as the settings say. */
const UNRECORDED: Awaited<ReturnType<RecordedActs['begin']>> = {
  goOn: () => undefined,
  end: () => ({ set: undefined, uncovered: new Map(), isNews: false }),
};

/** How soon the end of a command in the background is seen while nothing else happens. */
const WATCH_MS = 1_000;

/** The acts of a session and of its helpers: where each stands in the session, and the end of those that go on in the background. */
export function createSessionActs({ session, jobs, store: makeFolder, past, tell }: Owner, runtime: Runtime): SessionActs {
  const { environment, store, config, folders } = runtime;
  let loading: Promise<Changes> | undefined;
  const held = createHeldNote(store, session.id);
  const live = (name: string): boolean => [jobs.find(name)].some((job) => job !== undefined && isLive(job));
  const changes = (): Promise<Changes> => {
    const options = { isRunning: live, limits: config.changes, looksOnly: !config.changes.enabled, ...laterIn(runtime, held.isShared) };
    loading ??= store.changes(session.id, { ...gitPlaces(environment), ...options });
    return loading;
  };
  const opened = async (): Promise<Changes> => {
    makeFolder();
    return changes();
  };
  let folder = environment.cwd();
  const leaveOut = inTurn(async () => {
    const record = loading === undefined ? undefined : await loading;
    if (record?.hasOpen() !== true) return undefined;
    const place = { sessionId: session.id, cwd: folder, newId: environment.newId, record: () => session.lastRecord, past };
    return leaveOutOf(record, place);
  });
  const watcher = createWatcher(live, async () => {
    // Whatever fails now is tried again with the next act, which tells it.
    const record = await loading?.catch(() => undefined);
    const left = await inOrder(() => record?.lookAtJobs(session.lastRecord), leaveOut).catch(() => undefined);
    if (left !== undefined) tell(left);
  });
  return {
    changes,
    keptIn: async (cwd) =>
      keptBy(await loading, opened, (record, names) => record.lookAhead([cwd, ...folders()], names, session.lastRecord)),
    begin: async ({ cwd, id, title, names, held: isHeld = false, writes = [] }) => {
      if (!config.changes.enabled && !isHeld) return UNRECORDED;
      const record = await opened();
      folder = cwd;
      if (isHeld) held.begin([cwd, ...folders()], record.hasOpen());
      const base = { cwd, userHome: environment.homedir() || undefined };
      const allNames = (): readonly string[] => [...names().flatMap((name) => completePattern(name, base)), ...touchedPaths(session)];
      const by = { id, title, record: session.lastRecord, ...(isHeld && { held: isHeld }), ...(writes.length > 0 && { writes }) };
      const act = record.begin(cwd, by, allNames, folders());
      const goOn = (job: string): void => {
        act.goOn(job);
        watcher.watch(job);
      };
      return { ...act, goOn };
    },
    news: async () => (loading === undefined ? [] : (await loading).news(session.lastRecord)),
    leaveOut,
    leave: async () => {
      watcher.rest();
      if (loading === undefined) return undefined;
      const record = await loading;
      record.lookAtJobs(session.lastRecord);
      const left = await leaveOut();
      record.close(session.lastRecord);
      if (!record.hasOpen() && !jobs.list().some(isLive)) store.heldActs.clear(session.id);
      return left;
    },
  };
}

/** What a record keeps, as far as it is loaded; it is to look. */
function keptBy(
  loaded: Changes | undefined,
  load: () => Promise<Changes>,
  look: (record: Changes, names: readonly string[]) => void,
): KeptFiles {
  let isKept = loaded === undefined ? () => false : loaded.keeps();
  return {
    isKept: (path) => isKept(path),
    look: async (names) => {
      const record = await load();
      look(record, names);
      isKept = record.keeps();
    },
  };
}

/** Runs one after the other. */
async function inOrder<Result>(first: () => void, second: () => Promise<Result>): Promise<Result> {
  first();
  return second();
}

/** Each call waits for those before it. */
function inTurn<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Sees when commands in the background end: what they changed is written down before somebody else changes more. */
function createWatcher(runs: (name: string) => boolean, onEnd: () => Promise<void>) {
  const watched = new Set<string>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const rest = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const watch = (name: string): void => {
    watched.add(name);
    timer ??= setInterval(() => {
      const ended = [...watched].filter((each) => !runs(each));
      for (const each of ended) watched.delete(each);
      if (watched.size === 0) rest();
      if (ended.length > 0) void onEnd();
    }, WATCH_MS).unref();
  };
  return { watch, rest };
}

/** Notes that a session runs commands in the sandbox, and knows whether another one may have done so in the same folder meanwhile. */
function createHeldNote({ heldActs }: Runtime['store'], id: string) {
  let noted = '';
  let isShared = false;
  return {
    isShared: () => isShared,
    /** To be called before a command begins. */
    begin: (folders: readonly string[], hasOpen: boolean): void => {
      if (noted !== folders.join('\0')) heldActs.note(id, folders);
      noted = folders.join('\0');
      const isOther = (other: HeldActs): boolean => other.sessionId !== id && areNear(other.folders, folders);
      isShared = (isShared && hasOpen) || heldActs.all().some(isOther);
    },
  };
}

const laterIn = (runtime: Runtime, isShared: () => boolean) => ({ findLater: findLaterIn(runtime, isShared), mayRunLater });

/**
 * Which changes of commands in the sandbox leave what runs later. What is gone may have been put aside by another session whose command had
 * left it: there it does not come back.
 */
const findLaterIn =
  ({ environment, config, mcp, folders }: Runtime, isShared: () => boolean): LaterFinder =>
  (changes, { root, gitlinks, actors, texts }) => {
    const settings = mcp.views().map(({ setting }) => setting);
    const runFiles = namedFiles(config, settings, environment.cwd(), folders());
    const { gitConfigs, searchPath } = gitPlaces(environment);
    const isAllowed = (change: Change): boolean => isAllowedManifest(change, actors, () => texts(change));
    return leftToRun(
      changes.filter((change) => !isAllowed(change) && !(change.after === null && isShared())),
      { root, gitlinks, gitConfigs, searchPath, runFiles },
    );
  };

/** The paths of files that the model has read and changed in what it still has of the session. */
const touchedPaths = ({ context }: Pick<Session, 'context'>): readonly string[] =>
  context.messages
    .flatMap(({ content }) => content)
    .filter(isToolUse)
    .flatMap(({ input }) => (isObject(input) && isString(input.path) ? [input.path] : []));
