import { join } from 'node:path';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { readOwnFile } from '../files/disk.ts';
import { namesIn, type StorePaths } from '../files/paths.ts';
import { sha256Of } from '../session/bodies/body-text.ts';

/**
 * The contents of the files that tools changed, as versions up to 0.2.0 kept them: a file each, named by the beginning of its hash. Nothing
 * is added to them any more.
 */
export const versionsIn = (paths: StorePaths, sessionId: string): readonly { readonly prefix: string; readonly path: string }[] =>
  namesIn(paths.versions(sessionId))
    .filter((name) => VERSION_FILE.test(name))
    .map((prefix) => ({ prefix, path: join(paths.versions(sessionId), prefix) }));

const VERSION_FILE = /^[0-9a-f]{32}$/;

/** By its hash, or the beginning of that. Undefined when it is missing or not what its hash says. */
export function readVersion(paths: StorePaths, sessionId: string, sha256: string): Buffer | undefined {
  const bytes = SHA256.test(sha256) ? orUndefined(() => readOwnFile(paths.version(sessionId, sha256))) : undefined;
  return bytes !== undefined && sha256Of(bytes).startsWith(sha256) ? bytes : undefined;
}

const SHA256 = /^[0-9a-f]{32}(?:[0-9a-f]{32})?$/;
