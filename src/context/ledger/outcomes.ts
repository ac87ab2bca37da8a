import { quotedLine } from '../text/quote.ts';
import { isBareStatus } from './error-line.ts';
import type { ToolCall } from './types.ts';

const COMMAND_CHARS = 200;
const ERROR_CHARS = 420;

export type Failure = { readonly command: string; readonly error: string };

export type Outcomes = {
  /** Still failing when last tried; the same command once for each error it gave. */
  readonly failed: readonly Failure[];
  /** In the words of `success`. */
  readonly done: readonly string[];
};

/** What became of the calls, a later outcome of the same command replacing an earlier one. What did not run is left out. */
export function outcomesOf(calls: readonly ToolCall[]): Outcomes {
  const failures = new Map<string, Failure[]>();
  const successes = new Map<string, Success>();
  for (const call of calls) {
    if (!wasRun(call) || call.result === undefined || foundNothing(call)) continue;
    const command = shownCommand(call);
    const key = commandKey(command);
    if (call.failed) {
      const failure = { command, error: quotedLine(call.error ?? '', ERROR_CHARS) };
      const known = failures.get(key) ?? [];
      failures.set(key, [...known.filter(({ error }) => error !== failure.error), failure]);
      successes.delete(key);
      continue;
    }
    const after = (failures.get(key) ?? []).map(({ error }) => error);
    failures.delete(key);
    const before = successes.get(key);
    if (call.kind !== 'run' && after.length === 0) continue;
    if (call.kind === 'run' && after.length === 0 && before === undefined && isGlance(command)) continue;
    successes.set(key, { command, times: (before?.times ?? 0) + 1, after: [...(before?.after ?? []), ...after] });
  }
  return { failed: [...failures.values()].flat(), done: [...successes.values()].map(successText) };
}

/** False for what was not allowed and for what was stopped before it began. */
export const wasRun = ({ denied, stopped }: ToolCall): boolean => !denied && stopped !== 'before';

/** A search without a match ends like a failure and is none. */
export const foundNothing = (call: ToolCall): boolean => call.failed && isGlance(call.command ?? '') && isBareStatus(call.error ?? '');

/** The command itself, or the tool and what it was called with. */
export const shownCommand = (call: ToolCall): string => quotedLine(call.command ?? call.title, COMMAND_CHARS);

/** The same for two runs of one command that only differ in how their output is shown. */
export function commandKey(command: string): string {
  const own = command.replace(/^cd \S+ && /, '').replaceAll(' 2>&1', '');
  const pipe = / \| (?:tail|head|grep|cat|tee|less|wc|sed|sort)\b/.exec(own);
  return (pipe === null ? own : own.slice(0, pipe.index)).trim();
}

/** Commands that only look at something; that they worked is not worth a line. */
export const isGlance = (command: string): boolean =>
  /^(?:cd \S+ && )?(?:ls|cat|head|tail|grep|rg|find|wc|echo|pwd|which|stat|file|tree|jq|du|df|env|date|sed -n|awk|git (?:status|log|diff|show|branch|rev-parse|remote|ls-files|blame|stash list)|gh (?:pr|issue|run|api) ?(?:view|list|diff|checks|repos)?)\b/.test(
    command,
  );

export type Success = { readonly command: string; readonly times: number; readonly after: readonly string[] };

export function successText({ command, times, after }: Success): string {
  const often = times === 1 ? '' : ` ${times} times`;
  return `\`${command}\` succeeded${often}${after.length === 0 ? '' : `, after: ${[...new Set(after)].join('; ')}`}`;
}

/** Reads back what `successText` wrote; undefined for any other line. */
export function readSuccess(text: string): Success | undefined {
  const middle = text.lastIndexOf('` succeeded');
  if (!text.startsWith('`') || middle < 1) return undefined;
  const rest = text.slice(middle + '` succeeded'.length);
  const after = rest.indexOf(', after: ');
  const times = Number(/^ (\d{1,9}) times/.exec(rest)?.[1] ?? 1);
  return { command: text.slice(1, middle), times, after: after === -1 ? [] : rest.slice(after + ', after: '.length).split('; ') };
}
