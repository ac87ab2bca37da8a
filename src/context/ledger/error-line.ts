import { isOneOf } from '../../domain/value/word-list.ts';
import { cutAt } from '../text/sentences.ts';

const MAX_LINES = 5_000;
const LINE_CHARS = 180;

/** By its mark or, of a command, by its exit status; where a pipe or a list hides the status that counts, by its last lines. */
export function isFailure(
  result: string,
  { isError, command }: { readonly isError: boolean; readonly command: string | undefined },
): boolean {
  if (isError) return true;
  if (command === undefined) return false;
  const edgeLines = [...firstLines(result, 2), ...lastLines(result, 3)];
  const statuses = edgeLines.flatMap((line) => (line.length <= 80 ? (EXIT_STATUS.exec(line)?.[1] ?? []) : []));
  if (statuses.some((status) => Number(status) !== 0)) return true;
  // Recorded by another program, without a status: only the output shows a failure.
  if (statuses.length === 0 && lastLines(result, 40).some((line) => line.startsWith('Traceback (most recent call last)'))) return true;
  return hidesStatus(command) && lastLines(result, 40).some(isPlainFailure);
}

export const failsPlainly = (result: string): boolean =>
  lastLines(result, 40).some((line) => isPlainFailure(line) || /^=+ .{0,40}\b[1-9]\d{0,5} failed\b/.test(line.slice(0, 300)));

/** True when a command that did not fail shows that it worked: by its own status or, behind a pipe or a list, by its output. */
export const showsSuccess = (command: string, result: string): boolean =>
  !failsPlainly(result) &&
  !MAY_CHANGE_NOTHING.test(withoutQuotes(command)) &&
  (!hidesStatus(command) ||
    lastLines(result, 12).some((line) => saysSuccess(line.slice(0, 300))) ||
    (SILENT_CHECK.test(command) && !lastLines(result, 40).some((line) => clarityOf(line) >= 1)));

/** Ends well also where it found nothing to change, and in a list nobody knows of which part that is so. */
const MAY_CHANGE_NOTHING = /^\s*(?:cd \S+ && )?(?:sed|gsed|perl|awk) -[^;&|\n]*(?:$|&&\s*(?:sed|gsed|perl|awk)\b)/;

const withoutQuotes = (command: string): string => command.slice(0, MAX_COMMAND_CHARS).replace(/'[^']*'|"[^"]*"/g, '""');

/** True when another part of the line than the one that counts gives its status: the end of a pipe or of a list, or `|| true`. */
function hidesStatus(command: string): boolean {
  const plain = withoutQuotes(command.split('<<', 1).join(''));
  const parts = plain.split(/[;\n]/).filter((part) => !SETS_UP.test(part));
  return HIDES_STATUS.test(plain) || (parts.length > 1 && !/\bset -\w*e/.test(plain));
}

