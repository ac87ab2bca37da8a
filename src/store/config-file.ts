import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigLayer } from '../domain/config/layer.ts';
import { SanbotError } from '../domain/errors.ts';
import { errnoOf } from './files/failure.ts';

export const configPaths = (home: string, cwd: string): { readonly user: string; readonly project: string } => ({
  user: join(home, 'config.json'),
  project: join(cwd, '.sanbot.json'),
});

export type FileLayer = Extract<ConfigLayer, { kind: 'file' }>;

/**
 * Reads the settings files that exist, the user's before the project's. Writes nothing and does not judge their content. Throws
 * config_invalid when one exists and cannot be read, or is not a small text file in UTF-8.
 */
export function readConfigFiles(home: string, cwd: string): readonly FileLayer[] {
  const { user, project } = configPaths(home, cwd);
  const files = [
    { path: user, trust: 'user' },
    { path: project, trust: 'project' },
  ] as const;
  return files.flatMap(({ path, trust }) => {
    const text = readIfExists(path);
    return text === undefined ? [] : [{ kind: 'file', path, trust, text }];
  });
}

const MAX_BYTES = 1_000_000;

function readIfExists(path: string): string | undefined {
  const file = openIfExists(path);
  if (file === undefined) return undefined;
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw unreadableError(path, 'not a file');
    if (stats.size > MAX_BYTES) throw unreadableError(path, `${stats.size} bytes, more than ${MAX_BYTES}`);
    return decode(path, readFileSync(file));
  } catch (error) {
    throw error instanceof SanbotError ? error : unreadableError(path, reasonOf(error), error);
  } finally {
    closeSync(file);
  }
}

/** Does not block: a named pipe in its place must not hang the start. */
function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return undefined;
    throw unreadableError(path, reasonOf(error), error);
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadableError(path, 'not text in UTF-8', error);
  }
}

const reasonOf = (error: unknown): string => errnoOf(error) || String(error);

const unreadableError = (path: string, why: string, cause?: unknown): SanbotError =>
  new SanbotError('config_invalid', `${path} cannot be read: ${why}`, { cause, hint: 'Make it a readable JSON file, or move it away.' });
