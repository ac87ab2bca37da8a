import { unique } from '../../domain/lists.ts';
import { cutAt, quoteLine } from '../text/sentences.ts';
import { findsNoError, isBareStatus, showsSuccess } from './error-line.ts';
import { isSameProgram, workOf } from './files/shell-files.ts';
import type { ToolCall } from './types.ts';

const COMMAND_CHARS = 200;
const ERROR_CHARS = 420;

export type CommandFailure = { readonly command: string; readonly error: string };

/** A later outcome of the same command replaces an earlier one, and so does one of another command that shows the same. */
export function outcomesOf(calls: readonly ToolCall[]) {
  const failures = new Map<string, CommandFailure[]>();
  const successes = new Map<string, CommandSuccess>();
  const commits = new Map<string, string>();
  const chains = chainedChecks();
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
      chains.failed(key);
      continue;
    }
    if (call.kind === 'run' && !call.failed && !showsSuccess(call.command ?? command, call.result)) continue;
    chains.worked(key, failures);
    const solves = (failed: string): boolean => failed === key || settlesFailure(command, failed) || chains.haveWorked(failed);
    const solved = [...failures].filter(([failed]) => (call.kind === 'run' ? solves(failed) : failed === key));
    const after = solved.flatMap(([failed, causes]) => causes.map((cause) => (failed === key ? cause.error : causeText(cause))));
    for (const [failed] of solved) failures.delete(failed);
    const before = successes.get(key);
    if (call.kind !== 'run' && after.length === 0) continue;
    if (call.kind === 'run' && after.length === 0 && before === undefined && isReadOnlyCommand(command)) continue;
    successes.set(key, { command, times: (before?.times ?? 0) + 1, after: [...(before?.after ?? []), ...after] });
  }
  return {
    failed: [...failures.values()].flat(),
    done: [...successes.values()].map(successText).concat(...commits.values()),
  };
}

/** `npm test && npm run lint` works too where each of the two has worked since. */
function chainedChecks() {
  const workedSince = new Map<string, Set<string>>();
  return {
    failed: (key: string): void => {
      workedSince.delete(key);
      for (const worked of workedSince.values()) worked.delete(key);
    },
    worked: (key: string, failures: ReadonlyMap<string, unknown>): void => {
      for (const chain of failures.keys())
        if (checksIn(chain).includes(key)) workedSince.set(chain, (workedSince.get(chain) ?? new Set()).add(key));
    },
    haveWorked: (chain: string): boolean => workedSince.get(chain)?.size === new Set(checksIn(chain)).size,
  };
}

export const checksIn = (command: string): readonly string[] =>
  command.includes(' && ') ? command.split(' && ').filter(isCheck).map(commandKey) : [];

/** A commit that another program told of stands as it was told, until it is removed. */
function noteCommit({ title, tool }: ToolCall, commits: Map<string, string>): boolean {
  const [, kind, hash] = tool === 'git' ? (/^(Commit|Removed:) ([0-9a-f]{7,40}) /.exec(title) ?? []) : [];
  if (kind === undefined || hash === undefined) return false;
  if (kind === 'Commit') commits.set(hash, quoteLine(title, COMMAND_CHARS));
  else if (!commits.delete(hash)) commits.set(hash, quoteLine(title, COMMAND_CHARS));
  return true;
}

export const causeText = ({ command, error }: CommandFailure): string => `\`${cutAt(command, 90)}\`: ${error}`;

/** True for a mistake in the use of a tool, or a look at what is not there: it changed nothing and the work went on. */
export const isSlip = ({ failed, kind, command, error, result }: ToolCall): boolean => {
  if (!failed) return false;
  if (kind === 'read' || kind === 'search' || kind === 'list') return true;
  if (command !== undefined) return isReadOnlyCommand(command);
  return isMisuse({ error, result });
};

/** True for a call that could not be made as it was put. What it was to write stands behind the reason, and its words are no error. */
export const isMisuse = ({ error = '', result = '' }: Pick<ToolCall, 'error' | 'result'>): boolean =>
  MISUSE.some((pattern) => pattern.test(error)) ||
  MISUSE.some((pattern) => pattern.test(result.trimStart().slice(0, REASON_CHARS).split('\n', 1)[0] ?? ''));

const REASON_CHARS = 400;

