import { quoteLine } from '../text/quote.ts';
import { cutAt } from '../text/sentences.ts';
import { findsNoError, isBareStatus, showsSuccess } from './error-line.ts';
import type { ToolCall } from './types.ts';

const COMMAND_CHARS = 200;
const ERROR_CHARS = 420;

export type CommandFailure = { readonly command: string; readonly error: string };

/**
 * Returns the outcomes of the calls; a later outcome of the same command replaces an earlier one, and so does one of another command that
 * shows the same: the whole test suite, or the commit that a merge ended in. Calls that did not run are left out, and slips that did no harm.
 */
export function outcomesOf(calls: readonly ToolCall[]) {
  const failures = new Map<string, CommandFailure[]>();
  const successes = new Map<string, CommandSuccess>();
  const commits = new Map<string, string>();
  const lastSuccess = calls.findLastIndex((call) => wasRun(call) && call.result !== undefined && !call.failed);
  for (const [at, call] of calls.entries()) {
    if (!wasRun(call) || call.result === undefined || isEmptySearch(call) || (isSlip(call) && at < lastSuccess)) continue;
    if (noteCommit(call, commits)) continue;
    const command = commandText(call);
    const key = commandKey(command);
    const hasWorked = !call.failed || findsNoError(call.command ?? '', call.result);
    if (!hasWorked) {
      const failure = { command, error: quoteLine(call.error ?? '', ERROR_CHARS) };
      const earlier = failures.get(key) ?? [];
      failures.set(key, [...earlier.filter(({ error }) => error !== failure.error), failure]);
      successes.delete(key);
      continue;
    }
    if (call.kind === 'run' && !call.failed && !showsSuccess(command, call.result)) continue;
    const solved = [...failures].filter(([failed]) => failed === key || (call.kind === 'run' && settlesFailure(command, failed)));
    const after = solved.flatMap(([failed, causes]) => causes.map((cause) => (failed === key ? cause.error : causeText(cause))));
    for (const [failed] of solved) failures.delete(failed);
    const before = successes.get(key);
    if (call.kind !== 'run' && after.length === 0) continue;
    if (call.kind === 'run' && after.length === 0 && before === undefined && isReadOnlyCommand(command)) continue;
    successes.set(key, { command, times: (before?.times ?? 0) + 1, after: [...(before?.after ?? []), ...after] });
  }
  return {
    /** Commands that still failed when last tried; one entry for each error that a command gave. */
    failed: [...failures.values()].flat(),
    /** Lines as `successText` writes them. */
    done: [...successes.values()].map(successText).concat(...commits.values()),
  };
}

/** A commit that another program told of stands as it was told, until it is removed. */
function noteCommit({ title, tool }: ToolCall, commits: Map<string, string>): boolean {
  const [, kind, hash] = tool === 'git' ? (/^(Commit|Removed:) ([0-9a-f]{7,40}) /.exec(title) ?? []) : [];
  if (kind === undefined || hash === undefined) return false;
  if (kind === 'Commit') commits.set(hash, quoteLine(title, COMMAND_CHARS));
  else if (!commits.delete(hash)) commits.set(hash, quoteLine(title, COMMAND_CHARS));
  return true;
}

/** The error of another command than the one that worked. */
export const causeText = ({ command, error }: CommandFailure): string => `\`${cutAt(command, 90)}\`: ${error}`;

/** True for a mistake in the use of a tool, or a look at what is not there: it changed nothing and the work went on. */
export const isSlip = ({ failed, kind, command, error }: ToolCall): boolean => {
  if (!failed) return false;
  if (kind === 'read' || kind === 'search' || kind === 'list') return true;
  if (command !== undefined) return isReadOnlyCommand(command);
  return MISUSE.test(error ?? '');
};

const MISUSE =
  /has not been read|read it first|(?:string|text) to replace|old_?(?:string|str|text)\b|(?:could not|did not|not) f(?:i|ou)nd (?:the )?(?:exact|string|text|match)|no match|found \d+ (?:matches|occurrences)|not unique|sibling tool call|no result of this call|has been modified since|invalid ?(?:tool )?(?:input|argument|parameter)/i;

