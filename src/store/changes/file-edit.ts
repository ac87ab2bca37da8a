import { lstatSync } from 'node:fs';
import type { FileEdit } from '../../agent/ports/disk.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { Change, Entry, Holding } from '../../domain/session/change.ts';
import type { FileContent } from '../../domain/session/record.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import type { Contents } from './contents.ts';
import { blobOid } from './git/clean-files.ts';
import type { Roots } from './git/repository.ts';
import type { Caps, Fits } from './look/recorder.ts';
import { standingOf } from './look/standing.ts';

type EditDeps = {
  readonly contents: Contents;
  readonly caps: Pick<Caps, 'fileBytes'>;
  readonly fits: Fits;
  readonly known: Holding | undefined;
};

/**
 * What an edit of one file will have changed: the folders made for it, and the file. Its contents are added to those that are kept, not yet
 * on disk. `why`: the reason for which what stands there is not kept.
 */
export function changesOfEdit(
  { path, folders = [], before, after }: FileEdit,
  deps: EditDeps,
): { readonly changes: readonly Change[]; readonly why: Bilingual | undefined } {
  const former = before && keep(before, deps);
  const standing = orUndefined(() => standingOf(lstatSync(path)));
  const previous: Entry | null =
    before === undefined ? null : { ...(standing ?? UNSEEN), ...sizeOf(before), holds: former?.holds ?? 'unreadable' };
  // Nobody has looked at it yet: marked as fresh, its bytes are compared by the next look, and its times are not.
  const next: Entry | null =
    after === undefined
      ? null
      : { ...UNSEEN, ...sizeOf(after), mode: before?.mode ?? UNSEEN.mode, holds: keep(after, deps).name, isFresh: true };
  return { changes: [...folders.flatMap(newFolder), { path, before: previous, after: next }], why: former?.why };
}

const UNSEEN = { kind: 'file', mode: -1, size: 0, mtime: 0, ctime: 0, ino: 0 } as const;

const sizeOf = ({ bytes, mode }: FileContent) => ({ kind: 'file', size: bytes, ...(mode !== undefined && { mode }) }) as const;

function newFolder(path: string): readonly Change[] {
  const standing = orUndefined(() => standingOf(lstatSync(path)));
  return standing?.kind === 'folder' ? [{ path, before: null, after: standing }] : [];
}

type Kept = { readonly holds: Holding; readonly name: Holding; readonly why?: Bilingual };

/** `holds` says whether it is kept; `name` names the content all the same, so that it is known again. */
function keep({ content, bytes, fingerprint }: FileContent, { contents, caps, fits, known }: EditDeps): Kept {
  if (content === undefined) return { holds: 'large', name: 'large', why: TOO_LARGE };
  const oid = known?.startsWith('blob:') === true ? known.slice('blob:'.length) : undefined;
  if (oid !== undefined && blobOid(content, oid.length) === oid) return { holds: `blob:${oid}`, name: `blob:${oid}` };
  const name = `sha256:${fingerprint}` as const;
  if (contents.has(fingerprint)) return { holds: name, name };
  if (bytes > caps.fileBytes) return { holds: 'large', name, why: TOO_LARGE };
  if (!fits(bytes)) return { holds: 'full', name, why: FULL };
  return { holds: `sha256:${contents.add(content)}`, name };
}

const TOO_LARGE: Bilingual = { en: 'it is too large', zh: '文件太大' };
const FULL: Bilingual = { en: 'the session keeps too much already', zh: '会话保留的内容已过多' };

/** Takes changes into what is known of a place, as far as they are of it: its next look does not find them. */
export function noteChanges(manifest: Map<string, Entry>, { top, others }: Roots, changes: readonly Change[]): void {
  for (const { path, after } of changes) {
    if (![top, ...others].some((root) => path === root || path.startsWith(`${root}/`))) continue;
    if (after === null) manifest.delete(path);
    else manifest.set(path, after);
  }
}
