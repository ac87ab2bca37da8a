import { type Bilingual, localize } from '../../domain/language.ts';
import type { Entry } from '../../domain/session/change.ts';
import { renderPreview } from './diff.ts';
import { decodeFileText } from './encoding.ts';

/** What stands at a path, or stood there; the bytes of a file where they are known. */
export type Side = { readonly entry: Entry | null; readonly bytes: Buffer | undefined };

/** What bringing a path back would do, for a person: a diff where both are texts. */
export async function restorePreview(name: string, now: Side, then: Side): Promise<string> {
  if (then.entry === null) {
    const shown = nameOf(name, now.entry);
    return localize({ en: `Remove ${shown}, made since`, zh: `删除此后新建的 ${shown}` });
  }
  const made = { en: `Comes back: ${name}`, zh: `恢复 ${name}` };
  return differenceText(made, name, [now, then]);
}

/** What became of a path, in the same way. */
export async function changePreview(name: string, before: Side, after: Side): Promise<string> {
  if (after.entry !== null) return differenceText({ en: `New: ${name}`, zh: `新建 ${name}` }, name, [before, after]);
  const title = localize({ en: `Deleted: ${nameOf(name, before.entry)}`, zh: `删除 ${nameOf(name, before.entry)}` });
  const text = before.entry?.kind === 'file' ? textIn(before.bytes) : undefined;
  return text === undefined || text === '' ? title : renderPreview({ name, before: text, after: '', title });
}

async function differenceText(made: Bilingual, name: string, [from, to]: readonly [Side, Side]): Promise<string> {
  const [was, is] = [from.entry, to.entry];
  const mode = modeText(was, is);
  const change = localize({ en: `Change of ${name}`, zh: `修改 ${name}` });
  if (is?.kind === 'folder') return was?.kind === 'folder' ? `${change}/${mode}` : `${localize(made)}/`;
  if (is?.kind === 'link') return localize({ en: `Link ${name} -> ${linkTarget(is)}`, zh: `链接 ${name} -> ${linkTarget(is)}` });
  const [before, after] = [was?.kind === 'file' ? textIn(from.bytes) : undefined, textIn(to.bytes)];
  if (before !== undefined && before === after) return `${change}${mode}`;
  const isText = after !== undefined && (was?.kind !== 'file' || before !== undefined);
  if (isText && was?.kind !== 'file') return renderPreview({ name, before: undefined, after, title: localize(made) });
  if (isText) return renderPreview({ name, before, after, title: `${change}${mode}` });
  if (was === null) return `${localize(made)}${localize({ en: `, ${is?.size} bytes`, zh: `，${is?.size} 字节` })}`;
  const sizes = { en: `${was.size} bytes -> ${is?.size} bytes`, zh: `${was.size} 字节 -> ${is?.size} 字节` };
  return `${change}${localize({ en: `: ${sizes.en}`, zh: `：${sizes.zh}` })}${mode}`;
}

const nameOf = (name: string, entry: Entry | null): string => (entry?.kind === 'folder' ? `${name}/` : name);

/** Empty where the permission bits are the same, or one of them is not known. */
function modeText(from: Entry | null, to: Entry | null): string {
  if (from === null || to === null || from.kind !== to.kind || from.mode < 0 || to.mode < 0 || from.mode === to.mode) return '';
  const [was, is] = [octal(from.mode), octal(to.mode)];
  return localize({ en: `, mode ${was} -> ${is}`, zh: `，模式 ${was} -> ${is}` });
}

const octal = (mode: number): string => mode.toString(8).padStart(3, '0');

/** The same of a repository as a whole, which no diff would explain. */
export const repositoryPreview = (name: string, files: number): string =>
  localize({
    en: `${name}: branches, tags, the stash and the index as they were (${files} ${files === 1 ? 'file' : 'files'})`,
    zh: `${name}：分支、标签、储藏和暂存区恢复原样（${files} 个文件）`,
  });

export const repositoryChange = (name: string, files: number): string =>
  localize({
    en: `${name}: branches, tags, the stash or the index (${files} ${files === 1 ? 'file' : 'files'})`,
    zh: `${name}：分支、标签、储藏或暂存区（${files} 个文件）`,
  });

const linkTarget = ({ holds }: Entry): string => JSON.stringify(holds?.slice('link:'.length) ?? '');

function textIn(bytes: Buffer | undefined): string | undefined {
  const read = bytes === undefined ? undefined : decodeFileText(bytes);
  return read?.kind === 'text' ? read.text : undefined;
}
