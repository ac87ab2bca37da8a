import { createHelperList } from '../../agent/session/helper-list.ts';
import { applyRecords } from '../../context/history/apply-record.ts';
import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { groupBy } from '../../domain/lists.ts';
import { actorsOf, isContent, isFileChange } from '../../domain/session/change.ts';
import { type Helper, KILLED } from '../../domain/session/record.ts';
import { setsOfSession } from '../../store/changes/change-lines.ts';
import type { StorePaths } from '../../store/files/paths.ts';
import type { SearchHit } from '../../store/search/search-sessions.ts';
import { findLeftovers, type SessionLeftovers, sizeOfSession } from '../../store/session/change-session.ts';
import { allRecords, peekSession } from '../../store/session/peek-session.ts';
import { formatCount, formatSize, pluralize, timeAgo } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { clip, padEnd } from '../../terminal/text/text-width.ts';
import type { OpenHome } from '../open-home.ts';

/** Helpers stand in it only where the session had some, so that programs that read what was printed before find it as it was. */
export const sessionJson = ({ helpers, ...details }: SessionDetails): string =>
  `${JSON.stringify(helpers.length === 0 ? details : { ...details, helpers }, null, 2)}\n`;

const NAME_WIDTH = 17;

export function sessionText(details: SessionDetails, { now }: { readonly now: Date }): string {
  const { sessionId, title, createdAt, updatedAt, open, cwd, group, model, parent, imported } = details;
  const facts: readonly Fact[] = [
    factOf('session', '会话', sameInBoth(sessionId)),
    factOf('title', '标题', title === '' ? { en: '(no messages yet)', zh: '（还没有消息）' } : sameInBoth(title)),
    factOf('started', '开始', { en: `${createdAt}, ${timeAgo(createdAt, now)}`, zh: `${createdAt}，${timeAgo(createdAt, now)}` }),
    factOf('last used', '上次使用', open ? { en: 'open now', zh: '正在使用' } : sameInBoth(timeAgo(updatedAt, now))),
    factOf('folder', '文件夹', cwd === '' ? { en: '(unknown)', zh: '（未知）' } : sameInBoth(cwd)),
    factOf('group', '组', sameInBoth(group)),
    factOf('model', '模型', sameInBoth(model)),
    ...(parent === undefined ? [] : [factOf('forked from', '分叉自', sameInBoth(parent))]),
    ...(imported === undefined ? [] : [factOf('imported from', '导入自', sameInBoth(`${imported.file} (${imported.format})`))]),
    ...countsOf(details),
  ];
  const files = details.files.map(({ path, changes, kept }) => {
    const note = kept ? '' : localize({ en: ' (earlier versions not all kept: too large)', zh: '（旧版本过大，未全部保留）' });
    const count = localize({ en: pluralize(changes, 'change'), zh: `${formatCount(changes)} 次更改` });
    return factOf('', '', sameInBoth(`${count}  ${path}${note}`));
  });
  return [...facts, ...files].map(({ name, text }) => `${padEnd(localize(name), NAME_WIDTH)}${safeLine(localize(text))}\n`).join('');
}

type Fact = { readonly name: Bilingual; readonly text: Bilingual };
const factOf = (en: string, zh: string, text: Bilingual): Fact => ({ name: { en, zh }, text });

function countsOf(details: SessionDetails): readonly Fact[] {
  const { messages, fromUser, toolCalls, contextMessages, offloaded, compactions, rollbacks, helpers } = details;
  const { bytes, snapshots, snapshotBytes, archives, memories } = details;
  return [
    factOf('messages', '消息', {
      en: `${pluralize(messages, 'message')}, ${formatCount(fromUser)} from the user; ${pluralize(toolCalls, 'tool call')}`,
      zh: `${formatCount(messages)} 条消息，其中 ${formatCount(fromUser)} 条来自用户；${formatCount(toolCalls)} 次工具调用`,
    }),
    factOf('context', '上下文', {
      en: `${pluralize(contextMessages, 'message')} in the next request`,
      zh: `下次请求含 ${formatCount(contextMessages)} 条消息`,
    }),
    factOf('offloaded', '转存', { en: pluralize(offloaded, 'tool result'), zh: `${formatCount(offloaded)} 个工具结果` }),
    factOf('files', '文件', changedFilesText(details.files.length)),
    factOf('changes', '更改', {
      en: `${pluralize(compactions, 'compaction')}, ${pluralize(rollbacks, 'rollback')}`,
      zh: `${formatCount(compactions)} 次压缩，${formatCount(rollbacks)} 次回滚`,
    }),
    ...(helpers.length === 0 ? [] : [factOf('helpers', '子代理', helpersText(helpers))]),
    factOf('on disk', '磁盘占用', {
      en: `${formatSize(bytes)}; ${pluralize(snapshots, 'snapshot')} (${formatSize(snapshotBytes)})`,
      zh: `${formatSize(bytes)}；${formatCount(snapshots)} 个快照（${formatSize(snapshotBytes)}）`,
    }),
    factOf('kept if deleted', '删除后保留', {
      en: `${pluralize(archives, 'archived page')}, ${pluralize(memories, 'memory', 'memories')}`,
      zh: `${formatCount(archives)} 页存档，${formatCount(memories)} 条记忆`,
    }),
  ];
}

