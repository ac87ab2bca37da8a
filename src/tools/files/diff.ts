import { countLines } from '../page.ts';
import { visible } from '../place/visible.ts';
import { quantity } from '../tool.ts';

/** A diff with more changed lines is not worth computing or reading. */
const MAX_EDITS = 2_000;
const MAX_PREVIEW_LINES = 400;
const MAX_LINE_CHARS = 500;

type FileChange = {
  /** The file's name for people. */
  readonly name: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
};

/**
 * Returns what a person must see before allowing a change: a unified diff, or the beginning of the new content. Nothing in it acts on a
 * terminal, and its first line counts what is left out.
 */
export async function renderPreview({ name, before, after }: FileChange): Promise<string> {
  const added = linesOf(after).map((line) => `+${line}`);
  if (before === undefined) return limitLines(`New file ${name}, ${sizeOf(after)}`, added);
  if (before === after) return `${name} stays as it is: the content is the same`;
  const hunks = await hunksOf(before, after);
  if (hunks === undefined) {
    const title = `${name}: replaced whole, ${sizeOf(before)} before, ${sizeOf(after)} after; too different for a diff, the new content`;
    return limitLines(title, added);
  }
  return limitLines(`Change of ${name}`, hunks);
}

async function hunksOf(before: string, after: string): Promise<readonly string[] | undefined> {
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, maxEditLength: MAX_EDITS });
  return patch?.hunks.flatMap((hunk) => [`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, ...hunk.lines]);
}

function limitLines(title: string, lines: readonly string[]): string {
  const omitted = lines.length - MAX_PREVIEW_LINES;
  const head = omitted > 0 ? `${title} (the first ${MAX_PREVIEW_LINES} lines of this preview, ${omitted} more are not shown)` : title;
  return [head, ...lines.slice(0, MAX_PREVIEW_LINES).map(clipLine)].join('\n');
}

function clipLine(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return visible(line);
  return `${visible(line.slice(0, MAX_LINE_CHARS))}… (${line.length - MAX_LINE_CHARS} more characters)`;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const sizeOf = (text: string): string => quantity(countLines(text), 'line');