/** What the run of a command shows, whatever it is called in a project. */
const PURPOSES: readonly (readonly [string, RegExp])[] = [
  [
    'test',
    /\b(?:go test|pytest|vitest|jest|mocha|cargo test|rspec|phpunit|(?:npm|pnpm|yarn|bun|mise|task|make|just|gradle|mvn|dotnet)(?: run)? \S{0,20}test\S{0,20})\b/,
  ],
  [
    'check',
    /\b(?:tsc|tsgo|eslint|biome|golangci-lint|go (?:build|vet)|cargo (?:check|build|clippy)|mypy|ruff|(?:npm|pnpm|yarn|bun|mise|task|make|just)(?: run)? \S{0,20}(?:lint|check|build|typecheck|compile|fmt|format)\S{0,20})\b/,
  ],
  ['merge', /\bgit (?:-C \S+ )?(?:merge|rebase|cherry-pick|pull|stash (?:pop|apply))\b/],
  ['push', /\bgit (?:-C \S+ )?push\b/],
  ['install', /\b(?:npm (?:i|ci|install)|pnpm (?:i|install)|yarn(?: install)?|pip3? install|brew install|apt(?:-get)? install)\b/],
];
const COMMITS = /\bgit (?:-C \S+ )?(?:commit|(?:merge|rebase|cherry-pick) --(?:continue|skip))\b/;

const purposesOf = (command: string): readonly string[] => PURPOSES.flatMap(([purpose, form]) => (form.test(command) ? [purpose] : []));

/** True when the success of a command shows that what another one failed at works by now. */
export function settlesFailure(success: string, failed: string): boolean {
  const wanted = purposesOf(failed);
  if (wanted.includes('merge') && (COMMITS.test(success) || /\bgit push\b/.test(success))) return true;
  const shown = purposesOf(success);
  if (wanted.length === 0 || !wanted.every((purpose) => shown.includes(purpose))) return false;
  const [covered, needed] = [targetsOf(success), targetsOf(failed)];
  return covered.length === 0 || covered.some((target) => needed.includes(target));
}

/** What a command is limited to: files, packages, names of tests. */
const targetsOf = (command: string): readonly string[] => {
  const words = commandKey(command)
    .split(/\s+/)
    .map((word) => word.replace(/["']/g, ''));
  return words.filter(
    (word, at) =>
      (/[\w*]\/[\w*]|\.\w{1,5}$/.test(word) && word !== './...') ||
      /^(?:-run|-t|-k|-p|--filter|--project|-w|--workspace|--prefix)$/.test(words[at - 1] ?? ''),
  );
};

/**
 * How a failure stands: it worked later, or failed again since. Undefined where the same command was not seen again: another that does the
 * same in other words may have worked, so nothing is said.
 */
export function stateOfFailure(calls: readonly ToolCall[], at: number): 'worked' | 'fails' | undefined {
  const failure = calls[at];
  if (failure === undefined) return undefined;
  const key = commandKey(commandText(failure));
  let state: 'worked' | 'fails' | undefined;
  for (const call of calls.slice(at + 1)) {
    if (!wasRun(call) || call.result === undefined) continue;
    const command = commandText(call);
    const isSame =
      commandKey(command) === key ||
      (call.kind === 'write' && failure.kind === 'write' && call.paths.some((path) => failure.paths.includes(path)));
    const hasWorked = !call.failed
      ? call.kind !== 'run' || showsSuccess(command, call.result)
      : findsNoError(call.command ?? '', call.result);
    if (hasWorked && (isSame || (call.kind === 'run' && settlesFailure(command, key)))) state = 'worked';
    else if (call.failed && isSame) state = 'fails';
  }
  return state;
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

/** Between two errors, which may have semicolons of their own. */
const CAUSES_END = ' ;; ';

export function successText({ command, times, after }: CommandSuccess): string {
  const timesText = times === 1 ? '' : ` ${times} times`;
  return `\`${command}\` succeeded${timesText}${after.length === 0 ? '' : `, after: ${[...new Set(after)].join(CAUSES_END)}`}`;
}

/** Reads back what `successText` wrote; undefined for any other line. */
export function parseSuccess(text: string): CommandSuccess | undefined {
  const middle = text.lastIndexOf('` succeeded');
  if (!text.startsWith('`') || middle < 1) return undefined;
  const rest = text.slice(middle + '` succeeded'.length);
  const after = rest.indexOf(', after: ');
  const times = Number(/^ (\d{1,9}) times/.exec(rest)?.[1] ?? 1);
  return { command: text.slice(1, middle), times, after: after === -1 ? [] : rest.slice(after + ', after: '.length).split(CAUSES_END) };
}
