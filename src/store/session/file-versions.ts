import { join } from 'node:path';
import type { FileVersions } from '../../agent/ports/disk.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, fileSize, fsyncFolder, readOwnFile } from '../files/disk.ts';
import { namesIn, type StorePaths } from '../files/paths.ts';
import { sha256Of } from './bodies/body-text.ts';

/** A larger version of a file is not kept, since it is not a text that a tool edits; `sessionBytes` limits all that a session keeps. */
export const versionCaps = { fileBytes: 10 * 1024 * 1024, sessionBytes: 512 * 1024 * 1024 };

/** The contents of the files that a session changed, before and after each change; each content once, named by its hash. */
export function createFileVersions(
  disk: Disk,
  paths: StorePaths,
  { sessionId, caps }: { readonly sessionId: string; readonly caps: typeof versionCaps },
): FileVersions {
  let total: number | undefined;
  return {
    keep: (content) => {
      const sha256 = sha256Of(Buffer.from(content));
      const path = paths.version(sessionId, sha256);
      const folder = paths.versions(sessionId);
      if (readVersion(path, sha256) !== undefined) {
        // A run that lost power may have made the name without syncing the folder.
        fsyncFolder(disk, folder, 'version');
        return undefined;
      }
      if (content.length > caps.fileBytes) return { en: 'it is too large', zh: '文件太大' };
      total ??= totalSize(paths, sessionId);
      if (total + content.length > caps.sessionBytes) return { en: 'the session keeps too much already', zh: '会话保留的内容已过多' };
      ensureFolder(disk, folder);
      writeFileAtomic(disk, path, content, { point: 'version' });
      total += content.length;
      return undefined;
    },
    read: (sha256) => (/^[0-9a-f]{64}$/.test(sha256) ? readVersion(paths.version(sessionId, sha256), sha256) : undefined),
  };
}

function readVersion(path: string, sha256: string): Buffer | undefined {
  const bytes = orUndefined(() => readOwnFile(path));
  return bytes !== undefined && sha256Of(bytes) === sha256 ? bytes : undefined;
}

const VERSION_FILE = /^[0-9a-f]{32}$/;

/** Returns the versions on disk, by the beginning of their hash. */
export const versionsIn = (paths: StorePaths, sessionId: string): readonly { readonly prefix: string; readonly path: string }[] =>
  namesIn(paths.versions(sessionId))
    .filter((name) => VERSION_FILE.test(name))
    .map((prefix) => ({ prefix, path: join(paths.versions(sessionId), prefix) }));

const totalSize = (paths: StorePaths, sessionId: string): number =>
  versionsIn(paths, sessionId).reduce((sum, { path }) => sum + fileSize(path), 0);