const changedFilesText = (files: number): Bilingual =>
  files === 0
    ? { en: 'none changed by tools', zh: '工具未更改文件' }
    : { en: `${pluralize(files, 'file')} changed by tools`, zh: `工具更改了 ${formatCount(files)} 个文件` };

function helpersText(helpers: readonly Helper[]): Bilingual {
  const all = formatCount(helpers.length);
  const unfinished = helpers.filter(({ end }) => end === undefined || end === KILLED).length;
  if (unfinished === 0) return sameInBoth(all);
  return {
    en: `${all}, ${formatCount(unfinished)} killed or under way`,
    zh: `${all} 个，其中 ${formatCount(unfinished)} 个被终止或进行中`,
  };
}

type Deletion = SessionLeftovers & {
  readonly sessionId: string;
  readonly folder: string;
  readonly bytes: number;
  readonly isSynced?: boolean;
};

export const deletionPlanText = (deletion: Deletion): string =>
  localize({
    en: `The folder ${safeLine(deletion.folder)} (${formatSize(deletion.bytes)}) will be deleted, with the log, the offloaded results, and what it takes to undo what the session changed in files. This cannot be undone.\n${remainsText(deletion)}`,
    zh: `将删除文件夹 ${safeLine(deletion.folder)}（${formatSize(deletion.bytes)}），包括日志、转存结果，以及撤销该会话文件更改所需的内容。此操作无法撤销。\n${remainsText(deletion)}`,
  });

export const deletionResultText = (deletion: Deletion): string =>
  localize({
    en: `Deleted session ${safeLine(deletion.sessionId)} (${formatSize(deletion.bytes)}).\n${remainsText(deletion)}`,
    zh: `已删除会话 ${safeLine(deletion.sessionId)}（${formatSize(deletion.bytes)}）。\n${remainsText(deletion)}`,
  });

