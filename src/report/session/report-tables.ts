import { count, dollars, duration, size } from '../../terminal/text/figures.ts';
import { type PageSection, pageTable } from '../page/frame.ts';
import { html } from '../page/html.ts';
import type { TurnEnd } from './report-events.ts';
import type { LoggedTurn } from './report-log.ts';
import { change, isThere, type Report, shortTime } from './report-view.ts';

const paragraph = (text: string): string => `<p>${html(text)}</p>`;

export function turns({ log, audit, open }: Report): readonly PageSection[] {
  if (log.turns.length === 0) return [];
  const rows = log.turns.map((turn, at) => {
    const next = log.turns[at + 1];
    const end = endOf(turn, next, audit.turnEnds);
    const running = open && next === undefined;
    return [
      count(at + 1),
      shortTime(turn.at),
      turn.asked,
      count(turn.steps),
      turn.failedCalls === 0 ? count(turn.calls) : `${count(turn.calls)}, ${count(turn.failedCalls)} failed`,
      end === undefined ? `at least ${duration(Math.max(0, Date.parse(turn.lastAt) - Date.parse(turn.at)))}` : duration(end.ms),
      endText(turn, end, running),
      count(log.steps[turn.stepsBefore + turn.steps - 1]?.weight.tokens ?? 0),
      end?.costUsd === undefined ? '-' : dollars(end.costUsd),
    ];
  });
  const head = ['turn', 'at', 'asked', 'requests', 'tool calls', 'took', 'ended', 'context', 'cost'];
  const note = 'The first line of each message of yours, without what looks like a secret; what was rolled back later is here too.';
  return [
    {
      title: 'Turns',
      body: paragraph(note) + pageTable({ caption: 'Turns, oldest first; context: tokens of its last request', head, rows, words: [2, 6] }),
    },
  ];
}

/** The first end that was recorded between a turn's beginning and the next one's. */
const endOf = (turn: LoggedTurn, next: LoggedTurn | undefined, ends: readonly TurnEnd[]): TurnEnd | undefined =>
  ends.find(({ at }) => at >= turn.at && (next === undefined || at < next.at));

const ends: Readonly<Record<string, string>> = {
  end_turn: 'by the model',
  max_tokens: 'reply cut off',
  refusal: 'refused by the model',
  interrupted: 'stopped by you',
  max_steps: 'too many steps',
  failed: 'failed',
  tool_use: 'not ended',
};

function endText({ stopReason }: LoggedTurn, end: TurnEnd | undefined, running: boolean): string {
  if (end !== undefined) return ends[end.stopReason] ?? end.stopReason;
  if (running) return 'under way';
  return stopReason === undefined ? 'no answer' : (ends[stopReason] ?? stopReason);
}

export function happened({ told, snapshots }: Report): readonly PageSection[] {
  if (told.happenings.length === 0) return [];
  const rows = told.happenings.map(({ at, what, tells, before, after, undo }) => [
    shortTime(at),
    what,
    tells,
    change(before, after),
    undo === undefined ? '' : isThere(undo, snapshots) ? `sanbot rollback --snapshot ${undo}` : `${undo} (removed since)`,
  ]);
  const head = ['at', 'what', 'more', 'context, tokens', 'to undo it'];
  return [
    {
      title: 'What happened',
      body: pageTable({ caption: 'Everything that changed the context or went wrong, oldest first', head, rows, words: [1, 2, 4] }),
    },
  ];
}

export function compactions({ told, snapshots }: Report): readonly PageSection[] {
  if (told.compactions.length === 0) return [];
  const rows = told.compactions.map(({ at, why, method, before, after, messagesBefore, messagesKept, facts, cost, ms, snapshotId }) => [
    shortTime(at),
    why,
    method,
    change(before, after),
    messagesKept === undefined
      ? 'not known'
      : messagesBefore === undefined
        ? `${count(messagesKept)} kept`
        : `${count(messagesKept)} of ${count(messagesBefore)}`,
    facts,
    cost,
    ms === undefined ? 'not known' : duration(ms),
    isThere(snapshotId, snapshots) ? snapshotId : `${snapshotId} (removed since)`,
  ]);
  const head = [
    'at',
    'why',
    'summary',
    'tokens',
    'messages kept',
    'facts that left the context',
    'cost',
    'took',
    'snapshot of what was before',
  ];
  const note =
    'sanbot history --session ID --snapshot SNAPSHOT is the receipt of a compaction: what was kept, summarised and put away. sanbot rollback --snapshot SNAPSHOT brings back what was before, to the byte, and can itself be undone.';
  return [
    { title: 'Compactions', body: paragraph(note) + pageTable({ caption: 'Compactions, oldest first', head, rows, words: [1, 2, 5, 8] }) },
  ];
}

/** More files than these nobody reads through. */
const MOST_FILES = 500;

export function files({ files: touched }: Report): readonly PageSection[] {
  if (touched.length === 0) return [];
  const rows = touched
    .slice(0, MOST_FILES)
    .map(({ path, reads, changes, before, after }) => [path, count(reads), count(changes), sizeText(before, after)]);
  const more = touched.length > MOST_FILES ? paragraph(`The first ${count(MOST_FILES)} of ${count(touched.length)} files.`) : '';
  return [
    {
      title: 'Files',
      body:
        more +
        pageTable({
          caption: 'Files read and changed by tools; of what commands did to files only what their words plainly say',
          head: ['file', 'read', 'changed', 'size'],
          rows,
          words: [3],
        }),
    },
  ];
}

function sizeText(before: number | null | undefined, after: number | null | undefined): string {
  if (before === undefined || after === undefined) return '';
  if (after === null) return before === null ? 'not there' : 'removed';
  return before === null ? `new, ${size(after)}` : `${size(before)} -> ${size(after)}`;
}
