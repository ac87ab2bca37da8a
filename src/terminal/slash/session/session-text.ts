import type { Bilingual } from '../../../domain/language.ts';
import type { SnapshotMeta } from '../../../domain/session/snapshot.ts';
import { formatCount, pluralize } from '../../text/format.ts';

type RewindTexts = {
  readonly needsYes: string;
  readonly question: string;
  readonly yes: string;
  readonly noMessages: string;
  readonly giveNumber: (messages: number) => string;
  readonly which: string;
  readonly filesChanged: (files: number) => string;
  readonly restoreFiles: string;
  readonly showChanges: string;
};

export const rewindTexts: Bilingual<RewindTexts> = {
  en: {
    needsYes: 'Rewinding needs your yes at a terminal. Without a terminal: sanbot rollback --session ID --to-message N --yes',
    question: 'Go back?',
    yes: 'Yes, go back',
    noMessages: 'You have not written anything in this session yet.',
    giveNumber: (messages) => `Give the number of a message, from 1 to ${messages}: /rewind N`,
    which: 'Rewind to just before which message?',
    filesChanged: (files) => `SanBot changed ${pluralize(files, 'file')} since then. They stay as they are unless you ask.`,
    restoreFiles: 'Restore files too?',
    showChanges: 'Yes, show me the changes',
  },
  zh: {
    needsYes: '回退需要你在终端上确认。没有终端时：sanbot rollback --session ID --to-message N --yes',
    question: '回退吗？',
    yes: '是，回退',
    noMessages: '你在本会话中还没有写过任何内容。',
    giveNumber: (messages) => `请给出消息的编号，从 1 到 ${messages}：/rewind N`,
    which: '回退到哪条消息之前？',
    filesChanged: (files) => `此后 SanBot 修改了 ${files} 个文件。除非你要求，它们保持原样。`,
    restoreFiles: '也恢复文件吗？',
    showChanges: '是，先看改动',
  },
};

type RollbackTexts = {
  readonly question: string;
  readonly yes: string;
  readonly nothingToUndo: string;
  readonly undo: (change: string) => string;
  readonly needsYes: string;
  readonly giveId: string;
  readonly which: string;
  readonly snapshot: (meta: SnapshotMeta, ago: string, reason: string) => string;
};

export const rollbackTexts: Bilingual<RollbackTexts> = {
  en: {
    question: 'Roll back?',
    yes: 'Yes, roll back',
    nothingToUndo: 'Nothing to undo: no compaction, rollback or clear in this session.',
    undo: (change) => `The last change: ${change}. Undo it?`,
    needsYes: 'A rollback needs your yes at a terminal. Without a terminal: sanbot rollback --snapshot ID --yes',
    giveId: 'Give the id of a snapshot: /rollback ID. /history lists them.',
    which: 'Which snapshot?',
    snapshot: ({ messages, tokens }, ago, reason) => `${ago}, ${reason}: ${pluralize(messages, 'message')}, ${formatCount(tokens)} tokens`,
  },
  zh: {
    question: '回滚吗？',
    yes: '是，回滚',
    nothingToUndo: '没有可撤销的内容：本会话没有压缩、回滚或清空。',
    undo: (change) => `撤销这一步：${change}？`,
    needsYes: '回滚需要你在终端上确认。没有终端时：sanbot rollback --snapshot ID --yes',
    giveId: '请给出快照的 id：/rollback ID。/history 列出快照。',
    which: '选择哪个快照？',
    snapshot: ({ messages, tokens }, ago, reason) => `${ago}，${reason}：${formatCount(messages)} 条消息，${formatCount(tokens)} token`,
  },
};

type SessionTexts = {
  readonly noOther: string;
  readonly giveId: string;
  readonly which: string;
  readonly addTitle: string;
  readonly renamed: (title: string) => string;
  readonly exported: (file: string, size: string) => string;
  readonly noEvents: string;
};

export const sessionTexts: Bilingual<SessionTexts> = {
  en: {
    noOther: 'There is no other session.',
    giveId: 'Give the id of a session: /resume ID. /sessions lists them.',
    which: 'Which session?',
    addTitle: 'Add the new title: /rename TITLE',
    renamed: (title) => `This session is now called ${title}.`,
    exported: (file, size) => `Exported to ${file} (${size}).`,
    noEvents: 'No events yet.',
  },
  zh: {
    noOther: '没有其他会话。',
    giveId: '请给出会话的 id：/resume ID。/sessions 列出会话。',
    which: '选择哪个会话？',
    addTitle: '请加上新标题：/rename TITLE',
    renamed: (title) => `本会话现在名为 ${title}。`,
    exported: (file, size) => `已导出到 ${file}（${size}）。`,
    noEvents: '还没有事件。',
  },
};