const MAX_COMMAND_CHARS = 10_000;
/** Nothing, a comment, or what only prepares the command that counts. */
const SETS_UP = /^\s*(?:$|#|(?:cd|export|set|source|\.)\s|\w+=\S*\s*$)/;

const SILENT_CHECK = /\b(?:tsc|tsgo|eslint|biome|lint|vet|mypy|ruff|clippy|fmt|format|check|build|compile)\b/;

export const findsNoError = (command: string, result: string): boolean =>
  SEARCH_FOR_ERRORS.test(command.slice(0, 600)) && (result.trim() === '' || isBareStatus(result.trim()));

const SEARCH_FOR_ERRORS =
  /\| ?(?:grep|rg)(?: -(?!v)\S+)* ["']?[^|]{0,60}?(?:error|fail|warn|panic|TS\d|✗|×)[^|]{0,60}(?:\| ?(?:head|tail|wc)\b[^|]*)?$/i;

const saysSuccess = isOneOf(
  /^(?:ok|pass(?:ed)?|done|success)\b|\b[1-9]\d{0,5} (?:passed|passing)\b/i,
  /\b0 (?:errors?|failed|failures|issues)\b/i,
  /\b(?:all (?:tests|checks) pass|build succeeded|no (?:errors|issues) found|successfully)\b/i,
  /[✓✔]|成功|全部通过/i,
);

const HIDES_STATUS = /[^|]\|[^|]|\|\| ?(?:true|:|echo)\b|; ?(?:true|echo)\b/;
const failsAsSuch = isOneOf(
  /^(?:FAIL\b|--- FAIL|FAILED\b|fatal: |panic: |npm ERR! |Traceback \(most recent)/,
  /^(?:error(?:\[\w{1,20}\])?: |make(?:\[\d+\])?: \*\*\* |[^\s(]{1,200}\(\d+,\d+\): error )/,
  /\b[1-9]\d{0,5} (?:failed|failing)\b/,
);
const isPlainFailure = (line: string): boolean => failsAsSuch(line.slice(0, 300));

const EXIT_STATUS =
  /^[[(]?(?:the )?(?:process |command |shell )?(?:exit(?:ed)?|failed|退出)(?: (?:with|code|status|exit|non-zero))*(?:码|状态)?[:：= ]+(\d{1,3})[\])）.]?$/i;

export const isBareStatus = (error: string): boolean => error === '' || error === '(no output)' || EXIT_STATUS.test(error);

/**
 * The line of a failed result that states the error, or up to three between bars: the first that speaks of one, the first that states it
 * most plainly, and the first with a word of failure. A line that ends in a colon brings the next along.
 */
export function errorLine(result: string): string {
  let [first, best, vague]: (RatedLine | undefined)[] = [];
  const lines = linesOutsideTracebacks(result);
  for (const [at, line] of lines.entries()) {
    const clarity = clarityOf(line);
    if (clarity === 0) continue;
    const candidate = { line, clarity, at };
    if (clarity >= 1) first ??= candidate;
    if (clarity > (best?.clarity ?? 0)) best = candidate;
    if (VAGUE_ERROR.test(line)) vague ??= candidate;
    if (best?.clarity === 3 && vague !== undefined) break;
  }
  const statements = [first, best, vague].filter((candidate) => candidate !== undefined).sort((a, b) => a.at - b.at);
  const texts = statements
    .flatMap(({ line, at }) => (line.endsWith(':') ? [line, lines[at + 1] ?? ''] : [line]))
    .filter((line) => line !== '');
  return [...new Set(texts.map(shortenLine))].join(' | ') || shortenLine(plainLine(lines) ?? cleanLine(result));
}

/** The first line, where no line speaks of an error; after a script that was printed, the last one. */
const plainLine = (lines: readonly string[]): string | undefined => (lines.some((line) => line.startsWith('#!')) ? lines.at(-1) : lines[0]);

/** Drops the body of Python tracebacks: only their last line says what happened. */
function linesOutsideTracebacks(result: string): readonly string[] {
  let insideTraceback = false;
  return firstLines(result, MAX_LINES).flatMap((raw) => {
    const starts = raw.startsWith('Traceback (most recent');
    insideTraceback = starts || (insideTraceback && /^\s/.test(raw));
    const line = cleanLine(raw);
    return insideTraceback || line === '' || EXIT_STATUS.test(line) ? [] : [line];
  });
}

export function failureLines(text: string, most: number): readonly string[] {
  const found = new Set<string>();
  for (const line of linesOutsideTracebacks(text)) {
    if (found.size === most) break;
    if (isPlainFailure(line) || clarityOf(line) === 3) found.add(shortenLine(line));
  }
  return [...found];
}

type RatedLine = { readonly line: string; readonly clarity: number; readonly at: number };

const shortenLine = (line: string): string => (line.length <= LINE_CHARS ? line : `${cutAt(line, LINE_CHARS - 1)}…`);

/** 3: names the error. 2: says what is wrong. 1: says that something is wrong. 0.5: names a place in a file, as a log does too. */
function clarityOf(line: string): 0 | 0.5 | 1 | 2 | 3 {
  const head = line.slice(0, 600);
  if (SUCCESS_LINE.test(head) || isSource(head) || DEBUGGER.test(head)) return 0;
  const hasPlace = PLACE.test(head);
  if (NAMED_ERROR.test(head) || (hasPlace && complains(head))) return 3;
  if (CLEAR_ERROR.test(head)) return hasPlace ? 3 : 2;
  return VAGUE_ERROR.test(head) ? (hasPlace ? 3 : 1) : hasPlace ? 0.5 : 0;
}

const PLACE = /^[^\s:]{1,200}:\d+(?::\d+)?:? \S/;
const complains = isOneOf(
  /\b(?:want(?:ed)?|expected|got|should|must|unused|declared|syntax|not used|instead)\b/i,
  /\b(?:too (?:long|many|few)|deprecated|required|[EFW]\d{3})\b/i,
);
/** What a debugger that is attached prints beside everything. */
const DEBUGGER = /js-debug|^(?:Debugger (?:attached|listening)|Waiting for the debugger)/;

const isSource = isOneOf(
  /^(?:throw|raise|echo|printf|set|trap|if|then|else|fi|exit|return)\b|^#/,
  /^(?:String:\s{0,8})?[a-z]\w*(?:\.\w+){0,4}\(["'`]/,
);
const SUCCESS_LINE = /^(?:ok|pass|passed|✓|✔|√|\?)\s|^warning\b|^=== \w|\b(?:0|no) (?:errors?|fail(?:ures?|ed)?)\b/i;
const BEHIND_NAME = String.raw`(?: \([^)]{0,40}\)| at [^:]{0,80})?`;
const NAMED_ERROR = new RegExp(
  [
    String.raw`\b(?:error|fatal|panic|[a-z]\w{0,60}(?:error|exception))(?:\[[\w-]{1,20}\])?${BEHIND_NAME}: ?\S`,
    String.raw`\berror (?:return value|TS\d+|[A-Z]\d+)\b`,
    String.raw`^[^\s(]{1,200}\(\d+,\d+\): `,
    String.raw`^--- FAIL|^npm ERR!|^E {2,}\S|^[✗✘×❌●]|^CONFLICT\b`,
    '错误[:：]|失败[:：]|异常[:：]',
  ].join('|'),
  'i',
);
const CLEAR_WORDS =
  `no such file,not found,does not exist,doesn't exist,undefined:,is not defined,is not a function,cannot,can't,can not,could not,couldn't,
unable to,denied,refused,rejected,unexpected,invalid,unknown,unrecognized,not recognized,not allowed,timed out,timedout,time out,timeout,already exists,
conflict,no space left,not permitted,out of memory,killed,aborted,mismatch,missing,duplicate,imported and not used,directory not found,no go files`.split(
    /,\s?/,
  );
const CLEAR_ERROR = new RegExp(
  [
    `\\b(?:${CLEAR_WORDS.join('|')})\\b`,
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
