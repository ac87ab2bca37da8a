import { stopPhaseOf } from '../../context/history/pairing.ts';
import type { UnauditedEvent } from '../../domain/event.ts';
import type { Bilingual } from '../../domain/language.ts';
import { MCP_PREFIX } from '../../domain/session/called-tool.ts';
import { anyOf, lazyTest } from '../../domain/value/word-list.ts';
import type { ToolOutcome } from '../ports/tools.ts';

type Excerpt = Omit<Extract<UnauditedEvent, { readonly type: 'tool_output' }>, 'type' | 'toolUseId'>;

const MAX_LINES = 3;
const MAX_LINE_CHARS = 400;

/**
 * The lines of a result that a person sees below its call: the reason of a failure that its own line does not say, or what was found or printed,
 * of commands what matters of it. None of what was read from a file, which stands there, and none of a call that was not allowed.
 */
export function toolExcerpt(
  tool: string,
  { ok, denied, content, shown: why, note, source, readBack }: ToolOutcome & { readonly denied: boolean },
): Excerpt | undefined {
  const isRead = ok && (source !== undefined || readBack === true);
  const isCommand = COMMANDS.has(tool);
  if (denied || isRead || (stopPhaseOf(content) !== undefined && !isCommand)) return undefined;
  const all = linesOf(content, isCommand ? why : undefined);
  // The first line of SanBot's own tools says how it ended, which the call's own line does too.
  const hasHead = isCommand || (ok && tool !== 'task' && !tool.startsWith(MCP_PREFIX));
  const lines = (hasHead ? all.slice(1) : all).filter(({ en }) => en.trim() !== '' && en !== '[no output]');
  // The call's own line says it.
  const isSaid = !ok && lines.length === 1 && lines[0]?.en.endsWith(`: ${note.en}`) === true;
  if (lines.length === 0 || isSaid || why?.en === '') return undefined;
  if (why !== undefined && !isCommand) return { lines: reasonLines(why), omitted: 0, from: 'start' };
  if (!isCommand) return { lines: lines.slice(0, MAX_LINES).map(shownLine), omitted: Math.max(0, lines.length - MAX_LINES), from: 'start' };
  const { first, last } = tellingLines(
    lines.map(({ en }) => en),
    ok,
  );
  const shown = [...first, ...last].flatMap((at) => lines[at] ?? []);
  return { lines: shown.map(shownLine), omitted: lines.length - shown.length, from: 'end', first: first.length };
}

const shownLine = ({ en, zh }: Bilingual): string | Bilingual => (en === zh ? cut(en) : { en: cut(en), zh: cut(zh) });

const MAX_WHOLE = 5;
const MAX_FAILURES = 3;
const MAX_ENDING = 2;

/**
 * Which lines of an output to show where it is long, by their places: what failed, else its beginning; and its last lines but for those that
 * say nothing, such as how long a test run took.
 */
export function tellingLines(
  lines: readonly string[],
  ok: boolean,
): { readonly first: readonly number[]; readonly last: readonly number[] } {
  const places = [...lines.keys()];
  if (lines.length <= MAX_WHOLE) return { first: places, last: [] };
  const telling = places.filter((at) => !saysNothing(lines[at] ?? ''));
  const last = (telling.length < MAX_ENDING ? places : telling).slice(-MAX_ENDING);
  const before = telling.filter((at) => at < (last[0] ?? 0));
  const isNew = (at: number): boolean => before.findIndex((other) => lines[other]?.trim() === lines[at]?.trim()) === before.indexOf(at);
  const failed = before.filter((at) => isFailure(lines[at] ?? '', ok) && isNew(at)).slice(0, MAX_FAILURES);
  return { first: failed.length > 0 ? failed : before.slice(0, MAX_ENDING), last };
}

/** What test runners put before what failed; and, where the command failed, what programs say of errors. */
const isFailure = (line: string, ok: boolean): boolean =>
  TEST_FAILED.test(line) || (!ok && /(?:error|\bfatal|\bpanic(?:ked)?|\btraceback|exception)\b.{0,20}[:[(]/i.test(line));

const TEST_FAILED = /^\s*(?:not ok \d|[✖✗×](?! failing tests)|--- FAIL|FAIL(?:ED)?\b)|\.\.\. FAILED$/;
/** What test runners and npm begin and end with, whatever came of the run. */
const NO_NEWS = `> , TAP version, # Subtest, # duration_ms, duration_ms:, type: 'test', # suites, # cancelled 0, # skipped 0, # todo 0, ℹ duration_ms, ℹ suites, ℹ cancelled 0, ℹ skipped 0, ℹ todo 0,
  Duration, Start at, Time:, Snapshots:, Ran all test, npm error A complete, npm error Lifecycle, npm error code, npm error path,
  npm error workspace`;
const beginsWithNoNews = lazyTest(() => `^\\s*${anyOf(NO_NEWS)}`);
const saysNothing = (line: string): boolean => beginsWithNoNews(line) || /^[-=.{}()[\]\s]*$/.test(line);

/** What went wrong, in both languages; further lines of it help only the model. */
const reasonLines = (why: Bilingual): readonly Bilingual[] => [{ en: firstLine(why.en), zh: firstLine(why.zh) }];
const firstLine = (text: string): string => cut(text.split('\n')[0] ?? '');
const cut = (line: string): string => line.slice(0, MAX_LINE_CHARS).toWellFormed();

/** What SanBot says of an output stands before it. */
function linesOf(content: string, shown: Bilingual | undefined): readonly Bilingual[] {
  const lines = content.split('\n');
  const inChinese = shown?.zh.split('\n') ?? [];
  return lines.map((en, at) => ({ en, zh: inChinese[at] ?? en }));
}

/** How these ended, and what SanBot says of their output, stands in their first line. */
const COMMANDS: ReadonlySet<string> = new Set(['run_command', 'read_output', 'stop_command']);
