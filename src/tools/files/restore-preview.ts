import { localize } from '../../domain/language.ts';
import type { Entry } from '../../domain/session/change.ts';
import { renderPreview } from './diff.ts';
import { encodingProblem } from './encoding.ts';

type Restored = { readonly target: Entry | null; readonly bytes: Buffer | undefined };

/** What bringing a path back would do, for a person: a diff where both are texts. */
export async function restorePreview(name: string, current: Buffer | undefined, { target, bytes }: Restored): Promise<string> {
  if (target === null) return localize({ en: `Remove ${name}, made since`, zh: `删除此后新建的 ${name}` });
  if (target.kind === 'folder') return localize({ en: `Folder ${name}`, zh: `文件夹 ${name}` });
  if (target.kind !== 'file' || bytes === undefined)
    return localize({ en: `Link ${name} to ${linkTarget(target)}`, zh: `链接 ${name} 指向 ${linkTarget(target)}` });
  const [before, after] = [textIn(current), textIn(bytes)];
  if (after !== undefined && (current === undefined || before !== undefined)) return renderPreview({ name, before, after });
  return localize({
    en: `Replace ${name}: ${current?.length ?? 0} bytes now, ${bytes.length} bytes then`,
    zh: `替换 ${name}：现在 ${current?.length ?? 0} 字节，当时 ${bytes.length} 字节`,
  });
}

/** The same of a repository as a whole, which no diff would explain. */
export const repositoryPreview = (name: string, files: number): string =>
  localize({
    en: `${name}: branches, tags, the stash and the index as they were (${files} ${files === 1 ? 'file' : 'files'})`,
    zh: `${name}：分支、标签、储藏和暂存区恢复原样（${files} 个文件）`,
  });

const linkTarget = ({ holds }: Entry): string => JSON.stringify(holds?.slice('link:'.length) ?? '');

const textIn = (bytes: Buffer | undefined): string | undefined =>
  bytes === undefined || encodingProblem(bytes) !== undefined ? undefined : bytes.toString('utf8');
