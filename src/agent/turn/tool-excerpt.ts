import { stopPhaseOf } from '../../context/history/stopped-call.ts';
import type { UnauditedEvent } from '../../domain/event.ts';
import type { Bilingual } from '../../domain/language.ts';
import { MCP_PREFIX } from '../../domain/session/called-tool.ts';
import type { ToolOutcome } from '../ports/tools.ts';

export type ToolExcerpt = Pick<Extract<UnauditedEvent, { readonly type: 'tool_output' }>, 'lines' | 'omitted' | 'from'>;

const MAX_LINES = 3;
const MAX_LINE_CHARS = 400;

/**
 * The lines of a result that a person sees below its call: the reason of a failure that its own line does not say, or what was found or printed, of commands the end of it.
 * None of what was read from a file, which stands there, and none of a call that was not allowed or was stopped.
 */
export function toolExcerpt(
  tool: string,
  { ok, denied, content, shown: why, note, source, readBack }: ToolOutcome & { readonly denied: boolean },
): ToolExcerpt | undefined {
  const isRead = ok && (source !== undefined || readBack === true);
  if (denied || isRead || stopPhaseOf(content) !== undefined) return undefined;
  const isCommand = COMMANDS.has(tool);
  const all = linesOf(content, isCommand ? why : undefined);
  // The first line of SanBot's own tools says how it ended, which the call's own line does too.
  const hasHead = isCommand || (ok && tool !== 'task' && !tool.startsWith(MCP_PREFIX));
  const lines = (hasHead ? all.slice(1) : all).filter(({ en }) => en.trim() !== '' && en !== '[no output]');
  // The call's own line says it.
  const isSaid = !ok && lines.length === 1 && lines[0]?.en.endsWith(`: ${note.en}`) === true;
  if (lines.length === 0 || isSaid) return undefined;
  if (why !== undefined && !isCommand) return { lines: reasonLines(why), omitted: 0, from: 'start' };
  const from = isCommand ? 'end' : 'start';
  const shown = from === 'end' ? lines.slice(-MAX_LINES) : lines.slice(0, MAX_LINES);
  return {
    lines: shown.map(({ en, zh }) => (en === zh ? cut(en) : { en: cut(en), zh: cut(zh) })),
    omitted: lines.length - shown.length,
    from,
  };
}

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

/** How a command ended stands in the last lines that it printed. */
const COMMANDS: ReadonlySet<string> = new Set(['run_command', 'read_output', 'stop_command']);
