import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FaultHook } from '../../src/store/files/host.ts';
import { pathsOf } from '../../src/store/files/paths.ts';
import { noteAudit } from '../../src/store/replica/audit.ts';
import { createFileVersions } from '../../src/store/replica/file-versions.ts';
import { createMemoryPages } from '../../src/store/replica/memory-pages.ts';
import { createReplica } from '../../src/store/replica/replica.ts';
import { forget, unconfirmedBy } from '../../src/sync/confirm.ts';
import { removal } from '../../src/sync/delete.ts';
import { exchange } from '../../src/sync/exchange.ts';
import { plainFiles } from '../../src/sync/folder/files.ts';
import { createFolderTarget } from '../../src/sync/folder/folder-target.ts';
import { forksTold, parseAgreed } from '../../src/sync/home.ts';
import { noteMemories, renderMemories } from '../../src/sync/memories.ts';
import type { SyncTarget } from '../../src/sync/port.ts';
import { headerOf, newFolder, START, said, storeOf } from '../unit/store/files/world.ts';
import { contextOf, user } from './build.ts';
import { readFileLines } from './file-lines.ts';

export type SyncedHome = ReturnType<typeof syncedHome>;

/** A home with its own copy of a folder that is carried. */
export function syncedHome(name: string, now: () => number = () => START.getTime()) {
  const home = join(newFolder(), 'home');
  const folder = newFolder();
  writeFileSync(join(folder, 'sanbot-sync.json'), JSON.stringify({ sanbotSync: 1, id: 'carried' }));
  let at: FaultHook | undefined;
  const { store, disk, paths, told: warnings } = storeOf({ home, at: (point) => at?.(point), now: () => new Date(now()) });
  const log = (id: string) => paths.log(id);
  const versions = createFileVersions(disk, paths, process.env.PATH ?? '');
  const sideOf = () => {
    const replica = versions.within(createReplica(disk, pathsOf(home), { mayLeave: () => true }));
    return { ...replica, writer: name, remove: removal(replica.remove, [replica.agreementsWith('t')]) };
  };
  return {
    ...{ home, folder, store, paths, warnings, log, header: headerOf, side: sideOf },
    target: () => createFolderTarget(folder, { id: 'carried' }, plainFiles(disk, folder)),
    fact: (text: string) => ({ kind: 'facts' as const, text, sessionId: 's1', messageId: 'm1', at: START.toISOString() }),
    /** What the disk does at each step of the next exchanges. */
    faults: (hook: FaultHook | undefined): void => {
      at = hook;
    },
    write: (id: string, text: string): void => {
      const { log: opened } = existsSync(log(id)) ? store.sessions.open(id) : store.sessions.create(headerOf(id));
      opened.append(said(text));
      opened.close();
    },
    /** A line of the audit log. */
    tell: (id: string, text: string): void => {
      store.events.append({ v: 1, at: new Date(now()).toISOString(), sessionId: id, type: 'warning', message: text });
    },
    /** A snapshot with one message. */
    snap: (id: string, text: string) =>
      store.snapshots.write({
        ...{ sessionId: id, group: 'main', reason: 'compaction', model: 'offline', tokens: 7 },
        ...{ context: contextOf([user(text)]), bodies: [] },
      }),
    /** What `sanbot events` has of a session. */
    told: (id: string): readonly string[] => {
      const texts: string[] = [];
      store.events.read({ sessionId: id }, (record) => texts.push(`${'message' in record ? record.message : record.type}`));
      return texts;
    },
    exchange: async (
      target: SyncTarget = createFolderTarget(folder, { id: 'carried' }, plainFiles(disk, folder)),
      takesVersions = true,
    ) => {
      const side = sideOf();
      const pages = createMemoryPages(disk, paths, { mayMemoryLeave: () => true });
      noteAudit(disk, paths, { writer: name, mayLeave: () => true });
      versions.note({ writer: name, mayLeave: () => true });
      noteMemories(side, { pages, nowMs: now() });
      const report = await exchange(side, target, side.agreementsWith('t'), takesVersions);
      renderMemories(side, pages);
      forksTold(side.agreementsWith('t'));
      return report;
    },
    /** Deletes a session here, and elsewhere at the next exchanges. */
    remove: (id: string) => {
      const side = sideOf();
      return side.remove(id, side.stat(id).bytes);
    },
    unconfirmed: () => {
      const side = sideOf();
      return unconfirmedBy(side, parseAgreed(side.agreementsWith('t').read()).purges);
    },
    /** Waits no more for another home; what there are else, where there is none of that name. */
    forget: (machine: string) => forget(sideOf(), machine),
    /** The page of facts, as a person sees it. */
    facts: (): string => (existsSync(paths.extracted('main', 'facts')) ? readFileSync(paths.extracted('main', 'facts'), 'utf8') : ''),
    ids: () => (existsSync(paths.sessions) ? readdirSync(paths.sessions).sort() : []),
  };
}

/** Each session as what was said in it, whatever its name here. */
export const statesOf = ({ ids, log }: SyncedHome): readonly string[] =>
  ids()
    .map((id) => saidIn(log(id)))
    .sort();

const saidIn = (path: string): string => readFileLines(path).slice(1).join('\n');

export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'sanbot-sync.json' && statSync(join(folder, name)).isFile())
    .sort();

/** Every file, plain or packed, in which a text stands. */
export const filesWith = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path).isFile()) return false;
    const bytes = readFileSync(path);
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(text);
  });

/** Brings one file over, as a carrier that keeps what is there. With `part`, only so much of it, which a later call completes. */
export function carryFile(from: string, to: string, name: string, part = 1): void {
  const target = join(to, name);
  const bytes = readFileSync(join(from, name));
  if (existsSync(target) && statSync(target).size >= bytes.length * part) return;
  mkdirSync(dirname(target), { recursive: true });
  if (part < 1) writeFileSync(target, bytes.subarray(0, Math.floor(bytes.length * part)));
  else {
    copyFileSync(join(from, name), `${target}.carried`);
    renameSync(`${target}.carried`, target);
  }
}

export const carryAll = (from: SyncedHome, to: SyncedHome): void => {
  for (const name of filesBelow(from.folder)) carryFile(from.folder, to.folder, name);
};

/** Everything is carried and exchanged until nothing moves any more. */
export async function settle(homes: readonly SyncedHome[]): Promise<void> {
  for (let round = 0; round < 12; round++) {
    let moved = 0;
    for (const home of homes) {
      for (const other of homes) if (other !== home) carryAll(other, home);
      const before = filesBelow(home.folder).join('\n');
      const { sent, received, replaced, obeyed, deletedThere, deleted } = await home.exchange();
      // What comes beside a session is told to nobody.
      moved += Number(filesBelow(home.folder).join('\n') !== before) + sent + received + replaced + obeyed + deletedThere + deleted.size;
    }
    if (moved === 0) return;
  }
  throw new Error('the homes do not come to rest');
}