const MISUSE = [
  /has not been read|read it first|(?:string|text) to replace|old_?(?:string|str|text)\b/i,
  /(?:could not|did not|not) f(?:i|ou)nd (?:the )?(?:exact|string|text|match)|no match/i,
  /found \d+ (?:matches|occurrences)|not unique|sibling tool call|no result of this call/i,
  /has been modified since|invalid ?(?:tool )?(?:input|argument|parameter)/i,
  /(?:未|没有?|无法)(?:找到|匹配到?)[^，。]{0,12}(?:原文|文本|内容|字符串|片段|替换)|(?:找不到|不存在)[^，。]{0,12}(?:原文|文本|字符串|片段)/i,
  /(?:文本|原文|内容|字符串|片段)[^，。]{0,12}(?:不唯一|找不到|不存在|未找到|不匹配|出现了? ?\d+ ?次)|(?:尚未|还没有?|请?先)读取/i,
  /(?:参数|输入)(?:无效|错误|不合法)/i,
];

const anyOf = (words: string): string => `(?:${words.split(',').join('|')})`;
const RUNS = `${anyOf('npm,pnpm,yarn,bun,mise,task,make,just,gradle,mvn,dotnet')}(?: run)?`;
const CHECKERS = 'tsc,tsgo,eslint,biome,golangci-lint,go build,go vet,cargo check,cargo build,cargo clippy,mypy,ruff';
const PURPOSES: readonly (readonly [string, RegExp])[] = [
  ['test', new RegExp(`\\b(?:${anyOf('go test,pytest,vitest,jest,mocha,cargo test,rspec,phpunit')}|${RUNS} \\S{0,20}test\\S{0,20})\\b`)],
  ['check', new RegExp(`\\b(?:${anyOf(CHECKERS)}|${RUNS} \\S{0,20}${anyOf('lint,check,build,typecheck,compile,fmt,format')}\\S{0,20})\\b`)],
  ['merge', /\bgit (?:-C \S+ )?(?:merge|rebase|cherry-pick|pull|stash (?:pop|apply))\b/],
  ['push', /\bgit (?:-C \S+ )?push\b/],
  ['install', /\b(?:npm (?:i|ci)|pnpm i|yarn|(?:p?npm|pip3?|brew|apt(?:-get)?) install)\b/],
];
const COMMITS = /\bgit (?:-C \S+ )?(?:commit|(?:merge|rebase|cherry-pick) --(?:continue|skip))\b/;

const purposesOf = (command: string): readonly string[] => PURPOSES.flatMap(([purpose, form]) => (form.test(command) ? [purpose] : []));

export const isCheck = (command: string): boolean => purposesOf(command).some((purpose) => purpose === 'test' || purpose === 'check');

export function settlesFailure(success: string, failed: string): boolean {
  const wanted = purposesOf(failed);
  if (wanted.includes('merge') && (COMMITS.test(success) || /\bgit push\b/.test(success))) return true;
  if (!isSameProgram(commandKey(success), commandKey(failed))) return false;
  const shown = purposesOf(success);
  if (wanted.length === 0 || !wanted.every((purpose) => shown.includes(purpose))) return false;
  if (wanted.some((purpose) => purpose === 'check' || purpose === 'install') && !namesAsMuch(success, failed)) return false;
  const [covered, needed] = [targetsOf(success), targetsOf(failed)];
  return covered.length === 0 || covered.some((target) => needed.includes(target));
}

/** `npm run build` is not `npm run lint`, and one package is not another. */
function namesAsMuch(success: string, failed: string): boolean {
  const [shown, wanted] = [success, failed].map((command) => workOf(commandKey(command)).subjects);
  return (shown ?? []).every((subject) => isTarget(subject) || wanted?.includes(subject));
}

