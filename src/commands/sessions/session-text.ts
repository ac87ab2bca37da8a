import { type Helper, KILLED } from '../../domain/session/record.ts';
import { formatCount, formatSize, pluralize, timeAgo } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { clip, padEnd } from '../../terminal/text/text-width.ts';

export type SessionDetails = {
  readonly sessionId: string;
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly open: boolean;
  readonly cwd: string;
  readonly group: string;
  readonly model: string;
  /** The session it was forked from. */
  readonly parent?: string;
  /** Over the whole log; `contextMessages` are those that the next request sends. */
  readonly messages: number;
  readonly fromUser: number;
  readonly toolCalls: number;
  readonly offloaded: number;
  readonly compactions: number;
  readonly rollbacks: number;
  readonly contextMessages: number;
  /** Files that tools changed; not `kept` when what one held before a change was too large. */
  readonly files: readonly { readonly path: string; readonly changes: number; readonly kept: boolean }[];
  readonly helpers: readonly Helper[];
  /** Of the session's folder. */
  readonly bytes: number;
  readonly snapshots: number;
  readonly snapshotBytes: number;
  readonly archives: number;
  readonly memories: number;
};

/** Helpers stand in it only where the session had some, so that programs that read what was printed before find it as it was. */
export const sessionJson = ({ helpers, ...details }: SessionDetails): string =>
  `${JSON.stringify(helpers.length === 0 ? details : { ...details, helpers }, null, 2)}\n`;

const NAME_WIDTH = 17;

/** One line for each fact. Ends with a newline. */
export function sessionText(details: SessionDetails, { now }: { readonly now: Date }): string {
  const { sessionId, title, createdAt, updatedAt, open, cwd, group, model, parent } = details;
  const facts: readonly (readonly [string, string])[] = [
    ['session', sessionId],
    ['title', title === '' ? '(no messages yet)' : title],
    ['started', `${createdAt}, ${timeAgo(createdAt, now)}`],
    ['last used', open ? 'open now' : timeAgo(updatedAt, now)],
    ['folder', cwd === '' ? '(unknown)' : cwd],
    ['group', group],
    ['model', model],
    ...(parent === undefined ? [] : [['forked from', parent] as const]),
    [
      'messages',
      `${pluralize(details.messages, 'message')}, ${formatCount(details.fromUser)} from the user; ${pluralize(details.toolCalls, 'tool call')}`,
    ],
    ['context', `${pluralize(details.contextMessages, 'message')} in the next request`],
    ['offloaded', pluralize(details.offloaded, 'tool result')],
    ['files', details.files.length === 0 ? 'none changed by tools' : `${pluralize(details.files.length, 'file')} changed by tools`],
    ['changes', `${pluralize(details.compactions, 'compaction')}, ${pluralize(details.rollbacks, 'rollback')}`],
    ...(details.helpers.length === 0 ? [] : [['helpers', helpersText(details.helpers)] as const]),
    ['on disk', `${formatSize(details.bytes)}; ${pluralize(details.snapshots, 'snapshot')} (${formatSize(details.snapshotBytes)})`],
    ['kept if deleted', `${pluralize(details.archives, 'archived page')}, ${pluralize(details.memories, 'memory', 'memories')}`],
  ];
  const files = details.files.map(
    ({ path, changes, kept }) =>
      ['', `${pluralize(changes, 'change')}  ${path}${kept ? '' : ' (earlier versions not all kept: too large)'}`] as const,
  );
  return [...facts, ...files].map(([name, fact]) => `${padEnd(name, NAME_WIDTH)}${safeLine(fact)}\n`).join('');
}

function helpersText(helpers: readonly Helper[]): string {
  const unfinished = helpers.filter(({ end }) => end === undefined || end === KILLED).length;
  return `${formatCount(helpers.length)}${unfinished === 0 ? '' : `, ${formatCount(unfinished)} killed or under way`}`;
}

export type Deletion = {
  readonly sessionId: string;
  readonly folder: string;
  readonly bytes: number;
  readonly snapshots: number;
  readonly snapshotBytes: number;
  readonly archives: readonly string[];
  readonly memories: number;
  readonly summaries: readonly string[];
  readonly daily: readonly string[];
};

export const deletionPlanText = (deletion: Deletion): string =>
  `The folder ${safeLine(deletion.folder)} (${formatSize(deletion.bytes)}) will be deleted, with the log and the offloaded results. This cannot be undone.\n${remainsText(deletion)}`;

export const deletionResultText = (deletion: Deletion): string =>
  `Deleted session ${safeLine(deletion.sessionId)} (${formatSize(deletion.bytes)}).\n${remainsText(deletion)}`;

function remainsText({ snapshots, snapshotBytes, archives, memories, summaries, daily }: Deletion): string {
  const lines = [
    ...(snapshots === 0 ? [] : [`${pluralize(snapshots, 'snapshot')} (${formatSize(snapshotBytes)})`]),
    ...[...archives, ...summaries].map(safeLine),
    ...(memories === 0 ? [] : [pluralize(memories, 'memory', 'memories')]),
    ...daily.map((path) => `your requests, in ${safeLine(path)}`),
    'its lines in the audit log',
  ];
  return `These are kept:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

export type SessionHit = {
  readonly sessionId: string;
  readonly where: string;
  readonly at: string;
  readonly path: string;
  readonly before: string;
  readonly match: string;
  readonly after: string;
};

export const sessionHitsJson = (hits: readonly SessionHit[]): string => `${JSON.stringify(hits, null, 2)}\n`;

/** So many are shown of one session; --json has them all. */
const MAX_HITS_PER_SESSION = 5;

/** Under each session, where the text occurs. Ends with a newline. */
export function sessionHitsText(
  hits: readonly SessionHit[],
  { text, columns }: { readonly text: string; readonly columns: number },
): string {
  if (hits.length === 0) return `No message or result contains ${safeLine(JSON.stringify(text))}.\n`;
  const ids = [...new Set(hits.map(({ sessionId }) => sessionId))];
  const blocks = ids.map((id) => {
    const sessionHits = hits.filter(({ sessionId }) => sessionId === id);
    const lines = sessionHits.slice(0, MAX_HITS_PER_SESSION).map((hit) => clip(`  ${hitLine(hit)}`, columns));
    const more = sessionHits.length > MAX_HITS_PER_SESSION ? [`  and ${sessionHits.length - MAX_HITS_PER_SESSION} more`] : [];
    return `${[safeLine(id), ...lines, ...more].join('\n')}\n`;
  });
  return `${blocks.join('\n')}\n${pluralize(hits.length, 'match', 'matches')} in ${pluralize(ids.length, 'session')}. To continue one: sanbot --resume ID\n`;
}

const speakers: Readonly<Record<string, string>> = { user: 'you', model: 'assistant', tools: 'result', body: 'offloaded result' };

const hitLine = ({ where, at, before, match, after }: SessionHit): string =>
  `${at === '' ? '' : `${at.slice(0, 16).replace('T', ' ')}  `}${speakers[where] ?? where}: …${safeLine(before)}${safeLine(match)}${safeLine(after)}…`;
