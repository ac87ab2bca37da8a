import { isAbsolute, resolve } from 'node:path';
import { nameOfCall } from '../../domain/session/call-name.ts';
import { calledTool, MCP_PREFIX } from '../../domain/session/called-tool.ts';
import type { ToolUseBlock } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { safeLine, safeText } from '../../terminal/text/safe-text.ts';
import type { ToolCall, ToolCallContent, ToolKind } from './protocol.ts';

const kinds: Readonly<Record<string, ToolKind>> = {
  ...{ read_file: 'read', list_files: 'read', skill: 'read', search: 'search', recall: 'search', tool_search: 'search' },
  ...{ write_file: 'edit', edit_file: 'edit', run_command: 'execute', read_output: 'execute', stop_command: 'execute' },
  ...{ fetch_url: 'fetch', todo: 'think', task: 'think' },
};

/** How wide what is laid out for a terminal is. */
export const COLUMNS = 100;

/** Of what an editor gets of an input, a result or a file; the conversation has the rest. */
const MAX_CHARS = 20_000;
const MAX_INPUT_CHARS = 100_000;

/** A call as an editor shows it: what it is called, of which kind it is, where it is about, and what it was given. */
export function toolCallOf(block: ToolUseBlock, cwd: string): ToolCall {
  const { id, name, input } = calledTool(block);
  const fields = isObject(input) ? input : {};
  const path = isString(fields.path) ? pathIn(fields.path, cwd) : undefined;
  const line = typeof fields.offset === 'number' && name === 'read_file' ? { line: fields.offset } : {};
  return {
    ...{ toolCallId: id, name, title: safeLine(nameOfCall(name, input)), kind: kinds[name] ?? 'other' },
    ...(path !== undefined && !name.startsWith(MCP_PREFIX) && { locations: [{ path, ...line }] }),
    ...((JSON.stringify(input) ?? '').length <= MAX_INPUT_CHARS && { rawInput: input }),
  };
}

export const pathIn = (path: string, cwd: string): string => (isAbsolute(path) ? path : resolve(cwd, path));

/** What came of a call: output of commands as it was printed, the rest as text. */
export function resultContent(name: string, text: string): ToolCallContent[] {
  const shown = clipped(safeText(text));
  if (shown.trim() === '') return [];
  return [textContent(kinds[name] === 'execute' || kinds[name] === 'read' ? fenced(shown) : shown)];
}

export const textContent = (text: string): ToolCallContent => ({ type: 'content', content: { type: 'text', text } });

/** In a fence that nothing in the text closes. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Beginning and end. */
function clipped(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const half = MAX_CHARS / 2;
  return `${text.slice(0, half).toWellFormed()}\n…\n${text.slice(-half).toWellFormed()}`;
}

/** The places of a unified difference, each with what stood there and what stands there then. */
export function diffContents(path: string, unified: string): ToolCallContent[] {
  const hunks: { isNew: boolean; before: string[]; after: string[] }[] = [];
  for (const line of unified.split('\n')) {
    const [sign, rest] = [line[0], line.slice(1)];
    if (line.startsWith('@@')) hunks.push({ isNew: line.startsWith('@@ -0,0'), before: [], after: [] });
    else if (sign === '+' || sign === '-' || sign === ' ') {
      if (hunks.length === 0) hunks.push({ isNew: true, before: [], after: [] });
      const hunk = hunks.at(-1);
      if (sign !== '+') hunk?.before.push(rest);
      if (sign !== '-') hunk?.after.push(rest);
    }
  }
  const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
  return hunks.map(({ isNew, before, after }) => ({
    ...{ type: 'diff', path, newText: textOf(after) },
    ...(isNew && before.length === 0 ? {} : { oldText: textOf(before) }),
  }));
}

/** What an edit was to change, by its input alone: for calls of which no difference is kept. */
export function plannedDiff({ name, input }: ToolUseBlock, cwd: string): ToolCallContent[] {
  if (!isObject(input) || !isString(input.path)) return [];
  const path = pathIn(input.path, cwd);
  if (name === 'write_file' && isString(input.content)) return [{ type: 'diff', path, newText: clipped(input.content) }];
  if (name !== 'edit_file') return [];
  const edits: readonly unknown[] = Array.isArray(input.edits) ? input.edits : [input];
  return edits
    .filter(isObject)
    .flatMap(({ old_string: oldText, new_string: newText }): ToolCallContent[] =>
      isString(oldText) && isString(newText) ? [{ type: 'diff', path, oldText: clipped(oldText), newText: clipped(newText) }] : [],
    );
}
