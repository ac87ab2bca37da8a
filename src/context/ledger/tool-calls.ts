import { calledTool } from '../../domain/session/called-tool.ts';
import {
  changedByCall,
  isToolResult,
  isToolUse,
  type Message,
  type ReadBody,
  ranInputOf,
  resultText,
  storedResult,
  stubOf,
  textOf,
} from '../../domain/session/message.ts';
import { stopPhaseOf } from '../history/pairing.ts';
import { oneLine } from '../text/sentences.ts';
import { errorLine, failsPlainly, isFailure } from './error-line.ts';
import { messageText } from './exchange/exchanges.ts';
import { filesInPatch, filesWrittenBy } from './files/shell-files.ts';
import { isReadOnlyCommand } from './outcomes.ts';
import type { CallKind, ToolCall } from './types.ts';

const TITLE_CHARS = 160;

/** Returns the calls in order, each with its own result. Results whose call is not among the messages are left out. */
export function toolCalls(messages: readonly Message[], bodyOf: ReadBody): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  const open = new Map<string, number>();
  messages.forEach((message, index) => {
    for (const recorded of recordedCalls(message, messages[index - 1])) {
      const error = recorded.failed ? errorLine(recorded.result ?? '') : undefined;
      calls.push({ ...noResult, ...recorded, error, messageId: message.id, at: message.at, index });
    }
    for (const block of message.content) {
      if (isToolUse(block)) {
        open.set(block.id, calls.length);
        const { name, input } = calledTool(block);
        calls.push({ ...readCall(String(name), input), ...noResult, messageId: message.id, at: message.at, index });
      } else if (isToolResult(block)) {
        const callIndex = open.get(block.tool_use_id);
        const call = callIndex === undefined ? undefined : calls[callIndex];
        if (callIndex === undefined || call === undefined) continue;
        open.delete(block.tool_use_id);
        const result = storedResult(message, block, bodyOf) ?? resultText(block);
        const ran = ranInputOf(message, block.tool_use_id);
        const made = ran === undefined ? call : { ...call, ...readCall(call.tool, ran.input) };
        const outcome = outcomeOf(result, made.command, block.is_error === true);
        const changed = changedByCall(message, block.tool_use_id);
        calls[callIndex] = { ...made, ...outcome, changed, body: stubOf(message, block)?.body };
      }
    }
  });
  return calls;
}

const noResult = {
  result: undefined,
  changed: undefined,
  failed: false,
  denied: false,
  stopped: undefined,
  error: undefined,
  body: undefined,
};

function outcomeOf(result: string, command: string | undefined, isError: boolean) {
  const denied = isError && DENIED.some((pattern) => pattern.test(result.slice(0, 200)));
  const stopped = isError ? stopPhaseOf(result) : undefined;
  if (denied || stopped === 'before') return { result, failed: false, denied, stopped, error: undefined };
  const hasFailed = isFailure(result, { isError, command: command !== undefined && isReadOnlyCommand(command) ? undefined : command });
  return { result, failed: hasFailed, denied, stopped, error: hasFailed ? errorLine(result) : undefined };
}

const DENIED = [
  /^(?:the )?user (?:doesn.t want|denied|declined|rejected|refused|did not allow)|^denied\b/i,
  /^not allowed\b|^permission denied by/i,
  /\bwas (?:denied|not allowed|rejected) by (?:the )?(?:user|a rule)/i,
];

type CallDetails = Pick<ToolCall, 'tool' | 'kind' | 'paths' | 'command' | 'title' | 'input'>;

function readCall(tool: string, input: unknown): CallDetails {
  const fields = fieldsOf(input);
  const command = commandOf(fields);
  const kind = kindOf(tool, fields, command);
  const shellCommand = kind === 'run' ? command : undefined;
  const paths = kind === 'run' ? filesWrittenBy(command ?? '') : pathsOf(fields, kind);
  const searched = kind === 'search' ? stringAt(fields, ['pattern', 'query', 'regex']) : undefined;
  const place = searched === undefined || paths[0] === undefined ? '' : ` in ${paths[0]}`;
  const subject =
    shellCommand ??
    (searched === undefined ? undefined : `${searched}${place}`) ??
    paths[0] ??
    stringAt(fields, ['pattern', 'query', 'url', 'description', 'prompt', 'name']) ??
    '';
  return { tool, kind, paths, command: shellCommand, title: oneLine(`${tool} ${subject}`, TITLE_CHARS), input };
}

type Fields = ReadonlyMap<string, unknown>;

const fieldsOf = (input: unknown): Fields =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
    ? new Map(Object.entries(input))
    : new Map(typeof input === 'string' ? [['input', input]] : []);

const stringAt = (fields: Fields, keys: readonly string[]): string | undefined =>
  keys.map((key) => fields.get(key)).find((value): value is string => typeof value === 'string' && value.trim() !== '');

