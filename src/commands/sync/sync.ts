/**
 * `sanbot sync`: exchanges sessions and memories with a person's other machines, through folders that other software carries, and hubs.
 *
 * In come the home, the folders that were added, and the settings of the user. Out goes one line for each folder, and one for whatever a
 * person has to know of: a session that went on on two machines, one that is open, and one that could not be purged.
 *
 * It promises that nothing leaves before a folder was added, that a session which must not leave does not, and that a failure with one
 * folder keeps no other from its exchange. It refuses folders that hold anything else. How two sides become the same is in sync/.
 */

import { statSync } from 'node:fs';
import { SanbotError } from '../../domain/errors.ts';
import { isObject, parseJson } from '../../domain/value/json.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { unlinkIfExists, writeFileAtomic } from '../../store/files/atomic-write.ts';
import { orStoreFailure } from '../../store/files/failure.ts';
import { auditedSession, isVersionsLog } from '../../store/files/paths.ts';
import { noteAudit, unnotedAudit } from '../../store/replica/audit.ts';
import { changeTargets, withSyncLock } from '../../store/replica/targets.ts';
import { sweepDeleted } from '../../store/session/change-session.ts';
import { forget } from '../../sync/confirm.ts';
import { exchange } from '../../sync/exchange.ts';
import { forksTold } from '../../sync/home.ts';
import { isJournal, journalOf } from '../../sync/journal.ts';
import { changedMemories, noteMemories, renderMemories } from '../../sync/memories.ts';
import { timeAgo } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';
import { type KnownTarget, type OpenSync, onTarget, openSync } from './open-sync.ts';
import { leavingText, reportJson, reportText, statusText } from './sync-text.ts';

type JsonOptions = HomeOptions & { readonly json?: boolean };
type SyncOptions = JsonOptions & { readonly dryRun?: boolean; readonly never?: string };

const noFolder = (): SanbotError =>
  new SanbotError(
    'not_found',
    { en: 'No folder has been added to exchange with', zh: '尚未添加用于交换的文件夹' },
    {
      en: 'Add one: sanbot sync add FOLDER, or join a hub: sanbot hub join ADDRESS.',
      zh: '请添加一个：sanbot sync add FOLDER，或加入 hub：sanbot hub join ADDRESS。',
    },
  );

export async function showFolders(options: JsonOptions, context: CommandContext): Promise<void> {
  const opened = openSync(options, context);
  if (opened.targets.length === 0) throw noFolder();
  const rows = opened.targets.map((target) => rowOf(opened, target));
  if (options.json) return context.io.out(asJson({ folders: rows, never: opened.never }));
  context.io.out(statusOf(rows, opened.never, context));
}

/** What is known here of a folder or a hub. */
export const rowOf = (opened: OpenSync, { id, folder, recipient }: KnownTarget) => ({
  folder,
  isEncrypted: recipient !== undefined,
  last: statSync(opened.paths.agreements(id), { throwIfNoEntry: false })?.mtime.toISOString(),
  waiting: leavingOf(opened, { id, recipient }),
  isBehind: opened.isBehind(id),
  unconfirmed: opened.unconfirmed(id),
});

export function statusOf(rows: readonly ReturnType<typeof rowOf>[], never: readonly string[], { environment }: CommandContext): string {
  const now = environment.now();
  return statusText(
    rows.map((row) => ({ ...row, last: row.last === undefined ? undefined : timeAgo(row.last, now) })),
    never,
  );
}

