/**
 * The session log of Claude Code, one JSON object a line, in which a reply is spread over lines with one message id.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `user` | what the user typed; its results; with a refusal the words beside it |
 * | `user` with `isMeta`, or with the program's own tags in front | a notice |
 * | `assistant` | a reply; calls and signed thinking with it |
 * | `<system-reminder>` at the end of a result | cut off |
 * | `attachment` of a `queued_command`: typed while the model worked | what the user typed; a notice for a job in the background |
 * | lines of branches that do not end with the last message: rewound or edited | left out, counted |
 * | a line that came before, under the same `uuid` | once, as it was last, in its first place; the others counted |
 * | `isSidechain` or `parent_tool_use_id`: conversations of sub-agents, but in a file of theirs alone | left out, counted |
 * | `isCompactSummary`: what it stands for is all there | left out, counted |
 * | `<synthetic>` replies, error messages, lines about the program | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import { type Bilingual, localize } from '../../../domain/language.ts';
import type { RecordedResult } from '../../../domain/session/transcript.ts';
import { type Fields, isObject, parseJson } from '../../../domain/value/json.ts';
import { isOneOf } from '../../../domain/value/word-list.ts';
import { linesInTree } from './branch.ts';
import {
  anthropicReply,
  anthropicUser,
  linesOf,
  objectAt,
  objectLines,
  REWOUND,
  type Recording,
  recordedText,
  SIDE_CONVERSATION,
  stringAt,
  UNKNOWN,
} from './recorded-content.ts';

export function readClaudeCode(recording: Recording, collector: StepCollector): void {
  const hasMain = someLine(recording, (entry) => isMessage(entry) && !isHelpers(entry));
  const isMain = (entry: Fields): boolean => !hasMain || !isHelpers(entry);
  const { left, inOrder } = linesInTree(objectLines(recording), {
    isMain,
    begins: (entry) => isMessage(entry) && entry.type !== 'assistant' && entry.isCompactSummary !== true,
    isLeaf: isMessage,
    isAside: (entry) => !isMessage(entry) || isLocal(entry),
  });
  for (const entry of inOrder(objectLines(recording, collector))) {
    if (isMessage(entry) && left.has(stringAt(entry, 'uuid'))) collector.leaveOut(REWOUND);
    else if (isMessage(entry) && !isMain(entry)) collector.leaveOut(SIDE_CONVERSATION);
    else takeEntry(entry, collector);
  }
}

function someLine(recording: Recording, test: (entry: Fields) => boolean): boolean {
  for (const { text } of linesOf(recording)) {
    const entry = parseJson(text);
    if (isObject(entry) && test(entry)) return true;
  }
  return false;
}

/** In a file, and in what the program prints as it works. */
const isHelpers = (entry: Fields): boolean => entry.isSidechain === true || stringAt(entry, 'parent_tool_use_id') !== '';

const isMessage = (entry: Fields): boolean => entry.type === 'user' || entry.type === 'assistant' || isQueued(entry);
const isQueued = (entry: Fields): boolean => entry.type === 'attachment' && objectAt(entry, 'attachment').type === 'queued_command';

const isLocal = ({ type, isMeta, message }: Fields): boolean => {
  const content = isObject(message) ? message.content : undefined;
  return type === 'user' && (isMeta === true || (typeof content === 'string' && isAdded(content)));
};

function takeQueued({ prompt, commandMode }: Fields, collector: StepCollector): void {
  const text = recordedText(prompt, collector);
  ((commandMode === undefined || commandMode === 'prompt') && !isAdded(text) ? collector.user : collector.notice)(text);
}

function takeEntry(entry: Fields, collector: StepCollector): void {
  if (isQueued(entry)) {
    takeQueued(objectAt(entry, 'attachment'), collector);
    return;
  }
  const reason = reasonToLeaveOut(entry);
  if (reason !== undefined) {
    collector.leaveOut(reason);
    return;
  }
  collector.cwd(stringAt(entry, 'cwd'));
  const message = objectAt(entry, 'message');
  if (entry.type === 'user')
    anthropicUser(
      message.content,
      { ...collector, result: (result) => collector.result(withWords(withoutReminder(result), entry)) },
      (text) => {
        const isTyped = entry.isMeta !== true && !isAdded(text);
        (isTyped ? collector.user : collector.notice)(text);
      },
    );
  else if (message.model === '<synthetic>') collector.leaveOut({ en: 'synthetic reply', zh: '合成回答' });
  else collector.reply(anthropicReply(message.content, collector), stringAt(message, 'id') || stringAt(entry, 'uuid'));
}

/** What the program says to the model behind a result is no part of it, and stood at the end of most results of one recording. */
const withoutReminder = (result: RecordedResult): RecordedResult => {
  const content = result.content.replace(/\n{0,3}<system-reminder>(?:(?!<system-reminder>)[\s\S]){0,4000}<\/system-reminder>\s*$/, '');
  return content === '' ? result : { ...result, content };
};

/** The outcome of a call stands beside its text; where that was stripped from a recording, the program's own sentence has to do. */
function withWords(result: RecordedResult, { toolUseResult }: Fields): RecordedResult {
  const said = result.ok || !(toolUseResult === undefined || REJECTION.test(String(toolUseResult))) ? undefined : saidIn(result.content);
  return said === undefined ? result : { ...result, said: said.trim() };
}

const REJECTION = /^User rejected tool use$/;
const REJECTED = /^The user doesn't want to proceed with this tool use\. The tool use was rejected /;
const SAID = /^[^\n]{0,160}To tell you how to proceed, the user said:\n(\S[\s\S]{0,20000})$/;
const saidIn = (text: string): string | undefined => (REJECTED.test(text) ? SAID.exec(text.replace(REJECTED, ''))?.[1] : undefined);

function reasonToLeaveOut(entry: Fields): Bilingual | string | undefined {
  const type = stringAt(entry, 'type');
  if (type !== 'user' && type !== 'assistant') return [type || localize(UNKNOWN), stringAt(entry, 'subtype')].join(' ').trim();
  if (entry.isCompactSummary === true) return { en: 'summary by Claude Code', zh: 'Claude Code 的摘要' };
  return entry.isApiErrorMessage === true ? { en: 'error message', zh: '错误消息' } : undefined;
}

const isAdded = isOneOf(
  /^\s*<(?:command-|local-command-|bash-|system-reminder|task-notification)/,
  /^\s*(?:Base directory for this skill|\[Request interrupted|Caveat: The messages below)/,
);
