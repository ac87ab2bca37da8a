import { repeatsOutput, toolOutputOf } from '../../context/memory/printed.ts';
import { isDirective } from '../../context/text/directive.ts';
import { quoteLine } from '../../context/text/quote.ts';
import { sentencesOf } from '../../context/text/sentences.ts';
import type { SanbotEvent } from '../../domain/event.ts';
import type { AgentDeps } from '../deps.ts';
import type { Emit } from '../ports.ts';
import { reasonOf, type Session } from '../session/session.ts';

export type Digest = {
  /** Passes every event on and notes what was done. */
  readonly emit: Emit;
  /** Writes the turn to the log of its day. Never throws. */
  readonly write: (end: { readonly asked: string; readonly messageId: string; readonly stopReason: string; readonly said: string }) => void;
};

const LINE_CHARS = 240;
const TITLE_CHARS = 100;
const MOST_LISTED = 8;

/** L0: a few lines about one turn, what was asked, what was done and what came of it, without secrets. Made of events, so a compaction in between hides nothing. */
export function digestTurn(session: Session, deps: AgentDeps): Digest {
  const titles = new Map<string, string>();
  const done: string[] = [];
  let looked = 0;
  let compactions = 0;
  // What was to be remembered stands in L1, unless it was refused, and then it is not to stand here either.
  const titleOf = ({ tool, toolUseId }: Ended): string =>
    tool === 'remember' ? tool : quoteLine(titles.get(toolUseId) ?? tool, TITLE_CHARS);
  const note = (event: SanbotEvent): void => {
    if (event.type === 'compacted') compactions += 1;
    if (event.type === 'tool_started') titles.set(event.toolUseId, event.title);
    if (event.type !== 'tool_ended') return;
    const failed = event.denied ? 'not allowed' : event.ok ? '' : event.note || 'failed';
    if (event.ok && LOOKS.has(event.tool)) looked += 1;
    else done.push(`${titleOf(event)}${failed === '' ? outcomeOf(event) : ` (${failed})`}`);
  };
  return {
    emit: (event) => {
      note(event);
      deps.emit(event);
    },
    write: ({ asked, messageId, stopReason, said }) => {
      if (!deps.config.memory.enabled) return;
      const at = deps.now().toISOString();
      const parts = [
        ...listed(done),
        ...(looked === 0 ? [] : [`looked at ${looked} ${looked === 1 ? 'thing' : 'things'}`]),
        ...(compactions === 0 ? [] : ['compacted']),
      ];
      const source = `<!-- session ${session.id} message ${messageId} by user in ${encodeURI(session.cwd.toWellFormed())} -->`;
      const answer = quoteLine(ownWords(said, session), LINE_CHARS);
      const lines = [
        `- ${at.slice(11, 16)} asked: ${forComment(quoteLine(asked, LINE_CHARS))} ${source}`,
        ...(parts.length === 0 ? [] : [`  - did: ${forComment(parts.join('; '))}`]),
        `  - came of it: ${forComment(answer === '' ? '(a result, shown)' : answer)}${stopReason === 'end_turn' ? '' : ` (${stopReason})`}`,
      ];
      try {
        if (deps.memories.addDaily(at.slice(0, 10), `${lines.join('\n')}\n`) === 'closed')
          deps.emit({ type: 'warning', message: 'The daily log is full: further turns of today stand only in the logs of their sessions' });
      } catch (error) {
        deps.emit({ type: 'warning', message: `The turn was not noted in the daily log: ${reasonOf(error)}` });
      }
    },
  };
}

/** The first sentences of the reply that do not repeat what a tool printed: that is not to be read again in a file of memories. */
function ownWords(said: string, session: Session): string {
  const printed = toolOutputOf(session.context.messages);
  return sentencesOf(said)
    .slice(0, MOST_SENTENCES)
    .filter((sentence) => !repeatsOutput(sentence, printed) && !isDirective(sentence))
    .join(' ');
}

const MOST_SENTENCES = 6;

const LOOKS: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search', 'recall', 'fetch_url']);

type Ended = Extract<SanbotEvent, { type: 'tool_ended' }>;

const outcomeOf = ({ tool, note }: Ended): string => (tool === 'run_command' ? ` (${note})` : '');

function listed(done: readonly string[]): readonly string[] {
  const each = [...new Set(done)];
  return each.length <= MOST_LISTED ? each : [...each.slice(0, MOST_LISTED), `${each.length - MOST_LISTED} more`];
}

const forComment = (text: string): string => text.replaceAll('<!--', '<! --').replaceAll('-->', '-- >');
