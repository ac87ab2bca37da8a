import type { RecordedResult } from '../../domain/session/transcript.ts';
import { isObject } from '../../domain/value/json.ts';
import { isOneOf } from '../../domain/value/word-list.ts';

/** Returns the command that a call runs, if any. */
export function commandOf(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  const command = input.command ?? input.cmd ?? input.script;
  if (Array.isArray(command)) return command.filter((word) => typeof word === 'string').join(' ');
  return typeof command === 'string' && !('path' in input) && command.trim() !== '' ? command : undefined;
}

const CHANGES = /write|edit|creat|patch|replace|insert|append/i;
const NO_FILE = /todo|plan|memory|note(?!book)/i;
const PATH_FIELDS = ['file_path', 'path', 'filename', 'file', 'notebook_path', 'target_file', 'filePath', 'absolute_path'];

/** Returns the files that a call changes, as its arguments name them. */
export function pathsChangedBy(tool: string, input: unknown): readonly string[] {
  if (!isObject(input) || !CHANGES.test(tool) || NO_FILE.test(tool) || input.command === 'view') return [];
  const fieldPaths = PATH_FIELDS.map((field) => input[field]).filter(
    (path): path is string => typeof path === 'string' && path.trim() !== '',
  );
  const inPatch = Object.values(input)
    .filter((value) => typeof value === 'string')
    .flatMap((value) => [...value.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path]) => (path ?? '').trim()));
  return [...new Set([...fieldPaths.slice(0, 1), ...inPatch])].filter((path) => path.length <= 300 && !path.includes('\n'));
}

const isRefused = isOneOf(
  /^\s*(?:the user|user) (?:doesn|did not|didn|rejected|declined|denied)/i,
  /operation was (?:rejected|cancelled)|interrupted by user/i,
);
const endsBadly = isOneOf(
  /\bexit(?:ed with)?(?: code| status)?:? [1-9]\d*\b/i,
  /^Traceback \(most recent call last\)|: command not found$/im,
);

export const hasFailed = ({ ok, content }: RecordedResult): boolean =>
  (!ok || endsBadly(content.slice(0, 100_000))) && !isRefused(content.slice(0, 300));

const namesFault = isOneOf(
  /\b(?:errors?|fail|failed|failure|fails|fatal|exception|panic|panicked|aborted|timed out)\b/i,
  /\b(?:cannot|can't|unable|undefined|not found|no such|denied)\b/i,
  /\b(?:refused|invalid|unexpected|missing)\b/i,
  /\w(?:Error|Exception)\b|[✗✖]/i,
);
const SAYS_NOTHING = /^(?:exit code:? \d+|error:?|traceback \(most recent call last\):?|\[?error\]?)$/i;
/** What a debugger that is attached prints beside the output of every command. */
const DEBUGGER = /js-debug bootloader|^Waiting for the debugger/;
const LINE_CHARS = 120;

/** A look at what is not there changed nothing: nobody has to remember it. */
const ONLY_LOOKS = /^\s*(?:cd \S+ && )?(?:ls|cat|grep|rg|find|head|tail|wc|stat|which|sed -n)\b[^&;]*$/;

export const onlyLooks = (command: string): boolean => ONLY_LOOKS.test(command.slice(0, 1_000));

/** Returns the first line that names the fault, at most 120 characters of it; undefined when none does. */
export function firstErrorLine(output: string): string | undefined {
  const lines = output
    .slice(0, 200_000)
    .split('\n')
    .map((line) => line.trim());
  const first = lines.find(
    (line) => line.length >= 10 && !DEBUGGER.test(line) && line.length <= 2_000 && namesFault(line) && !SAYS_NOTHING.test(line),
  );
  return first?.slice(0, LINE_CHARS).trim();
}
