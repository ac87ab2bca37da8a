import { cutAt } from './sentences.ts';

const MAX_LINES = 5_000;
const LINE_CHARS = 200;

/** Whether a result is a failure: it says so itself, or it is a command's and reports an exit status other than 0. */
export function failed(result: string, { isError, command }: { readonly isError: boolean; readonly command: boolean }): boolean {
  if (isError) return true;
  if (!command) return false;
  const edges = [...firstLines(result, 2), ...lastLines(result, 3)];
  return edges.some((line) => line.length <= 80 && Number(STATUS.exec(line)?.[1] ?? 0) !== 0);
}

const STATUS =
  /^[[(]?(?:the )?(?:process |command |shell )?(?:exit(?:ed)?|failed|退出)(?: (?:with|code|status|exit|non-zero))*(?:码|状态)?[:：= ]+(\d{1,3})[\])）.]?$/i;

/**
 * The line of a failed result that states the error: the first that plainly does. Where an earlier line speaks of an error
 * without saying which ("task failed"), both, parted by a bar. Verbatim but for the space around it; cut when long.
 */
export function errorLine(result: string): string {
  let vague: string | undefined;
  let first: string | undefined;
  let traceback = false;
  for (const raw of firstLines(result, MAX_LINES)) {
    const inside = traceback && /^\s/.test(raw);
    if (raw.startsWith('Traceback (most recent')) traceback = true;
    else if (!inside) traceback = false;
    if (inside) continue;
    const line = plain(raw);
    if (line === '' || STATUS.test(line)) continue;
    first ??= line;
    const clarity = clarityOf(line);
    if (clarity === 2) return vague === undefined ? shown(line) : `${shown(vague)} | ${shown(line)}`;
    if (clarity === 1) vague ??= line;
  }
  return shown(vague ?? first ?? plain(result));
}

const shown = (line: string): string => (line.length <= LINE_CHARS ? line : `${cutAt(line, LINE_CHARS - 1)}…`);

/** 2: says what is wrong. 1: says that something is. 0: neither. */
function clarityOf(line: string): 0 | 1 | 2 {
  const start = line.slice(0, 600);
  if (FINE.test(start) || /^(?:throw|raise)\b/.test(start)) return 0;
  if (CLEAR.test(start)) return 2;
  return VAGUE.test(start) ? 1 : 0;
}

const FINE = /^(?:ok|pass|passed|✓|✔|√|\?)\s|^warning\b|\b(?:0|no) (?:errors?|fail(?:ures?|ed)?)\b/i;
const CLEAR = new RegExp(
  [
    String.raw`\b(?:error|fatal|panic|[a-z]\w{0,60}(?:error|exception))(?:\[[\w-]{1,20}\])?(?: \([^)]{0,40}\)| at [^:]{0,80})?: ?\S`,
    String.raw`\berror (?:return value|TS\d+|[A-Z]\d+)\b`,
    String.raw`^[^\s:]{1,200}:\d+(?::\d+)?:? \S|^[^\s(]{1,200}\(\d+,\d+\): `,
    String.raw`\b(?:no such file|not found|does not exist|doesn't exist|undefined:|is not defined|is not a function|cannot|can't|can not|could not|couldn't|unable to|denied|refused|rejected|unexpected|invalid|unknown|unrecognized|not recognized|timed? ?out|already exists|conflict|no space left|not permitted|out of memory|killed|aborted|mismatch|missing|duplicate|imported and not used|directory not found|no go files)\b`,
    String.raw`^(?:--- FAIL|FAIL(?:ED)?:?)\s+\S|^npm ERR!|^E {2,}\S|^[✗✘×❌●]|\bassert(?:ion)?\w* failed|\bAssertionError\b|^CONFLICT\b`,
    '错误[:：]|失败[:：]|异常|无法|找不到|不存在|拒绝|超时|权限不足|未定义',
  ].join('|'),
  'i',
);
const VAGUE = /\b(?:errors?|fail(?:s|ed|ure|ures)?|fatal|panic|exception|traceback)\b|错误|失败/i;

const plain = (line: string): string =>
  cutAt(line, 2_000)
    .replace(/\x1b\[[0-9;]{0,20}[A-Za-z]/g, '')
    .replace(/<\/?(?:tool_use_error|error)>/g, '')
    .trim();

/** The first `count` lines that hold anything. */
function firstLines(text: string, count: number): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length && lines.length < count; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? text.length : end);
    if (line.trim() !== '') lines.push(line.trimEnd());
    if (end === -1) break;
    start = end + 1;
  }
  return lines;
}

function lastLines(text: string, count: number): readonly string[] {
  const lines: string[] = [];
  for (let end = text.length; end > 0 && lines.length < count; ) {
    const start = text.lastIndexOf('\n', end - 1);
    const line = text.slice(start + 1, end).trim();
    if (line !== '') lines.push(line);
    end = start;
  }
  return lines;
}
