import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { OpenedLog, SessionLog } from '../../agent/ports/disk.ts';
import type { Bilingual, Warn } from '../../domain/language.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Settings } from '../../runtime/settings.ts';
import { readOwnFile } from '../../store/files/disk.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { HubFollower } from '../sync/follow-hub.ts';
import type { HubLink } from '../sync/hub-link.ts';
import type { SessionSelection } from './resolve-session.ts';

export type Syncing = {
  /** The same runtime, whose sessions go to a hub as they are written. */
  readonly over: (runtime: Runtime) => Runtime;
  /** Which session is meant; it is here then, if a hub that was asked for has it, and nobody else has it open. */
  readonly find: (selection: SessionSelection, runtime: Runtime) => Promise<SessionSelection>;
  /** A start that has found its session, and fails: nobody waits for what it took. Rejects with the error. */
  readonly failed: (error: unknown) => Promise<never>;
  /** When all is written; nobody waits for an exchange in the background. */
  readonly end: () => Promise<void>;
};

type Options = { readonly warn: Warn; readonly repeats?: boolean };

/**
 * What exchanges beside a conversation. `sanbot sync` runs in a process of its own, for which nobody waits, as `sync.auto` says: every so many
 * minutes until the end where it `repeats`, and then once more; also where a hub has not got all by then. What fails stands in the status
 * until an exchange does not.
 */
export async function startSync({ home, config }: Settings, environment: Environment, options: Options): Promise<Syncing> {
  const { auto } = config.sync;
  const targets = readOwnFile(pathsOf(home).syncTargets);
  // Who names a hub for a run wants what is there, and all of the run in it.
  const isNamed = Boolean(environment.env.SANBOT_HUB);
  // Most targets are folders.
  const hasHub = targets?.includes('"hub":') === true;
  if (targets === undefined && !isNamed) return NONE;
  const followers: HubFollower[] = [];
  const load = async () => (await import('../sync/hub-link.ts')).linkHubs(home, environment, options.warn);
  const isFirst = isNamed || (hasHub && config.hub.acknowledge === 'hub');
  const link = isFirst ? await load() : undefined;
  const follow = link?.follow ?? (hasHub ? followLater(load, environment) : undefined);
  const { node, packageRoot, homedir } = environment;
  const sync = (): void => {
    const env = { ...environment.env, SANBOT_HOME: home };
    spawn(node, [join(packageRoot, 'bin', 'sanbot.js'), 'sync'], { cwd: homedir(), env, stdio: 'ignore', detached: true })
      .on('error', () => undefined)
      .unref();
  };
  const ended = new AbortController();
  const repeat = async (minutes: number): Promise<void> => {
    for (;;) {
      await environment.sleep(minutes * 60_000, ended.signal);
      sync();
    }
  };
  if (options.repeats === true && typeof auto === 'number') void repeat(auto).catch(() => undefined);
  return {
    over: (runtime) =>
      follow === undefined
        ? runtime
        : withFeed({ ...runtime, bringRest: link?.bringRest }, (id) => {
            const follower = follow(id);
            followers.push(follower);
            return follower;
          }),
    find: async (given, { store, environment: { cwd } }) => {
      const { resume, continueNewest, name, fork = false } = given;
      const part = continueNewest && name === undefined ? store.sessions.newest(cwd())?.sessionId : resume;
      const wanted = continueNewest && name !== undefined ? { name } : typeof part === 'string' ? { part } : undefined;
      const found = wanted === undefined ? undefined : await link?.fetch({ ...wanted, isCopied: fork });
      return found === undefined ? given : { ...given, resume: found, continueNewest: false };
    },
    failed: async (error) => {
      await link?.letGo();
      throw error;
    },
    end: async () => {
      ended.abort();
      const isSent = (await Promise.all(followers.map(({ end }) => end()))).every(Boolean);
      // The disk may go with the process.
      const isAllThere = isSent && (link === undefined || followers.length === 0 || (await link.sendAudit()));
      if (isFirst && !isAllThere) options.warn(notAllThere);
      else if (auto !== null || !isAllThere) sync();
    },
  };
}

const NONE: Syncing = {
  over: (runtime) => runtime,
  find: async (given) => given,
  failed: (error) => Promise.reject(error),
  end: async () => undefined,
};

const notAllThere: Bilingual = {
  en: 'Not all of this session has reached the hub. It is in this home: sanbot sync sends it.',
  zh: '此会话尚未全部到达 hub。它在本主文件夹中：用 sanbot sync 发送。',
};

/** Until then the first request has left, and a short run is over: it need not load what sends. */
const BEHIND_START_MS = 2_000;

function followLater(load: () => Promise<HubLink>, environment: Environment): HubLink['follow'] {
  let link: Promise<HubLink> | undefined;
  return (log) => {
    const ending = new AbortController();
    let follower: HubFollower | undefined;
    const start = async (): Promise<void> => {
      await environment.sleep(BEHIND_START_MS, ending.signal);
      link ??= load();
      const { follow } = await link;
      if (!ending.signal.aborted) follower = follow(log);
    };
    // What cannot be read here is told by the exchange at the end.
    void start().catch(() => undefined);
    return {
      wrote: () => follower?.wrote(),
      settled: async () => undefined,
      end: async () => {
        ending.abort();
        return (await follower?.end()) ?? false;
      },
    };
  };
}

function withFeed(runtime: Runtime, follow: (log: string) => HubFollower): Runtime {
  const { sessions } = runtime.store;
  const feed = (opened: OpenedLog): OpenedLog => {
    const { wrote, settled, end } = follow(opened.log.sessionId);
    const append: SessionLog['append'] = (record) => {
      const entry = opened.log.append(record);
      wrote();
      return entry;
    };
    const close = (): void => {
      opened.log.close();
      void end();
    };
    return { ...opened, log: { ...opened.log, append, settled, close } };
  };
  const create: typeof sessions.create = (header) => feed(sessions.create(header));
  const open: typeof sessions.open = (id) => feed(sessions.open(id));
  return { ...runtime, store: { ...runtime.store, sessions: { ...sessions, create, open } } };
}