export const asJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** What would be sent to a folder: sessions with their bytes and those of versions of files, and how many memories. */
function leavingOf(opened: OpenSync, target: { readonly id: string; readonly recipient?: string | undefined }) {
  const { disk, paths, pages, home, agreedWith, versions } = opened;
  const takesVersions = opened.takesVersions(target);
  const { logs: agreements } = agreedWith(target.id);
  const sizes = new Map(unnotedAudit(disk, paths, opened));
  const ofFiles = new Map(takesVersions ? versions.unnoted(opened) : []);
  for (const log of home.logs()) {
    const session = isJournal(log) ? auditedSession(log) : log;
    const end = agreements[log]?.end ?? 0;
    const isSent = session === undefined || (isVersionsLog(log) && !takesVersions) || home.stat(log).bytes <= end;
    const part = isSent ? undefined : home.read(log, end, Number.POSITIVE_INFINITY);
    if (session === undefined || part === undefined) continue;
    const isOfFiles = isVersionsLog(log);
    const objects = isOfFiles ? part.versionBytes : part.objects.reduce((sum, sha256) => sum + (home.object(log, sha256)?.length ?? 0), 0);
    const into = isOfFiles ? ofFiles : sizes;
    into.set(session, (into.get(session) ?? 0) + part.bytes.length + objects);
  }
  const sessions = [...new Set([...sizes.keys(), ...ofFiles.keys()])].map((session) => {
    const files = ofFiles.get(session);
    return { session, bytes: (sizes.get(session) ?? 0) + (files ?? 0), ...(files !== undefined && { files }) };
  });
  const journal = home.logs().find((log) => log === journalOf(home.writer));
  const noted = journal === undefined ? undefined : home.read(journal, agreements[journal]?.end ?? 0, Number.POSITIVE_INFINITY);
  const written = noted === undefined ? 0 : noted.last - noted.first + 1;
  return { sessions, memories: changedMemories(home, pages).changes.length + written };
}

export async function syncAll(options: SyncOptions, context: CommandContext): Promise<void> {
  if (options.never !== undefined) return keepHere({ ...options, never: options.never }, context);
  const opened = openSync(options, context);
  if (opened.targets.length === 0) throw noFolder();
  if (!options.dryRun) return exchangeAll(options, context);
  const leaving = opened.targets.map((target) => ({
    ...{ folder: target.folder, ...leavingOf(opened, target) },
    ...(opened.keepsVersions(target) && { keepsVersions: true as const }),
  }));
  if (options.json) return context.io.out(asJson(leaving));
  for (const { folder, ...each } of leaving) context.io.out(leavingText(folder, each));
}

/** With every folder that was added. Throws the first failure when all have been tried. What was not shown is told at the next. */
export async function exchangeAll(options: JsonOptions, context: CommandContext, isShown = true): Promise<void> {
  const { disk, paths } = openHome(options, context);
  const failures: SanbotError[] = [];
  const done: object[] = [];
  await withSyncLock(disk, paths, async () => {
    // What is marked to stay here is read once nobody else is at it.
    const opened = openSync(options, context);
    // What an exchange that was killed has left of sessions that it deleted.
    sweepDeleted(disk, paths);
    for (const target of opened.targets) {
      const outcome = await exchangeWith(opened, target, context).catch((error: unknown) => {
        if (error instanceof SanbotError) return error;
        throw error;
      });
      if (outcome instanceof SanbotError) failures.push(outcome);
      else if (options.json) done.push(outcome.json);
      else context.io.out(outcome.text);
      // A kill before it tells of them once more.
      if (!(outcome instanceof SanbotError) && outcome.hasForks && isShown) forksTold(opened.home.agreementsWith(target.id));
    }
  });
  if (options.json) context.io.out(asJson(done));
  noteFailure(openHome(options, context), failures);
  for (const failure of failures.slice(1)) context.io.warn(failure.shown.message);
  if (failures[0] !== undefined) throw failures[0];
}

/** For who did not see it: an exchange may run in the background. */
function noteFailure({ disk, paths }: Pick<OpenSync, 'disk' | 'paths'>, failures: readonly SanbotError[]): void {
  const text = failures.map((failure) => `${failure.message}\n`).join('');
  if (text !== '') writeFileAtomic(disk, paths.syncFailed, Buffer.from(text), { point: 'sync.failed' });
  else orStoreFailure('remove', paths.syncFailed, () => unlinkIfExists(paths.syncFailed));
}