function commandOf(fields: Fields): string | undefined {
  const value = fields.get('command') ?? fields.get('cmd') ?? fields.get('script');
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (!Array.isArray(value)) return undefined;
  const words = value.filter((word): word is string => typeof word === 'string');
  const shell = words.length === 3 && /^-\w*c$/.test(words[1] ?? '');
  return shell ? words[2] : words.length === 0 ? undefined : words.join(' ');
}

const PATH_KEYS = ['path', 'file_path', 'filePath', 'filename', 'file', 'notebook_path', 'target_file', 'absolute_path', 'new_path'];

const MAX_PATH_CHARS = 1_000;

function pathsOf(fields: Fields, kind: CallKind): readonly string[] {
  if (kind === 'todo') return [];
  if (kind === 'fetch') return [stringAt(fields, ['url']) ?? ''].filter((url) => /^https?:\/\/\S{1,1000}$/.test(url));
  const mainPath = stringAt(fields, PATH_KEYS);
  const patch = stringAt(fields, ['patch', 'input', 'diff']) ?? '';
  const patchPaths = kind === 'write' && patch.includes('*** ') ? filesInPatch(patch) : [];
  return [...new Set([...(mainPath === undefined ? [] : [mainPath.trim()]), ...patchPaths])].filter(
    (path) => path.length <= MAX_PATH_CHARS && !/[\0\n]/.test(path),
  );
}

const namesIn = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));
const TOOL_NAMES: Readonly<Record<Exclude<CallKind, 'other'>, ReadonlySet<string>>> = {
  read: namesIn('read readfile view viewfile cat open openfile notebookread readnotebook fileread'),
  write: namesIn(`write writefile create createfile edit editfile multiedit notebookedit strreplace replace applypatch patch insert fileedit
    filewrite delete deletefile rename renamefile move movefile`),
  run: namesIn(`run runcommand bash shell exec execcommand execute executebash executecommand runshellcommand runinterminal terminal localshell
    localshellcall containerexec powershell`),
  search: namesIn('search grep ripgrep searchfiles searchfilecontent findfile searchdir codebasesearch'),
  list: namesIn('list ls listfiles listdir listdirectory glob find'),
  todo: namesIn('todo todowrite updateplan'),
  fetch: namesIn('fetchurl fetch webfetch readurl browse openurl'),
};

/** Decides by the tool's name; for unknown names, by parts of the name and the fields of the call. */
function kindOf(tool: string, fields: Fields, command: string | undefined): CallKind {
  const start = tool.slice(0, 100).toLowerCase();
  const name = start.replace(/[^a-z]/g, '');
  if (name.startsWith('strreplace') && name !== 'strreplace') return command === 'view' ? 'read' : 'write';
  for (const kind of ['read', 'write', 'run', 'search', 'list', 'todo', 'fetch'] as const) if (TOOL_NAMES[kind].has(name)) return kind;
  if (command !== undefined) return 'run';
  if (stringAt(fields, PATH_KEYS) === undefined) return 'other';
  if (/write|edit|create|patch|replace|delete|rename/.test(name)) return 'write';
  return /read|view|open/.test(name) ? 'read' : 'other';
}

type Recorded = Pick<ToolCall, 'tool' | 'kind' | 'paths' | 'command' | 'title' | 'input' | 'result' | 'failed'>;

/** What another program did without a tool call, as its own lines say: an edit, a commit, a command that the user ran through it. */
function recordedCalls(message: Message, before: Message | undefined): readonly Recorded[] {
  if (message.origin !== 'notice' || message.notice !== undefined) return [];
  const text = textOf(message.content);
  const lines = text.split('\n', 2_000).map((line) => line.slice(0, 400).trim());
  const command = before?.origin === 'user' ? RUN_BY_USER.exec(messageText(before).trim())?.[1] : undefined;
  return [...(command === undefined ? [] : [recordedRun(command, text)]), ...lines.flatMap(recordedCall)];
}

const RUN_BY_USER = /^\/(?:test|run)\s+(\S[^\n]{0,300})$/;

function recordedCall(line: string): readonly Recorded[] {
  const edited = /^Applied edit to (\S.{0,300})$/.exec(line)?.[1];
  const base = { command: undefined, result: line, failed: false };
  if (edited !== undefined) return [{ ...base, tool: 'edit', kind: 'write', paths: [edited], title: line, input: { path: edited } }];
  const isCommit = /^(?:Commit|Removed:) [0-9a-f]{7,40} \S/.test(line);
  return isCommit ? [{ ...base, tool: 'git', kind: 'run', paths: [], title: line, input: {} }] : [];
}

const recordedRun = (command: string, result: string): Recorded => ({
  ...{ tool: 'run', kind: 'run', paths: [], command, title: command, input: { command }, result },
  failed: failsPlainly(result),
});
