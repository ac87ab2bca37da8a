import { quoteLine } from '../text/quote.ts';
import { isBareStatus, showsSuccess } from './error-line.ts';
import type { ToolCall } from './types.ts';

const COMMAND_CHARS = 200;
const ERROR_CHARS = 420;

export type CommandFailure = { readonly command: string; readonly error: string };

/** Returns the outcomes of the calls; a later outcome of the same command replaces an earlier one. Calls that did not run are left out. */
export function outcomesOf(calls: readonly ToolCall[]) {
  const failures = new Map<string, CommandFailure[]>();
  const successes = new Map<string, CommandSuccess>();
  for (const call of calls) {
    if (!wasRun(call) || call.result === undefined || isEmptySearch(call)) continue;
    const command = commandText(call);
    const key = commandKey(command);
    if (call.failed) {
      const failure = { command, error: quoteLine(call.error ?? '', ERROR_CHARS) };
      const earlier = failures.get(key) ?? [];
      failures.set(key, [...earlier.filter(({ error }) => error !== failure.error), failure]);
      successes.delete(key);
      continue;
    }
    if (call.kind === 'run' && !showsSuccess(command, call.result)) continue;
    const after = (failures.get(key) ?? []).map(({ error }) => error);
    failures.delete(key);
    const before = successes.get(key);
    if (call.kind !== 'run' && after.length === 0) continue;
    if (call.kind === 'run' && after.length === 0 && before === undefined && isReadOnlyCommand(command)) continue;
    successes.set(key, { command, times: (before?.times ?? 0) + 1, after: [...(before?.after ?? []), ...after] });
  }
  return {
    /** Commands that still failed when last tried; one entry for each error that a command gave. */
    failed: [...failures.values()].flat(),
    /** Lines as `successText` writes them. */
    done: [...successes.values()].map(successText),
  };
}

/** False for a call that was denied, or stopped before it began. */
export const wasRun = ({ denied, stopped }: ToolCall): boolean => !denied && stopped !== 'before';

/** True for a search without a match: it ends like a failure but is not one. */
export const isEmptySearch = (call: ToolCall): boolean =>
  call.failed && isReadOnlyCommand(call.command ?? '') && isBareStatus(call.error ?? '');

/** The command itself, or the tool and what it was called with. */
export const commandText = (call: ToolCall): string => quoteLine(call.command ?? call.title, COMMAND_CHARS);

/** Returns the same key for two runs of one command that differ only in how their output is shown. */
export function commandKey(command: string): string {
  const core = command.replace(/^cd \S+ && /, '').replaceAll(' 2>&1', '');
  const pipe = / \| (?:tail|head|grep|cat|tee|less|wc|sed|sort)\b/.exec(core);
  return (pipe === null ? core : core.slice(0, pipe.index)).trim();
}

/** True for commands that only look at something; their success is not worth a line. */
export const isReadOnlyCommand = (command: string): boolean =>
  /^(?:cd \S+ && )?(?:ls|cat|head|tail|grep|rg|find|wc|echo|pwd|which|stat|file|tree|jq|du|df|env|date|sed -n|awk|git (?:status|log|diff|show|branch|rev-parse|remote|ls-files|blame|stash list)|gh (?:pr|issue|run|api) ?(?:view|list|diff|checks|repos)?)\b/.test(
    command,
  );

export type CommandSuccess = { readonly command: string; readonly times: number; readonly after: readonly string[] };

export function successText({ command, times, after }: CommandSuccess): string {
  const timesText = times === 1 ? '' : ` ${times} times`;
  return `\`${command}\` succeeded${timesText}${after.length === 0 ? '' : `, after: ${[...new Set(after)].join('; ')}`}`;
}

/** Reads back what `successText` wrote; undefined for any other line. */
export function parseSuccess(text: string): CommandSuccess | undefined {
  const middle = text.lastIndexOf('` succeeded');
  if (!text.startsWith('`') || middle < 1) return undefined;
  const rest = text.slice(middle + '` succeeded'.length);
  const after = rest.indexOf(', after: ');
  const times = Number(/^ (\d{1,9}) times/.exec(rest)?.[1] ?? 1);
  return { command: text.slice(1, middle), times, after: after === -1 ? [] : rest.slice(after + ', after: '.length).split('; ') };
}
