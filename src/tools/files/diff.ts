import type { FileDiff } from '../../domain/event.ts';
import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { countLines } from '../page.ts';
import { visible } from '../place/visible.ts';
import { counted } from '../tool.ts';

/** A diff with more changed lines is not worth computing or reading. */
const MAX_EDITS = 2_000;
const MAX_PREVIEW_LINES = 400;
const MAX_LINE_CHARS = 500;

/** `name` is for people; `before` is undefined for a new file. `title` stands instead of "Change of NAME", and may be empty. */
type FileChange = { readonly name: string; readonly before: string | undefined; readonly after: string; readonly title?: string };

/**
 * Returns what a person must see before allowing a change: a unified diff, or the beginning of the new content. Nothing in it acts on a
 * terminal, and its first line counts what is left out.
 */
export async function renderPreview({ name, before, after, title: given }: FileChange): Promise<string> {
  const added = linesOf(after).map((line) => `+${line}`);
  if (before === undefined)
    return limitLines(given ?? localize({ en: `New file ${name}, ${sizeOf(after).en}`, zh: `新文件 ${name}，${sizeOf(after).zh}` }), added);
  if (before === after) return localize({ en: `${name} stays as it is: the content is the same`, zh: `${name} 保持不变：内容相同` });
  const hunks = await hunksOf(before, after);
  if (hunks === undefined) {
    const [was, is] = [sizeOf(before), sizeOf(after)];
    const title = {
      en: `${name}: replaced whole, ${was.en} before, ${is.en} after; too different for a diff, the new content`,
      zh: `${name}：整体替换，之前 ${was.zh}，之后 ${is.zh}；差异过大，无法显示对比，以下是新内容`,
    };
    return limitLines(localize(title), added);
  }
  return limitLines(given ?? localize({ en: `Change of ${name}`, zh: `修改 ${name}` }), hunks);
}

/** What became of a file, for those who watch; of a new one, and of what is too different, each line of what is there now. */
export async function diffOf({ name, before, after }: Omit<FileChange, 'title'>): Promise<FileDiff> {
  const is = linesOf(after).map((line) => `+${line}`);
  const hunks = before === undefined ? undefined : await hunksOf(before, after);
  const was = before === undefined || hunks !== undefined ? [] : linesOf(before).map((line) => `-${line}`);
  const lines = hunks ?? [`@@ -${was.length === 0 ? 0 : 1},${was.length} +1,${is.length} @@`, ...was, ...is];
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return {
    ...{ path: visible(name), added: count('+'), removed: count('-') },
    text: lines.slice(0, MAX_PREVIEW_LINES).map(clipLine).join('\n'),
  };
}

/** The lines of a unified difference; undefined where it is too long to be worth finding. */
async function hunksOf(before: string, after: string): Promise<readonly string[] | undefined> {
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, maxEditLength: MAX_EDITS });
  return patch?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
}

/** `+1 -1` */
export const diffNote = ({ added, removed }: FileDiff): Bilingual => sameInBoth(removed === 0 ? `+${added}` : `+${added} -${removed}`);

function limitLines(title: string, lines: readonly string[]): string {
  const omitted = lines.length - MAX_PREVIEW_LINES;
  const more = localize({
    en: ` (the first ${MAX_PREVIEW_LINES} lines of this preview, ${omitted} more are not shown)`,
    zh: `（只显示预览的前 ${MAX_PREVIEW_LINES} 行，另有 ${omitted} 行未显示）`,
  });
  const head = omitted > 0 ? `${title}${more}`.trimStart() : title;
  return [...(head === '' ? [] : [head]), ...lines.slice(0, MAX_PREVIEW_LINES).map(clipLine)].join('\n');
}

function clipLine(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return visible(line);
  const left = line.length - MAX_LINE_CHARS;
  return `${visible(line.slice(0, MAX_LINE_CHARS))}…${localize({ en: ` (${left} more characters)`, zh: `（还有 ${left} 个字符）` })}`;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const sizeOf = (text: string): Bilingual => counted(countLines(text), 'line', '行');
