import { lstat, realpath, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileVersions, NoteFile } from '../../agent/ports.ts';
import type { ChangedFile, FileContent, FileVersion } from '../../domain/file.ts';
import { statOf } from '../place/folders.ts';
import { nameFrom } from '../place/place.ts';
import { visibleLine } from '../place/visible.ts';
import { failureText } from '../tool.ts';
import { previewOf } from './diff.ts';
import { encodingProblem } from './encoding.ts';
import { keepingOf } from './keeping.ts';
import { CHANGED, protectionOf, replaceFile, syncFolder } from './replace-file.ts';
import { ABSENT, contentOf } from './text-file.ts';

export type RestorePlan =
  /** It is what it was. */
  | { readonly kind: 'same' }
  | { readonly kind: 'cannot'; readonly name: string; readonly path: string; readonly why: string }
  | {
      readonly kind: 'ready';
      /** As people know it, in one line. */
      readonly name: string;
      readonly path: string;
      readonly does: 'write' | 'make' | 'remove';
      /** It was changed after SanBot's file tools did, by something else: a command, a person, whoever. */
      readonly changedSince: boolean;
      /** The change as a diff. */
      readonly preview: string;
      /** Does it, provided the file still is what it was when this was planned. Answers why not; never rejects. */
      readonly perform: () => Promise<string | undefined>;
    };

export type RestoreWorld = {
  readonly cwd: string;
  readonly read: FileVersions['read'];
  readonly noteFile: NoteFile;
  readonly newId: () => string;
  readonly now: () => Date;
};

/** How a file that tools changed would come back to what it was then. Changes nothing and never rejects. */
export async function planRestore(file: ChangedFile, world: RestoreWorld): Promise<RestorePlan> {
  const { path, original: was, lastBefore: found, lastAfter: left } = file;
  const name = visibleLine(nameFrom(world.cwd, path), 400);
  const cannot = (why: string): RestorePlan => ({ kind: 'cannot', name, path, why });
  try {
    if (!(await isReached(path))) return cannot('a link leads elsewhere now, in its place or on the way to it');
    const stats = await statOf(path);
    const protection = stats === undefined ? undefined : protectionOf(stats);
    const now = protection === undefined ? await contentOf(path) : undefined;
    if (protection !== undefined) return cannot(protection);
    const is = now?.fingerprint ?? ABSENT;
    if (is === markOf(was)) return { kind: 'same' };
    const content = was?.kept === true ? world.read(was.fingerprint) : undefined;
    if (was !== null && content === undefined) return cannot('what it held then is not kept');
    const target = { path, expected: is, content: content === undefined ? undefined : Buffer.from(content), mode: was?.mode };
    return {
      kind: 'ready',
      name,
      path,
      does: target.content === undefined ? 'remove' : now === undefined ? 'make' : 'write',
      changedSince: is !== markOf(left) && is !== markOf(found),
      preview: await preview(name, now, target.content),
      perform: () => perform(target, world),
    };
  } catch (error) {
    return cannot(failureText(error));
  }
}

const markOf = (version: FileVersion | null): string => version?.fingerprint ?? ABSENT;

/** Whether the path leads to itself: no link stands in its place, nor on the way, as far as that exists. */
async function isReached(path: string): Promise<boolean> {
  if ((await statOf(path, lstat))?.isSymbolicLink() === true) return false;
  let folder = dirname(path);
  while ((await statOf(folder, lstat)) === undefined && dirname(folder) !== folder) folder = dirname(folder);
  return (await realpath(folder)) === folder;
}

async function preview(name: string, now: FileContent | undefined, content: Buffer | undefined): Promise<string> {
  const [before, after] = [textIn(now?.content), textIn(content)];
  if (content === undefined) return `Remove ${name}, ${now?.bytes ?? 0} bytes, made since`;
  const isText = after !== undefined && (now === undefined || before !== undefined);
  return isText ? previewOf({ name, before, after }) : `Replace ${name}: ${now?.bytes ?? 0} bytes now, ${content.length} bytes then`;
}

function textIn(content: Uint8Array | undefined): string | undefined {
  if (content === undefined) return undefined;
  const bytes = Buffer.from(content);
  return encodingProblem(bytes) === undefined ? bytes.toString('utf8') : undefined;
}

type Target = {
  readonly path: string;
  readonly expected: string;
  /** Undefined for a file that goes. */
  readonly content: Buffer | undefined;
  readonly mode: number | undefined;
};

/** Noted before it is done, as every change: so it can be undone as well. */
async function perform({ path, expected, content, mode }: Target, world: RestoreWorld): Promise<string | undefined> {
  const { note } = keepingOf(world, { path, tool: 'rollback', bytes: content });
  try {
    if (!(await isReached(path))) return 'a link leads elsewhere now, in its place or on the way to it';
    if (content !== undefined) {
      const done = await replaceFile(path, content, { expected, newId: world.newId, now: world.now, note, mode });
      return done.kind === 'no' ? done.why : undefined;
    }
    const now = await contentOf(path);
    if ((now?.fingerprint ?? ABSENT) !== expected) return CHANGED;
    note(now);
    await unlink(path);
    await syncFolder(dirname(path));
    return undefined;
  } catch (error) {
    return failureText(error);
  }
}