function remainsText({ snapshots, snapshotBytes, archives, memories, summaries, daily, isSynced }: Deletion): string {
  const lines = [
    ...(snapshots === 0
      ? []
      : [
          localize({
            en: `${pluralize(snapshots, 'snapshot')} (${formatSize(snapshotBytes)})`,
            zh: `${formatCount(snapshots)} 个快照（${formatSize(snapshotBytes)}）`,
          }),
        ]),
    ...[...archives, ...summaries].map(safeLine),
    ...(memories === 0 ? [] : [localize({ en: pluralize(memories, 'memory', 'memories'), zh: `${formatCount(memories)} 条记忆` })]),
    ...daily.map((path) => localize({ en: `your requests, in ${safeLine(path)}`, zh: `你的请求，位于 ${safeLine(path)}` })),
    localize({ en: 'its lines in the audit log', zh: '审计日志中的相关行' }),
    ...(isSynced
      ? [localize({ en: 'what sanbot sync sent of it, on your other machines too', zh: 'sanbot sync 已送出的部分，也在你的其他机器上' })]
      : []),
  ];
  return `${localize({ en: 'These are kept:', zh: '以下内容保留：' })}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

export const sessionHitsJson = (hits: readonly SearchHit[]): string => `${JSON.stringify(hits, null, 2)}\n`;

const MAX_HITS_PER_SESSION = 5;

export function sessionHitsText(
  hits: readonly SearchHit[],
  { text, columns }: { readonly text: string; readonly columns: number },
): string {
  if (hits.length === 0)
    return localize({
      en: `No message or result contains ${safeLine(JSON.stringify(text))}.\n`,
      zh: `没有消息或结果包含 ${safeLine(JSON.stringify(text))}。\n`,
    });
  const bySession = groupBy(hits, ({ sessionId }) => sessionId);
  const blocks = [...bySession].map(([id, sessionHits]) => {
    const lines = sessionHits.slice(0, MAX_HITS_PER_SESSION).map((hit) => clip(`  ${hitLine(hit)}`, columns));
    const more =
      sessionHits.length > MAX_HITS_PER_SESSION
        ? [
            localize({
              en: `  and ${sessionHits.length - MAX_HITS_PER_SESSION} more`,
              zh: `  还有 ${sessionHits.length - MAX_HITS_PER_SESSION} 处`,
            }),
          ]
        : [];
    return `${[safeLine(id), ...lines, ...more].join('\n')}\n`;
  });
  const total = localize({
    en: `${pluralize(hits.length, 'match', 'matches')} in ${pluralize(bySession.size, 'session')}. To continue one: sanbot --resume ID`,
    zh: `${formatCount(bySession.size)} 个会话中有 ${formatCount(hits.length)} 处匹配。继续某个会话：sanbot --resume ID`,
  });
  return `${blocks.join('\n')}\n${total}\n`;
}

const speakers: Readonly<Record<string, Bilingual>> = {
  user: { en: 'you', zh: '你' },
  model: { en: 'assistant', zh: '助手' },
  tools: { en: 'result', zh: '结果' },
  body: { en: 'offloaded result', zh: '转存结果' },
};

const hitLine = ({ where, at, before, match, after }: SearchHit): string =>
  `${at === '' ? '' : `${at.slice(0, 16).replace('T', ' ')}  `}${localize(speakers[where] ?? sameInBoth(where))}: …${safeLine(before)}${safeLine(match)}${safeLine(after)}…`;

export type SessionDetails = ReturnType<typeof sessionDetails>;

export function sessionDetails({ disk, paths, store }: Pick<OpenHome, 'disk' | 'paths' | 'store'>, sessionId: string) {
  const { header, records, warnings } = peekSession(paths, sessionId);
  for (const warning of warnings) disk.warn(warning);
  const listing = store.sessions.list().find((line) => line.sessionId === sessionId);
  const { snapshots, snapshotBytes, archives, memories } = findLeftovers(disk, paths, sessionId);
  return {
    sessionId,
    title: listing?.title ?? '',
    createdAt: header.at,
    updatedAt: listing?.updatedAt ?? header.at,
    open: listing?.open ?? false,
    cwd: header.cwd,
    group: header.group,
    model: listing?.model ?? header.model,
    ...(header.parent === undefined ? {} : { parent: header.parent }),
    ...(header.imported === undefined ? {} : { imported: header.imported }),
    ...countRecords(paths, sessionId),
    contextMessages: applyRecords(header.context, records).messages.length,
    bytes: sizeOfSession(paths, sessionId),
    snapshots,
    snapshotBytes,
    archives: archives.length,
    memories,
  };
}

/** A file is not `kept` when what it held before a change was too large. */
function countRecords(paths: StorePaths, sessionId: string) {
  const counts = { messages: 0, fromUser: 0, toolCalls: 0, offloaded: 0, compactions: 0, rollbacks: 0 };
  const files = new Map<string, { path: string; changes: number; kept: boolean }>();
  const addChange = (path: string, isKept: boolean): void => {
    const entry = files.get(path) ?? { path, changes: 0, kept: true };
    files.set(path, { path, changes: entry.changes + 1, kept: entry.kept && isKept });
  };
  const helpers = createHelperList(new Set());
  for (const record of allRecords(paths, sessionId)) {
    helpers.apply(record, record.n);
    if (record.type === 'file') addChange(record.path, record.before?.kept !== false);
    const messages = record.type === 'message' ? [record.message] : record.type === 'header' ? record.context.messages : [];
    for (const message of messages) {
      counts.messages += 1;
      if (message.origin === 'user') counts.fromUser += 1;
      counts.toolCalls += message.content.filter((block) => block.type === 'tool_use').length;
      counts.offloaded += message.stubs?.length ?? 0;
    }
    if (record.type === 'offload') counts.offloaded += record.stubs.filter(({ shrunk }) => shrunk !== true).length;
    if (record.type === 'checkpoint' && record.reason === 'compaction') counts.compactions += 1;
    if (record.type === 'checkpoint' && record.reason === 'rollback') counts.rollbacks += 1;
  }
  for (const change of setsOfSession(paths, sessionId).flatMap((set) => (actorsOf(set).length === 0 ? [] : set.changes)))
    if (isFileChange(change)) addChange(change.path, change.before?.kind !== 'file' || isContent(change.before.holds));
  return { ...counts, files: [...files.values()], helpers: helpers.all() };
}
