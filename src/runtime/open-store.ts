import type { StoreEnvironment } from '../store/files/host.ts';
import { createStore, type Store } from '../store/store.ts';
import type { Environment } from './environment.ts';

/** Where nothing is offloaded, no cap is needed. */
export const NO_CAP = Number.MAX_SAFE_INTEGER;

export const openStore = (environment: Environment, home: string, options: Parameters<typeof createStore>[1]): Store =>
  createStore(storeEnvironmentOf(environment, home), options);

/** What the store takes of the world. */
export const storeEnvironmentOf = (environment: Environment, home: string): StoreEnvironment => ({
  home,
  now: environment.now,
  newId: environment.newId,
  pid: environment.pid,
  platform: environment.platform,
  probePid: (pid) => environment.kill(pid, 0),
  cpuMs: environment.cpuMs,
  waitedMs: environment.waitedMs,
  load: environment.load,
  ...(environment.at === undefined ? {} : { at: environment.at }),
});