async function exchangeWith(opened: OpenSync, target: KnownTarget, { environment }: CommandContext) {
  const [{ home, pages, versions }, { folder }] = [opened, target];
  const takesVersions = opened.takesVersions(target);
  noteAudit(opened.disk, opened.paths, opened);
  if (takesVersions) versions.note(opened);
  noteMemories(home, { pages, nowMs: environment.now().getTime() });
  const report = await onTarget(opened, target, environment, (there) =>
    exchange(home, there, home.agreementsWith(target.id), takesVersions),
  );
  renderMemories(home, pages);
  const forks = report.forks.map((fork) => ({
    ...fork,
    at: timeOfRecord(home.read(fork.session, 0, Number.POSITIVE_INFINITY)?.bytes, fork.first),
  }));
  const kept = opened.keepsVersions(target) ? { keepsVersions: true as const } : {};
  return {
    text: reportText(folder, { ...report, ...kept, forks }),
    json: reportJson(folder, { ...report, ...kept }),
    hasForks: forks.length > 0,
  };
}

function timeOfRecord(bytes: Buffer | undefined, n: number): string | undefined {
  for (const line of (bytes ?? Buffer.alloc(0)).toString('utf8').split('\n')) {
    const record = line.includes(`"n":${n}`) ? parseJson(line) : undefined;
    if (isObject(record) && record.n === n && typeof record.at === 'string') return record.at;
  }
  return undefined;
}

type DeleteOptions = HomeOptions & { readonly session: string; readonly told: () => void };

const inUse = (id: string): SanbotError =>
  new SanbotError(
    'session_locked',
    { en: `Session ${id} is open`, zh: `会话 ${id} 正在使用` },
    { en: 'Nothing was deleted. Close it, then try again.', zh: '没有删除任何内容。请关闭它后重试。' },
  );

/** First takes what the folders have more of it. The session is deleted here even if no folder is there; each is at its next exchange. */
export async function deleteEverywhere(options: DeleteOptions, context: CommandContext): Promise<void> {
  const { session: id } = options;
  const quiet = { ...context, io: { ...context.io, out: () => undefined, warn: () => undefined } };
  await exchangeAll(options, quiet, false).catch((error: unknown) => {
    // A folder that is not there is told of below.
    if (!(error instanceof SanbotError) || error.code === 'session_locked') throw error;
  });
  const { disk, paths } = openHome(options, context);
  await withSyncLock(disk, paths, async () => {
    const { home } = openSync(options, context);
    // It may have been deleted on another machine.
    if (home.has(id) && home.remove(id, home.stat(id).bytes) !== 'removed') throw inUse(id);
  });
  options.told();
  await exchangeAll(options, context);
}

async function keepHere(options: HomeOptions & { readonly never: string }, context: CommandContext): Promise<void> {
  const { disk, paths, store } = openHome(options, context);
  const id = store.sessions.findId(options.never);
  await withSyncLock(disk, paths, async () => changeTargets(disk, paths, (all) => ({ ...all, never: [...new Set([...all.never, id])] })));
  say(context.io, {
    en: `Session ${id} stays on this machine, and so do the memories taken from it. What was sent before is still where it went.`,
    zh: `会话 ${id} 及从中得到的记忆只留在本机。此前已发送的内容仍在其去处。`,
  });
}

export async function forgetMachine(options: HomeOptions & { readonly machine: string }, context: CommandContext): Promise<void> {
  const { disk, paths } = openHome(options, context);
  const machine = safeLine(options.machine);
  await withSyncLock(disk, paths, async () => {
    const { home, targets } = openSync(options, context);
    if (targets.length === 0) throw noFolder();
    const known = forget(home, options.machine);
    if (known !== undefined) throw noMachine(machine, known.map(safeLine));
  });
  say(context.io, {
    en: `No purge and no deletion waits for ${machine} any more; your other machines know it after their next exchange. It keeps what it has. If it is synced again, it counts again.`,
    zh: `清除和删除不再等待 ${machine}；你的其他机器在下次交换后得知。它保留已有的内容。若它再次同步，则重新计入。`,
  });
}

const noMachine = (machine: string, known: readonly string[]): SanbotError =>
  new SanbotError(
    'not_found',
    { en: `No other machine that exchanged with this one is called ${machine}`, zh: `没有与本机交换过的其他机器叫 ${machine}` },
    known.length === 0
      ? { en: 'There is none.', zh: '没有其他机器。' }
      : { en: `There are: ${known.join(', ')}.`, zh: `现有：${known.join('、')}。` },
  );
