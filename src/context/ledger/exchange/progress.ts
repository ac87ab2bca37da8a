import { unique } from '../../../domain/lists.ts';
import type { Ledger, Progress } from '../../../domain/session/ledger.ts';
import type { Message } from '../../../domain/session/message.ts';
import { restatesDecision } from '../../rules/supersede.ts';
import { asksToKnow, isQuestion } from '../../sentence/asks.ts';
import { saysAllIsDone, saysNotDone } from '../../sentence/forms-open.ts';
import { isAnnouncement, isSelfTalk, statesDone } from '../../sentence/work.ts';
import type { SummaryWords } from '../../summary/fit-sections.ts';
import { passagesOf } from '../../text/passages.ts';
import { oneLine, quoteLine, sentencesOf } from '../../text/sentences.ts';
import { commandKey, commandText, hasWorked, isCheck, isEdit, isOfWork, isReadOnlyCommand, wasRun } from '../outcomes.ts';
import type { ToolCall } from '../types.ts';
import { callsIn, type Exchange, exchangesBefore, messageText } from './exchanges.ts';

const MAX_FILES = 12;
const MAX_COMMANDS = 6;
const COMMAND_CHARS = 90;
const NEXT_CHARS = 240;
const NOTHING: Progress = { files: [], worked: [], failed: [] };

type ProgressSources = { readonly calls: readonly ToolCall[]; readonly after: readonly Message[] };

/** What was done for a newest request that is not finished. A turn that an earlier compaction divided goes on with what was known. */
export function progressIn(
  { progress: earlier }: Pick<Ledger, 'progress'>,
  messages: readonly Message[],
  { calls, after }: ProgressSources,
): Progress | undefined {
  const exchanges = exchangesBefore(messages, after);
  const newest = exchanges.at(-1);
  if (newest === undefined || newest.closed || newest.stopped) return undefined;
  const own = callsIn(exchanges, exchanges.length - 1, calls).filter((call) => wasRun(call) && call.result !== undefined);
  const before = exchanges.length === 1 ? (earlier ?? NOTHING) : NOTHING;
  const next = nextStep(messages.slice(newest.from), after);
  return {
    files: unique([...before.files, ...own.filter(isEdit).flatMap(({ paths }) => paths.filter(isOfWork))].toReversed())
      .slice(0, MAX_FILES)
      .toReversed(),
    ...outcomes(before, own),
    ...(next === undefined ? {} : { next }),
  };
}

function outcomes(before: Progress, calls: readonly ToolCall[]): Pick<Progress, 'worked' | 'failed'> {
  const last = new Map([
    ...before.worked.map((command) => [command, true] as const),
    ...before.failed.map((command) => [command, false] as const),
  ]);
  for (const call of calls) {
    if (call.kind !== 'run' || isReadOnlyCommand(call.command ?? '')) continue;
    const command = quoteLine(oneLine(commandKey(commandText(call)), COMMAND_CHARS), COMMAND_CHARS);
    last.delete(command);
    if (call.failed || hasWorked(call)) last.set(command, hasWorked(call));
  }
  const ended = (well: boolean): string[] =>
    [...last].flatMap(([command, worked]) => (worked === well ? [command] : [])).slice(-MAX_COMMANDS);
  return { worked: ended(true), failed: ended(false) };
}

/** What the model last said it would do. Where it has said more in the messages that stay, that is in its own place. */
function nextStep(messages: readonly Message[], after: readonly Message[]): string | undefined {
  const says = (message: Message): boolean => message.origin === 'model' && messageText(message).trim() !== '';
  if (after.some(says)) return undefined;
  const last = messages.findLast(says);
  if (last === undefined) return undefined;
  const sentence = sentencesOf(messageText(last)).findLast((text) => isAnnouncement(text) || isSelfTalk(text));
  return sentence === undefined ? undefined : quoteLine(sentence, NEXT_CHARS);
}

export type RequestContext = {
  readonly words: SummaryWords;
  readonly calls: readonly ToolCall[];
  readonly isUndone: boolean;
  readonly isDisputed?: boolean;
  readonly overruled?: readonly string[];
};

export function stateOf(
  { request, closed, ended, stopped, replies }: Exchange,
  { words, calls, isUndone, isDisputed, overruled = [] }: RequestContext,
): string {
  if (isUndone) return words.undone;
  if (!closed) return words.unfinished;
  if (stopped) return words.stopped;
  if (restatesDecision(request, overruled)) return words.overruled;
  if (isDisputed) return words.disputed;
  const isAnswered = replies.length > 0 && (isQuestion(request) || /[?？]/.test(request));
  if (ended && isAnswered && !calls.some(leavesSomething) && asksToKnow(sentencesOf(request).at(-1) ?? '')) return words.answered;
  if (calls.some((call) => wasRun(call) && !call.failed && call.result !== undefined && call.kind !== 'todo')) {
    const hasChanged = calls.some(changesSomething);
    if (!hasChanged && isAnswered && isQuestion(request)) return words.answered;
    if (!ended && hasChanged) return words.brokenOff;
    return endsFailing(calls) ? words.checkFailed : doneOrPartly(replies, words);
  }
  if (replies.length === 0) return words.said;
  return isAnswered ? words.answered : replies.some(claimsWork) ? doneOrPartly(replies, words) : words.said;
}

/** Nothing is done of which the reply at the end says that it is not. */
const doneOrPartly = (replies: Exchange['replies'], words: SummaryWords): string =>
  sentencesOf(replies.at(-1) ?? '').some((sentence) => !isQuestion(sentence) && saysNotDone(sentence) && !saysAllIsDone(sentence))
    ? words.partly
    : words.done;

/** A test that is run for a question, even one that fails, only helps to answer it. */
const leavesSomething = ({ kind, command = '' }: ToolCall): boolean =>
  kind === 'write' || (kind === 'run' && LEAVES.some((pattern) => pattern.test(command)));
const LEAVES = [
  /\bgit\b.{0,40}\b(?:add|commit|push|merge|rebase|reset|revert|tag|stash|rm|mv)\b/,
  /\b(?:publish|install|deploy|mkdir|rm|mv|cp|sed -i)\b|(?<!\d)>(?!&|=|\s*\/dev\/null)/,
];

const changesSomething = ({ kind, command = '' }: ToolCall): boolean => kind === 'write' || (kind === 'run' && !isReadOnlyCommand(command));

/** True when the newest test, build or lint failed; one that did not fail, or was not run, says nothing against the work. */
function endsFailing(calls: readonly ToolCall[]): boolean {
  const checks = calls.filter((call) => call.kind === 'run' && wasRun(call) && call.result !== undefined && isCheck(call.command ?? ''));
  const newest = checks.at(-1);
  return newest?.failed === true && !hasWorked(newest);
}

/** Without a call that shows it, only a reply that says so itself makes a request done; in small talk nothing is. */
const claimsWork = (reply: string): boolean => !isAnnouncement(reply) && passagesOf(reply).some(({ text }) => statesDone(text));
