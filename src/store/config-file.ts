import { existsSync, fstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorReason, inOneLine, ReasonError, SanbotError } from '../domain/errors.ts';
import type { Bilingual } from '../domain/language.ts';
import { errnoOf } from '../domain/value/errno.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { decodeText, encodeText, formOf, NO_TEXT } from '../domain/value/text-bytes.ts';
import { writeFileAtomic } from './files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists, openToRead, useAndClose } from './files/disk.ts';
import { withLock } from './files/lock.ts';
import { pathsOf } from './files/paths.ts';
import { readBytes, whyUnread } from './files/read-text.ts';

export const configPaths = (home: string, cwd: string): { readonly user: string; readonly project: string } => ({
  user: join(home, 'config.json'),
  project: join(cwd, '.sanbot.json'),
});

/** A settings file that exists. */
export type ConfigFile = { readonly path: string; readonly text: string };

/** One that exists, but cannot be read: its text is empty, and the error is config_invalid with the reason. */
export type UnreadableFile = ConfigFile & { readonly error: SanbotError };

export type ConfigFiles = { readonly user: ConfigFile | undefined; readonly project: ConfigFile | UnreadableFile | undefined };

/**
 * Reads the settings files that exist: the user's and the project's. Writes nothing and does not judge their content. Throws
 * config_invalid when the user's cannot be read, or is no small text file; of the project's that is said, since the file of a
 * stranger must stop nobody.
 */
export function readConfigFiles(home: string, cwd: string): ConfigFiles {
  const { user, project } = configPaths(home, cwd);
  return { user: readIfExists(user), project: readProject(project) };
}

/** The user's alone. Throws as `readConfigFiles` does. */
export const readUserConfig = (home: string): ConfigFile | undefined => readIfExists(configPaths(home, home).user);

/** Where other programs also look for a project's MCP servers. */
export const mcpFilePath = (cwd: string): string => join(cwd, '.mcp.json');

/** Its text; undefined where there is none. One that cannot be read has a problem instead. */
export function readMcp(cwd: string): { readonly text: string | undefined; readonly problem?: Bilingual } {
  try {
    return { text: readIfExists(mcpFilePath(cwd))?.text };
  } catch (error) {
    return { text: undefined, problem: error instanceof SanbotError ? inOneLine(error) : errorReason(error) };
  }
}

/** The same without the problem. */
export const readMcpText = (cwd: string): string | undefined => readMcp(cwd).text;

function readProject(path: string): ConfigFiles['project'] {
  try {
    return readIfExists(path);
  } catch (error) {
    // What the sandbox of a command that was killed has left there, until the next one is looked for.
    if (orUndefined(() => readdirSync(path))?.length === 0) return undefined;
    if (error instanceof SanbotError) return { path, text: '', error };
    throw error;
  }
}

/**
 * Replaces the user's settings file by what `edit` makes of its text; `{}` when there is none. A link to it stays one. Processes that change
 * it at once do so one after the other. Throws store_failed, config_invalid when it cannot be read, and whatever `edit` throws: then the file is
 * as it was.
 */
export function editUserConfig(disk: Disk, home: string, edit: (text: string) => string): void {
  const path = configPaths(home, home).user;
  ensureFolder(disk, home);
  withLock(disk, `${path}.lock`, () => {
    const text = readIfExists(path)?.text ?? '';
    const form = formOf(readBytes(path, 3) ?? Buffer.alloc(0));
    const bytes = encodeText(edit(text.trim() === '' ? '{}\n' : text), form);
    writeFileAtomic(disk, orUndefined(() => realpathSync(path)) ?? path, bytes, { point: 'config' });
  });
}

/** The user's settings file, read only when it is another than the one of this stamp. Throws as `readConfigFiles` does. */
export function readChangedConfig(home: string, stamp: string): { readonly stamp: string; readonly text: string | undefined } | undefined {
  const path = configPaths(home, home).user;
  const stats = orUndefined(() => statSync(path, { bigint: true }));
  const current = stats === undefined ? 'none' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  return current === stamp ? undefined : { stamp: current, text: readIfExists(path)?.text };
}

/** Whether a person was asked here which model to work with, or has worked here already. */
export const wasSetupOffered = (home: string): boolean => {
  const { setupOffered, sessions } = pathsOf(home);
  return existsSync(setupOffered) || existsSync(sessions);
};

export function noteSetupOffered(disk: Disk, home: string): void {
  ensureFolder(disk, home);
  writeFileAtomic(disk, pathsOf(home).setupOffered, Buffer.from(`${disk.now().toISOString()}\n`), { point: 'setup' });
}

const MAX_BYTES = 1_000_000;

function readIfExists(path: string): ConfigFile | undefined {
  try {
    return { path, text: useAndClose(openToRead(path, { followLinks: true }), textIn) };
  } catch (error) {
    // What was to be forbidden by what a link leads to must not be allowed because its disk is away.
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error)) && !entryExists(path)) return undefined;
    throw unreadableError(path, whyUnread(error, path), error);
  }
}

function textIn(file: number): string {
  const { size } = fstatSync(file);
  if (size > MAX_BYTES) throw new ReasonError({ en: `${size} bytes, more than ${MAX_BYTES}`, zh: `${size} 字节，超过 ${MAX_BYTES}` });
  const bytes = readFileSync(file);
  const decoded = decodeText(bytes);
  if (decoded !== undefined) return decoded.text;
  throw new ReasonError(NO_TEXT);
}

const unreadableError = (path: string, why: Bilingual, cause?: unknown): SanbotError =>
  new SanbotError(
    'config_invalid',
    { en: `${path} cannot be read: ${why.en}`, zh: `无法读取 ${path}：${why.zh}` },
    { en: 'Make it a readable JSON file, or move it away.', zh: '请把它改成可读的 JSON 文件，或移走它。' },
    cause,
  );