const targetsOf = (command: string): readonly string[] => {
  const words = commandKey(command)
    .split(/\s+/)
    .map((word) => word.replace(/["']/g, ''));
  return words.filter(
    (word, at) => isTarget(word) || /^(?:-run|-t|-k|-p|--filter|--project|-w|--workspace|--prefix)$/.test(words[at - 1] ?? ''),
  );
};

const isTarget = (word: string): boolean => /[\w*]\/[\w*]|\.\w{1,5}$/.test(word) && word !== './...';

/** Whether a failed call worked later, or failed again in the same way since; with the files that were edited before it worked. */
export type FailureState = { readonly state: 'worked' | 'fails' | undefined; readonly edited: readonly string[] };

/** Without a state where the command was not seen again: another that does the same in other words may have worked. */
export function stateSince(
  calls: readonly ToolCall[],
  failure: Pick<ToolCall, 'command' | 'title' | 'kind' | 'paths' | 'error'>,
): FailureState {
  const key = commandKey(commandText(failure));
  let state: FailureState['state'];
  let edited: string[] = [];
  for (const call of calls) {
    if (!wasRun(call) || call.result === undefined) continue;
    const command = commandText(call);
    const isSame =
      commandKey(command) === key ||
      (call.kind === 'write' && failure.kind === 'write' && call.paths.some((path) => failure.paths.includes(path)));
    if (hasWorked(call) && (isSame || (call.kind === 'run' && settlesFailure(command, key)))) state = 'worked';
    else if (call.failed && isSame && (state !== 'worked' || failure.error === undefined || call.error === failure.error)) {
      if (state === 'worked') edited = [];
      state = 'fails';
    } else if (state !== 'worked' && isEdit(call)) edited.push(...call.paths.filter(isOfWork));
  }
  return { state, edited: unique(edited) };
}

/** A command that plainly writes a file edits it too; one that tests, builds or commits does not, whatever it prints into a file. */
export const isEdit = ({ kind, failed, paths, command = '' }: ToolCall): boolean =>
  !failed && paths.some(isOfWork) && (kind === 'write' || (kind === 'run' && !/\bgit\b/.test(command) && !isCheck(command)));

export const isOfWork = (path: string): boolean => !/^(?:\/private)?\/tmp\//.test(path);

export const hasWorked = ({ failed, kind, command, title, result = '' }: ToolCall): boolean =>
  failed ? findsNoError(command ?? '', result) : kind !== 'run' || showsSuccess(command ?? title, result);

export const wasRun = ({ denied, stopped }: ToolCall): boolean => !denied && stopped !== 'before';

/** True for a search without a match: it ends like a failure but is not one. */
export const isEmptySearch = (call: ToolCall): boolean =>
  call.failed && isReadOnlyCommand(call.command ?? '') && isBareStatus(call.error ?? '');

export const commandText = (call: Pick<ToolCall, 'command' | 'title'>): string => quoteLine(call.command ?? call.title, COMMAND_CHARS);

/** Returns the same key for two runs of one command that differ only in how their output is shown. */
export function commandKey(command: string): string {
  const core = command.replace(/^cd \S+ && /, '').replaceAll(' 2>&1', '');
  const pipe = / \| (?:tail|head|grep|cat|tee|less|wc|sed|sort)\b/.exec(core);
  return (pipe === null ? core : core.slice(0, pipe.index)).trim();
}

export const isReadOnlyCommand = (command: string): boolean => READ_ONLY.test(command);

const READ_ONLY = new RegExp(
  `^(?:cd \\S+ && )?(?:${[
    anyOf('ls,cat,head,tail,grep,rg,find,wc,echo,pwd,which,stat,file,tree,jq,du,df,env,date,sed -n,awk'),
    `git ${anyOf('status,log,diff,show,branch,rev-parse,remote,ls-files,blame,stash list')}`,
    `gh ${anyOf('pr,issue,run,repo,release,workflow')} ${anyOf('view,list,diff,checks,status,watch')}`,
    // A field makes it a POST.
    'gh api(?!.* (?:(?:-X|--method)(?![ =]?GET)|-[fF]|--(?:raw-)?field|--input))',
  ].join('|')})\\b`,
);

export type CommandSuccess = { readonly command: string; readonly times: number; readonly after: readonly string[] };

/** Between two errors, which may have semicolons of their own. */
const CAUSES_END = ' ;; ';

export function successText({ command, times, after }: CommandSuccess): string {
  const timesText = times === 1 ? '' : ` ${times} times`;
  return `\`${command}\` succeeded${timesText}${after.length === 0 ? '' : `, after: ${[...new Set(after)].join(CAUSES_END)}`}`;
}

export function parseSuccess(text: string): CommandSuccess | undefined {
  const middle = text.lastIndexOf('` succeeded');
  if (!text.startsWith('`') || middle < 1) return undefined;
  const rest = text.slice(middle + '` succeeded'.length);
  const after = rest.indexOf(', after: ');
  const times = Number(/^ (\d{1,9}) times/.exec(rest)?.[1] ?? 1);
  return { command: text.slice(1, middle), times, after: after === -1 ? [] : rest.slice(after + ', after: '.length).split(CAUSES_END) };
}
