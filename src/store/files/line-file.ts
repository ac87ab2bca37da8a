import { closeSync, fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, statSync } from 'node:fs';
import { ReasonError, SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { unlinkIfExists } from './atomic-write.ts';
import {
  closeQuietly,
  type Disk,
  ensureFolder,
  faultPoint,
  fsyncFolder,
  openForAppend,
  openNew,
  readAt,
  reopenForAppend,
  writeAll,
} from './disk.ts';
import { orStoreFailure } from './failure.ts';
import { folderOf, printablePath } from './paths.ts';
import { repairTail } from './rewrite-lines.ts';

/** A file that grows line by line and has one writer, the holder of the session's lock. An append checks that nobody else has written. */
export type LineFile = Readonly<ReturnType<typeof createLineFile>>;

export type LineFileOptions = {
  /** Names the steps for the fault hook. */
  readonly point: string;
  /** Called before the file is written again because it was deleted, alone or with its folder; throws when that must not happen. */
  readonly beforeRebuild?: () => void;
};

/** How many bytes of the end are checked when the file is reopened. */
const TAIL_BYTES = 4096;

/** Opens a line file, creating it when there is none, and repairs what a crash left at its end. Returns a warning per repair. */
export function openLineFile(
  disk: Disk,
  path: string,
  options: LineFileOptions,
): { readonly file: LineFile; readonly warnings: readonly Bilingual[] } {
  return orStoreFailure('open', path, () => {
    const isNew = isMissing(path);
    const handle = openForAppend(disk, path);
    try {
      if (isNew) fsyncFolder(disk, folderOf(path), options.point);
      const { size, warnings } = repairTail(disk, handle, path);
      // The last write of an earlier run may not have been synced; from here on it is relied upon.
      faultPoint(disk, `${options.point}.sync`);
      fdatasyncSync(handle);
      return { file: createLineFile({ ...options, disk, path, handle, size, closed: false }), warnings };
    } catch (error) {
      closeQuietly(handle);
      throw error;
    }
  });
}

type LineFileState = LineFileOptions & {
  readonly disk: Disk;
  readonly path: string;
  /** Undefined when it had to be dropped. */
  handle: number | undefined;
  /** Every byte up to here is acknowledged. */
  size: number;
  closed: boolean;
};

const createLineFile = (state: LineFileState) => ({
  /** Appends whole lines; they are on disk when it returns. Throws store_failed with the file as it was; the next append tries again. */
  append: (lines: Uint8Array): void => orStoreFailure('write', state.path, () => append(state, lines)),
  size: (): number => state.size,
  read: (position: number, length: number): Buffer => {
    state.handle ??= reopen(state);
    return readAt(state.handle, position, Math.max(0, Math.min(length, state.size - position)));
  },
  close: (): void => {
    state.closed = true;
    dropHandle(state);
  },
});

function append(state: LineFileState, lines: Uint8Array): void {
  const { disk, point } = state;
  const handle = requireHandle(state);
  try {
    writeAll(disk, handle, lines, point);
  } catch (error) {
    truncateToSize(state, handle);
    throw error;
  }
  try {
    faultPoint(disk, `${point}.sync`);
    fdatasyncSync(handle);
  } catch (error) {
    // The system may have marked the pages clean without writing them, so another sync on this handle would report success. The lines are
    // therefore taken back, and the next append writes through a new handle.
    truncateToSize(state, handle);
    dropHandle(state);
    throw error;
  }
  state.size += lines.length;
  faultPoint(disk, `${point}.end`);
}

/** Truncates to the end of the last acknowledged line. If even that fails, drops the handle, and the next append truncates first. */
function truncateToSize(state: LineFileState, handle: number): void {
  try {
    faultPoint(state.disk, `${state.point}.truncate`);
    ftruncateSync(handle, state.size);
  } catch {
    dropHandle(state);
  }
}

function dropHandle(state: LineFileState): void {
  if (state.handle !== undefined) closeQuietly(state.handle);
  state.handle = undefined;
}

function requireHandle(state: LineFileState): number {
  if (state.closed)
    throw new SanbotError('internal', {
      en: `${printablePath(state.path)} was written to after it had been closed`,
      zh: `${printablePath(state.path)} 在关闭后被写入`,
    });
  const { handle, path } = state;
  if (handle === undefined) {
    state.handle = reopen(state);
    return state.handle;
  }
  if (!isMissing(path)) {
    checkUnchanged(handle, path, state.size);
    return handle;
  }
  state.beforeRebuild?.();
  state.handle = rebuild(state, handle);
  closeQuietly(handle);
  return state.handle;
}

const isMissing = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) === undefined;

/** Guards against an editor or another program that wrote to the file or replaced it. */
function checkUnchanged(handle: number, path: string, size: number): void {
  const pathStats = statSync(path);
  const handleStats = fstatSync(handle);
  if (pathStats.ino === handleStats.ino && pathStats.dev === handleStats.dev && pathStats.size === size) return;
  throw changedError(path);
}

const changedError = (path: string): SanbotError =>
  new SanbotError(
    'store_failed',
    { en: `${printablePath(path)} was changed by another program`, zh: `${printablePath(path)} 被另一个程序修改了` },
    {
      en: 'Nothing was written over it. Leave SanBot, look at the file, then continue with sanbot --continue.',
      zh: '没有覆盖它。请退出 SanBot，检查该文件，再用 sanbot --continue 继续。',
    },
  );

/** Returns a new handle for a file whose last write failed: cuts off what was not acknowledged; the rest must still be there. */
function reopen({ disk, path, size, point }: LineFileState): number {
  faultPoint(disk, `${point}.reopen`);
  const handle = reopenForAppend(disk, path);
  try {
    const actualSize = fstatSync(handle).size;
    const from = Math.max(0, size - TAIL_BYTES);
    const tail = readAt(handle, from, size - from);
    if (actualSize < size || (size > 0 && tail.at(-1) !== 0x0a)) throw changedError(path);
    if (actualSize > size) ftruncateSync(handle, size);
    return handle;
  } catch (error) {
    closeQuietly(handle);
    throw error;
  }
}

/** Writes a deleted file again in its place: its last copy is behind our open handle. */
function rebuild({ disk, path, size }: LineFileState, source: number): number {
  ensureFolder(disk, folderOf(path));
  const handle = openNew(disk, path);
  try {
    for (let position = 0; position < size; ) {
      const chunk = readAt(source, position, Math.min(1 << 20, size - position));
      if (chunk.length === 0) throw new ReasonError({ en: 'its former text cannot be read any more', zh: '已无法读取它原来的内容' });
      writeAll(disk, handle, chunk, 'rebuild');
      position += chunk.length;
    }
    fsyncSync(handle);
    closeSync(handle);
    fsyncFolder(disk, folderOf(path), 'rebuild');
    disk.warn({
      en: `${printablePath(path)} had been deleted; it was written again.`,
      zh: `${printablePath(path)} 曾被删除；已重新写入。`,
    });
    return reopenForAppend(disk, path);
  } catch (error) {
    closeQuietly(handle);
    unlinkIfExists(path);
    throw error;
  }
}
