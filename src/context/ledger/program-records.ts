import { type Message, textOf } from '../../domain/session/message.ts';
import { messageText } from '../rules/message-text.ts';
import { failsPlainly } from './error-line.ts';
import type { ToolCall } from './types.ts';

type Recorded = Pick<ToolCall, 'tool' | 'kind' | 'paths' | 'command' | 'title' | 'input' | 'result' | 'failed'>;

const MAX_LINES = 2_000;

/**
 * Returns what another program did without a tool call, as it says in its own lines: an edit that it applied, a commit that it made or took
 * back, and the outcome of a command that the user ran through it.
 */
export function recordedCalls(message: Message, before: Message | undefined): readonly Recorded[] {
  if (message.origin !== 'notice' || message.notice !== undefined) return [];
  const text = textOf(message.content);
  const lines = text.split('\n', MAX_LINES).map((line) => line.slice(0, 400).trim());
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
