import { basename } from 'node:path';
import type { BodyRef } from '../../../domain/session/message.ts';
import { namesIn } from '../../files/atomic-write.ts';
import { readOwnFile } from '../../files/disk.ts';
import type { StorePaths } from '../../files/paths.ts';
import { bodyMedia, mediaPrefix } from './body-text.ts';

/** The file of a body: its path, and the first half of the hash of the body. */
export type BodyFile = { readonly path: string; readonly prefix: string };

/** How the name of a body's file may end. Images and PDFs may be text too: an older SanBot wrote them so, and a purge may have. */
export const bodyExtensions = ['txt', 'png', 'jpg', 'gif', 'webp', 'pdf'] as const;

const NAME = new RegExp(`^([0-9a-f]{32})\\.(${bodyExtensions.join('|')})$`);

/** Returns the beginning of the hash that the name of a body's file says; undefined for any other name. */
export const prefixInName = (name: string): string | undefined => NAME.exec(name)?.[1];

export const bodyFiles = (paths: StorePaths, sessionId: string): readonly BodyFile[] =>
  namesIn(paths.offloaded(sessionId)).flatMap((name) => {
    const [, prefix, extension] = NAME.exec(name) ?? [];
    return prefix === undefined ? [] : [{ prefix, path: paths.body(sessionId, { sha256: prefix, extension }) }];
  });

/**
 * Returns what stands in the file of a body that `bodyRefOf` made this ref of: an image or a PDF as itself, so that any program opens it,
 * else the text.
 */
export const encodeBodyFile = (body: Buffer, { extension }: BodyRef): Buffer =>
  extension === undefined ? body : (bodyMedia(body)?.bytes ?? body);

/** Returns the encoded text of the body that is in a file, unverified; undefined when there is no such file. Throws the system's error. */
export function readBodyFile(path: string): Buffer | undefined {
  const bytes = readOwnFile(path);
  const prefix = mediaPrefix(NAME.exec(basename(path))?.[2]);
  return bytes === undefined || prefix === undefined ? bytes : Buffer.from(prefix + bytes.toString('base64'), 'latin1');
}
