import { lstatSync } from 'node:fs';
import { realpath, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileVersions } from '../../agent/ports/disk.ts';
import { isBilingual, localize } from '../../domain/language.ts';
import type { ChangedFile, FileContent, FileVersion } from '../../domain/session/file.ts';
import { statOf } from '../place/folders.ts';
import { displayPath } from '../place/place.ts';
import { visibleLine } from '../place/visible.ts';
import { toolFailure } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { renderPreview } from './diff.ts';
import { encodingProblem } from './encoding.ts';
import { CHANGED_ON_DISK, protectionOf, replaceIfUnchanged, trySyncFolder } from './replace-file.ts';
import { ABSENT, contentOf } from './text-file.ts';
import { createChangeRecorder } from './write-plan.ts';

type RestoreContext = Pick<ToolContext, 'cwd' | 'recordFileChange' | 'newId' | 'now'> & Pick<FileVersions, 'read'>;

/** Plans how to bring a file that tools changed back to its former content. Changes nothing and never rejects. */
export async function planRestore(file: ChangedFile, context: RestoreContext) {
  const { path, original, lastBefore, lastAfter } = file;
  const name = visibleLine(displayPath(context.cwd, path), 400);
  const cannot = (why: string) => ({ kind: 'cannot', name, path, why }) as const;
  try {
    if (!(await isDirectPath(path))) return cannot(localize(LED_ELSEWHERE));
    const protection = protectionOf(statOf(path));
    if (protection !== undefined) return cannot(localize(protection));
    const current = await contentOf(path);
    const fingerprint = current?.fingerprint ?? ABSENT;
    // The file already has its former content.
    if (fingerprint === fingerprintIn(original)) return { kind: 'same' } as const;
    const content = original?.kept === true ? context.read(original.fingerprint) : undefined;
    if (original !== null && content === undefined)
      return cannot(localize({ en: 'what it held then is not kept', zh: '当时的内容没有保留' }));
    const target = { path, expected: fingerprint, content: content === undefined ? undefined : Buffer.from(content), mode: original?.mode };
    const does: 'write' | 'make' | 'remove' = target.content === undefined ? 'remove' : current === undefined ? 'make' : 'write';
    return {
      ...({ kind: 'ready', name, path, does } as const),
      /** True when something other than SanBot's file tools changed the file after them: a command or a person, for example. */
      changedSince: fingerprint !== fingerprintIn(lastAfter) && fingerprint !== fingerprintIn(lastBefore),
      preview: await preview(name, current, target.content),
      /** Restores the file unless it has changed since this was planned. Resolves with the reason when it did not; never rejects. */
      perform: () => perform(target, context),
    };
  } catch (error) {
    return cannot(localize(toolFailure(error)));
  }
}

const LED_ELSEWHERE = { en: 'a link leads elsewhere now, in its place or on the way to it', zh: '它所在之处或途中的链接现已指向别处' };

const fingerprintIn = (version: FileVersion | null): string => version?.fingerprint ?? ABSENT;

/** True when no link is in the path's place, or on the way to it as far as that exists. */
async function isDirectPath(path: string): Promise<boolean> {
  if (statOf(path, lstatSync)?.isSymbolicLink() === true) return false;
  let folder = dirname(path);
  while (statOf(folder, lstatSync) === undefined && dirname(folder) !== folder) folder = dirname(folder);
  return (await realpath(folder)) === folder;
}

async function preview(name: string, current: FileContent | undefined, content: Buffer | undefined): Promise<string> {
  const [before, after] = [textIn(current?.content), textIn(content)];
  if (content === undefined) {
    const bytes = current?.bytes ?? 0;
    return localize({ en: `Remove ${name}, ${bytes} bytes, made since`, zh: `删除此后新建的 ${name}，${bytes} 字节` });
  }
  const isText = after !== undefined && (current === undefined || before !== undefined);
  return isText
    ? renderPreview({ name, before, after })
    : localize({
        en: `Replace ${name}: ${current?.bytes ?? 0} bytes now, ${content.length} bytes then`,
        zh: `替换 ${name}：现在 ${current?.bytes ?? 0} 字节，当时 ${content.length} 字节`,
      });
}

function textIn(content: Uint8Array | undefined): string | undefined {
  if (content === undefined) return undefined;
  const bytes = Buffer.from(content);
  return encodingProblem(bytes) === undefined ? bytes.toString('utf8') : undefined;
}

type Target = {
  readonly path: string;
  readonly expected: string;
  /** Undefined for a file that is to be removed. */
  readonly content: Buffer | undefined;
  readonly mode: number | undefined;
};

/** The restoration is recorded before it is done, like every change, so it can be undone as well. */
async function perform({ path, expected, content, mode }: Target, context: RestoreContext): Promise<string | undefined> {
  const { record } = createChangeRecorder(context, { path, tool: 'rollback', bytes: content });
  try {
    if (!(await isDirectPath(path))) return localize(LED_ELSEWHERE);
    if (content !== undefined) {
      const result = await replaceIfUnchanged(path, content, { ...context, expected, beforeReplace: record, mode });
      return isBilingual(result) ? localize(result) : undefined;
    }
    const current = await contentOf(path);
    if ((current?.fingerprint ?? ABSENT) !== expected) return localize(CHANGED_ON_DISK);
    record(current);
    await unlink(path);
    await trySyncFolder(dirname(path));
    return undefined;
  } catch (error) {
    return localize(toolFailure(error));
  }
}
