import { type Bilingual, localize } from '../../domain/language.ts';
import { countLines } from '../page.ts';
import { visible } from '../place/visible.ts';
import { counted } from '../tool.ts';

/** A diff with more changed lines is not worth computing or reading. */
const MAX_EDITS = 2_000;
const MAX_PREVIEW_LINES = 400;
const MAX_LINE_CHARS = 500;

/** `name` is for people; `before` is undefined for a new file. `title` stands instead of "Change of NAME". */
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
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, maxEditLength: MAX_EDITS });
  if (patch === undefined) {
    const [was, is] = [sizeOf(before), sizeOf(after)];
    const title = {
      en: `${name}: replaced whole, ${was.en} before, ${is.en} after; too different for a diff, the new content`,
      zh: `${name}：整体替换，之前 ${was.zh}，之后 ${is.zh}；差异过大，无法显示对比，以下是新内容`,
    };
    return limitLines(localize(title), added);
  }
  const hunks = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
  return limitLines(given ?? localize({ en: `Change of ${name}`, zh: `修改 ${name}` }), hunks);
}

function limitLines(title: string, lines: readonly string[]): string {
  const omitted = lines.length - MAX_PREVIEW_LINES;
  const more = localize({
    en: ` (the first ${MAX_PREVIEW_LINES} lines of this preview, ${omitted} more are not shown)`,
    zh: `（只显示预览的前 ${MAX_PREVIEW_LINES} 行，另有 ${omitted} 行未显示）`,
  });
  const head = omitted > 0 ? `${title}${more}` : title;
  return [head, ...lines.slice(0, MAX_PREVIEW_LINES).map(clipLine)].join('\n');
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
