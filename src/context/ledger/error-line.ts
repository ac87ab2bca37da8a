import { cutAt } from '../text/sentences.ts';

const MAX_LINES = 5_000;
const LINE_CHARS = 180;

/**
 * Whether a result is a failure: it says so itself, or it is a command's and reports an exit status other than 0. Where a pipe or a
 * list hides the status of the command that counts, its last lines say it.
 */
export function isFailure(
  result: string,
  { isError, command }: { readonly isError: boolean; readonly command: string | undefined },
): boolean {
  if (isError) return true;
  if (command === undefined) return false;
  const edgeLines = [...firstLines(result, 2), ...lastLines(result, 3)];
  const statuses = edgeLines.flatMap((line) => (line.length <= 80 ? (EXIT_STATUS.exec(line)?.[1] ?? []) : []));
  if (statuses.some((status) => Number(status) !== 0)) return true;
  // Recorded elsewhere, without a status: only what it printed tells.
  if (statuses.length === 0 && lastLines(result, 40).some((line) => line.startsWith('Traceback (most recent call last)'))) return true;
  return HIDES_STATUS.test(command) && lastLines(result, 40).some((line) => PLAIN_FAILURE.test(line.slice(0, 300)));
}

const HIDES_STATUS = /[^|]\|[^|]|\|\| ?(?:true|:|echo)\b|; ?(?:true|echo)\b/;
const PLAIN_FAILURE =
  /^(?:FAIL\b|--- FAIL|FAILED\b|fatal: |panic: |npm ERR! |error(?:\[\w{1,20}\])?: |Traceback \(most recent|make(?:\[\d+\])?: \*\*\* |[^\s(]{1,200}\(\d+,\d+\): error )|\b[1-9]\d{0,5} (?:failed|failing)\b/;

const EXIT_STATUS =
  /^[[(]?(?:the )?(?:process |command |shell )?(?:exit(?:ed)?|failed|退出)(?: (?:with|code|status|exit|non-zero))*(?:码|状态)?[:：= ]+(\d{1,3})[\])）.]?$/i;

/** Whether an error is no more than an exit status, as a search that finds nothing has it. */
export const isBareStatus = (error: string): boolean => error === '' || error === '(no output)' || EXIT_STATUS.test(error);

/**
 * The line of a failed result that states the error. Where it takes more than one to know it, up to three, parted by bars, in their
 * order: the first that speaks of an error ("task failed"), the first that says it most plainly ("app.ts:3:7: x is not defined"), and
 * the first with a word of failure in it ("--- FAIL: TestOrder"). A line that ends in a colon brings the next one. Verbatim but for the space around them; each is cut when long.
 */
export function errorLine(result: string): string {
  let first: RatedLine | undefined;
  let best: RatedLine | undefined;
  let vague: RatedLine | undefined;
  const lines = linesOutsideTracebacks(result);
  for (const [at, line] of lines.entries()) {
    const clarity = clarityOf(line);
    if (clarity === 0) continue;
    const candidate = { line, clarity, at };
    first ??= candidate;
    if (clarity > (best?.clarity ?? 0)) best = candidate;
    if (VAGUE_ERROR.test(line)) vague ??= candidate;
    if (best?.clarity === 3 && vague !== undefined) break;
  }
  const statements = [first, best, vague].filter((candidate) => candidate !== undefined).sort((a, b) => a.at - b.at);
  const texts = statements
    .flatMap(({ line, at }) => (line.endsWith(':') ? [line, lines[at + 1] ?? ''] : [line]))
    .filter((line) => line !== '');
  return [...new Set(texts.map(shortenLine))].join(' | ') || shortenLine(lines[0] ?? cleanLine(result));
}

/** Of a Python traceback only its last line says what happened. */
function linesOutsideTracebacks(result: string): readonly string[] {
  let insideTraceback = false;
  return firstLines(result, MAX_LINES).flatMap((raw) => {
    const starts = raw.startsWith('Traceback (most recent');
    insideTraceback = starts || (insideTraceback && /^\s/.test(raw));
    const line = cleanLine(raw);
    return insideTraceback || line === '' || EXIT_STATUS.test(line) ? [] : [line];
  });
}

type RatedLine = { readonly line: string; readonly clarity: number; readonly at: number };

const shortenLine = (line: string): string => (line.length <= LINE_CHARS ? line : `${cutAt(line, LINE_CHARS - 1)}…`);

/** 3: names the error. 2: says what is wrong. 1: says that something is. 0: none of these. */
function clarityOf(line: string): 0 | 1 | 2 | 3 {
  const head = line.slice(0, 600);
  if (SUCCESS_LINE.test(head) || /^(?:throw|raise)\b/.test(head)) return 0;
  if (NAMED_ERROR.test(head)) return 3;
  if (CLEAR_ERROR.test(head)) return 2;
  return VAGUE_ERROR.test(head) ? 1 : 0;
}

const SUCCESS_LINE = /^(?:ok|pass|passed|✓|✔|√|\?)\s|^warning\b|^=== \w|\b(?:0|no) (?:errors?|fail(?:ures?|ed)?)\b/i;
const NAMED_ERROR = new RegExp(
  [
    String.raw`\b(?:error|fatal|panic|[a-z]\w{0,60}(?:error|exception))(?:\[[\w-]{1,20}\])?(?: \([^)]{0,40}\)| at [^:]{0,80})?: ?\S`,
    String.raw`\berror (?:return value|TS\d+|[A-Z]\d+)\b`,
    String.raw`^[^\s:]{1,200}:\d+(?::\d+)?:? \S|^[^\s(]{1,200}\(\d+,\d+\): `,
    String.raw`^--- FAIL|^npm ERR!|^E {2,}\S|^[✗✘×❌●]|^CONFLICT\b`,
    '错误[:：]|失败[:：]|异常[:：]',
  ].join('|'),
  'i',
);
const CLEAR_ERROR = new RegExp(
  [
    String.raw`\b(?:no such file|not found|does not exist|doesn't exist|undefined:|is not defined|is not a function|cannot|can't|can not|could not|couldn't|unable to|denied|refused|rejected|unexpected|invalid|unknown|unrecognized|not recognized|timed? ?out|already exists|conflict|no space left|not permitted|out of memory|killed|aborted|mismatch|missing|duplicate|imported and not used|directory not found|no go files)\b`,
    String.raw`^FAIL(?:ED)?:?\s+\S|\bassert(?:ion)?\w* failed`,
    '错误|异常|无法|找不到|不存在|拒绝|超时|权限不足|未定义',
  ].join('|'),
  'i',
);
const VAGUE_ERROR = /\b(?:errors?|fail(?:s|ed|ure|ures)?|fatal|panic|exception|traceback)\b|错误|失败/i;

const cleanLine = (line: string): string =>
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
