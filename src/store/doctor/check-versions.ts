import { errorReason } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { StorePaths } from '../files/paths.ts';
import { printablePath } from '../files/paths.ts';
import { versionProblem, versionsIn } from '../session/file-versions.ts';
import type { LogScan } from '../session/scan-log.ts';
import type { Finding } from './finding.ts';

/** Verifies the stored contents of the files that a session changed. Changes nothing and never throws. */
export function checkVersions(paths: StorePaths, sessionId: string, { versions }: LogScan): readonly Omit<Finding, 'sessionId'>[] {
  const storedVersions = versionsIn(paths, sessionId);
  const storedPrefixes = new Set(storedVersions.map(({ prefix }) => prefix));
  const changedFindings = storedVersions.flatMap(({ prefix, path }): Omit<Finding, 'sessionId'>[] => {
    const what = problemOf(path, prefix);
    if (what === undefined) return [];
    return [
      {
        kind: 'version_changed',
        path,
        what,
        remedy: { en: 'sets it aside, so that no file is restored from it', zh: '移到一旁，以免用它恢复文件' },
      },
    ];
  });
  const missing = [...versions].filter(([sha256]) => !storedPrefixes.has(sha256.slice(0, 32)));
  return [
    ...changedFindings,
    ...missing.map(([sha256, file]) => ({
      kind: 'version_missing' as const,
      path: paths.version(sessionId, sha256),
      what: {
        en: `a kept content of ${printablePath(file)} is not there; the file cannot be restored to it`,
        zh: `${printablePath(file)} 保留的一份内容不存在；无法将文件恢复到该内容`,
      },
      remedy: undefined,
    })),
  ];
}

function problemOf(path: string, prefix: string): Bilingual | undefined {
  try {
    return versionProblem(path, prefix);
  } catch (error) {
    return errorReason(error);
  }
}
