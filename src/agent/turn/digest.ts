import { repeatsOutput, toolOutputOf } from '../../context/memory/runtime-entries.ts';
import { isDirective } from '../../context/sentence/asks.ts';
import { numberedSentencesOf, quoteLine } from '../../context/text/sentences.ts';
import type { SanbotEvent } from '../../domain/event.ts';
import { redact } from '../../domain/value/redact.ts';
import { type AgentDeps, orWarn, warn } from '../deps.ts';
import type { Emit } from '../ports/effects.ts';
import type { Session } from '../session/session.ts';

type DigestedTurn = {
  readonly prompt: string;
  readonly messageId: string;
  readonly stopReason: string;
  readonly reply: string;
};

const MAX_LINE_CHARS = 240;
const MAX_TITLE_CHARS = 100;
const MAX_LISTED = 8;

/** L0: what one turn was asked, did and came to, in a few lines without secrets. Made of events: a compaction hides nothing. */
export function digestTurn(session: Session, deps: Pick<AgentDeps, 'config' | 'clock' | 'disk' | 'report'>) {
  const { config, clock, disk, report } = deps;
  const actionLog = createActionLog();
  return {
    /** Passes every event on and notes what was done. */
    emit: (event: SanbotEvent): void => {
      actionLog.record(event);
      report.emit(event);
    },
    /** Writes the turn to the log of its day. Never throws. */
    write: (turn: DigestedTurn): void => {
      if (!config.memory.enabled) return;
      const at = clock.now().toISOString();
      const lines = digestLines(turn, { at, actions: actionLog.list() }, session);
      const added = orWarn(report.emit, { en: 'The turn was not recorded in the daily log', zh: '本轮未记入每日日志' }, () =>
        disk.memories.addDaily(at.slice(0, 10), `${lines.join('\n')}\n`),
      );
      if (added === 'closed')
        warn(report.emit, {
          en: 'The daily log is full: further turns of today stand only in the logs of their sessions.',
          zh: '每日日志已满：今天后续的轮次只记录在各自会话的日志中。',
        });
    },
  };
}

/** What was done, by the events of the turn; many looks are one. */
function createActionLog(): { readonly record: Emit; readonly list: () => readonly string[] } {
  const titles = new Map<string, string>();
  const actions: string[] = [];
  let readCount = 0;
  let compactions = 0;
  // What was to be remembered stands in L1, unless it was refused, and then it is not to stand here either.
  const titleOf = ({ tool, toolUseId }: ToolEndedEvent): string =>
    tool === 'remember' ? tool : quoteLine(redact(titles.get(toolUseId) ?? tool), MAX_TITLE_CHARS);
  return {
    record: (event) => {
      if (event.type === 'compacted') compactions += 1;
      if (event.type === 'tool_started') titles.set(event.toolUseId, event.title);
      if (event.type !== 'tool_ended') return;
      const failed = event.denied ? 'not allowed' : event.ok ? '' : event.note.en || 'failed';
      if (event.ok && READ_TOOLS.has(event.tool)) readCount += 1;
      else actions.push(`${titleOf(event)}${failed === '' ? outcomeText(event) : ` (${failed})`}`);
    },
    list: () => [
      ...uniqueActions(actions),
      ...(readCount === 0 ? [] : [`looked at ${readCount} ${readCount === 1 ? 'thing' : 'things'}`]),
      ...(compactions === 0 ? [] : ['compacted']),
    ],
  };
}

type DigestFacts = { readonly at: string; readonly actions: readonly string[] };

function digestLines(
  { prompt, messageId, stopReason, reply }: DigestedTurn,
  { at, actions }: DigestFacts,
  session: Session,
): readonly string[] {
  const source = `<!-- session ${session.id} message ${messageId} by user in ${encodeURI(session.cwd.toWellFormed())} -->`;
  const answer = quoteLine(redact(ownSentences(reply, session)), MAX_LINE_CHARS);
  return [
    `- ${at.slice(11, 16)} asked: ${escapeComment(quoteLine(redact(prompt), MAX_LINE_CHARS))} ${source}`,
    ...(actions.length === 0 ? [] : [`  - did: ${escapeComment(actions.join('; '))}`]),
    `  - came of it: ${escapeComment(answer === '' ? '(a result, shown)' : answer)}${stopReason === 'end_turn' ? '' : ` (${stopReason})`}`,
  ];
}

/** The first sentences of the reply that do not repeat what a tool printed: that is not to be read again in a file of memories. */
function ownSentences(reply: string, session: Session): string {
  const toolText = toolOutputOf(session.context.messages);
  return numberedSentencesOf(reply)
    .slice(0, MAX_SENTENCES)
    .filter((sentence) => !repeatsOutput(sentence, toolText) && !isDirective(sentence))
    .join(' ');
}

const MAX_SENTENCES = 6;

const READ_TOOLS: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search', 'recall', 'fetch_url']);

type ToolEndedEvent = Extract<SanbotEvent, { type: 'tool_ended' }>;

const outcomeText = ({ tool, note }: ToolEndedEvent): string => (tool === 'run_command' ? ` (${note.en})` : '');

function uniqueActions(actions: readonly string[]): readonly string[] {
  const unique = [...new Set(actions)];
  return unique.length <= MAX_LISTED ? unique : [...unique.slice(0, MAX_LISTED), `${unique.length - MAX_LISTED} more`];
}

const escapeComment = (text: string): string => text.replaceAll('<!--', '<! --').replaceAll('-->', '-- >');
