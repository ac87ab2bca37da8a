import type { StoreEnvironment } from '../store/files/world.ts';
import { createStore, type Store } from '../store/store.ts';
import type { World } from './world.ts';

export type StoreWish = { readonly maxSessionBytes: number; readonly tell: (line: string) => void };

/** Where nothing is offloaded, no cap is needed. */
export const NO_CAP = Number.MAX_SAFE_INTEGER;

export const openStore = (world: World, home: string, { maxSessionBytes, tell }: StoreWish): Store =>
  createStore(storeWorldOf(world, home), { maxSessionBytes, warn: tell });

/** What the store takes of the world. */
export const storeWorldOf = (world: World, home: string): StoreEnvironment => ({
  home,
  now: world.now,
  newId: world.newId,
  pid: world.pid,
  platform: world.platform,
  probePid: (pid) => world.kill(pid, 0),
  ...(world.at === undefined ? {} : { at: world.at }),
});
