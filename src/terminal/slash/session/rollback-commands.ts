import { localize, sameInBoth } from '../../../domain/language.ts';
import type { SnapshotMeta } from '../../../domain/session/snapshot.ts';
import type { ChatPort } from '../../chat/chat-port.ts';
import type { ChangesPort, FormerState, PastMessageRow, RollbackPort, RollbackPreview } from '../../chat/history-port.ts';
import { nothingChangedText } from '../../input/input-text.ts';
import { decideYesNo, NO, type Questions, type TypableChoice } from '../../input/questions.ts';
import { countChanges } from '../../text/diff-text.ts';
import { formatCount, pluralize, timeAgo } from '../../text/format.ts';
import { safeLine } from '../../text/safe-text.ts';
import { clip } from '../../text/text-width.ts';
import { filesPreviewText, restoreFiles } from '../../views/file-restore.ts';
import { noSnapshotsText, outcomeText, snapshotReasonText, snapshotsTable } from '../../views/history-table.ts';
import type { RestorableFiles } from '../../views/restorable-file.ts';
import { messageChoice, rewindPreviewText, rollbackPreviewText } from '../../views/rollback-text.ts';
import { type CommandUi, confirmChange, confirmChoice, printLine, type SlashCommand, selectOne } from '../command.ts';

async function confirmRollback(preview: RollbackPreview, rollback: RollbackPort, ui: CommandUi): Promise<void> {
  ui.screen.block(rollbackPreviewText(preview, { columns: ui.columns(), now: ui.now() }));
  const isConfirmed = await confirmChange(ui, {
    question: { en: 'Roll back?', zh: '回滚吗？' },
    yes: { en: 'Yes, roll back', zh: '是，回滚' },
    unasked: {
      en: 'A rollback needs your yes at a terminal. Without a terminal: sanbot rollback --snapshot ID --yes',
      zh: '回滚需要你在终端上确认。没有终端时：sanbot rollback --snapshot ID --yes',
    },
  });
  if (!isConfirmed) return;
  await offerFileRestore({ snapshot: preview.snapshot.id }, rollback, ui);
  await rollback.rollBack(preview.snapshot.id);
}

/** Files are another matter than the conversation: nothing of them is touched unless it is asked for. */
async function offerFileRestore(to: FormerState, rollback: RollbackPort, ui: CommandUi): Promise<void> {
  const restorable = await rollback.restorableFiles(to);
  const changedCount = countFiles(restorable) + restorable.unrestorable.length;
  if (changedCount === 0) return;
  printLine(ui, 'plain', {
    en: `SanBot changed ${pluralize(changedCount, 'file')} since then. They stay as they are unless you ask.`,
    zh: `此后 SanBot 修改了 ${changedCount} 个文件。除非你要求，它们保持原样。`,
  });
  const question = localize({ en: 'Restore files too?', zh: '也恢复文件吗？' });
  if (!(await confirmChoice(ui, question, localize({ en: 'Yes, show me the changes', zh: '是，先看改动' })))) return;
  await restoreAtPrompt(restorable, ui);
}

/** A folder that comes and goes with what is in it is no file of its own. */
const countFiles = ({ files }: RestorableFiles): number => files.filter(({ isFolder }) => isFolder !== true).length || files.length;

/** Where nobody can be asked, nothing is done. With `isAgreed`, what somebody else changed too is asked about all the same. */
export async function restoreAtPrompt(restorable: RestorableFiles, ui: CommandUi, isAgreed = false): Promise<void> {
  const drawing = { paint: ui.screen.paint, columns: ui.columns() };
  await restoreFiles(restorable, {
    ...{ drawing, isAgreed, show: ui.screen.block },
    ask: (about) => confirmChoice(ui, safeLine(about)),
    choose: async (about, ways) => ui.questions?.decide(safeLine(about), ways, undefined) ?? 'leave',
  });
}

/** The newest first, as one most often wants the last but one, each with the lines that files got and lost until the next. */
async function pickMessage({ rollback, changes }: Pick<ChatPort, 'rollback' | 'changes'>, ui: CommandUi): Promise<string | undefined> {
  const messages = rollback.pastMessages();
  const counts = await linesSince(messages, changes);
  const choices = messages.map((message, i) => {
    const count = counts.get(message.id) ?? '';
    const name = `${i + 1}  ${messageChoice(message, ui.now())}`;
    return { name: `${clip(name, ui.columns() - 6 - count.length)}${count}`, value: message.id };
  });
  return selectOne(ui, {
    choices: choices.toReversed(),
    none: { en: 'You have not written anything in this session yet.', zh: '你在本会话中还没有写过任何内容。' },
    unasked: {
      en: `Give the number of a message, from 1 to ${messages.length}: /rewind N`,
      zh: `请给出消息的编号，从 1 到 ${messages.length}：/rewind N`,
    },
    which: { en: 'Rewind to just before which message?', zh: '回退到哪条消息之前？' },
  });
}

/** More acts are not counted: reading what each changed takes a look at the disk. */
const MOST_COUNTED = 50;

/** `  +3 -1` by the id of the message after which files changed so; the newest acts alone. */
async function linesSince(messages: readonly PastMessageRow[], { acts, differences }: ChangesPort): Promise<ReadonlyMap<string, string>> {
  const sums = new Map<string, { added: number; removed: number }>();
  for (const { n, at, title } of (await acts()).slice(-MOST_COUNTED)) {
    const message = messages.findLast((each) => each.at <= at);
    if (message === undefined || title === undefined) continue;
    const sum = sums.get(message.id) ?? { added: 0, removed: 0 };
    for (const { preview } of await differences(n)) {
      const { added, removed } = countChanges(await preview());
      sums.set(message.id, { added: sum.added + added, removed: sum.removed + removed });
    }
  }
  return new Map([...sums].map(([id, { added, removed }]) => [id, `  +${added} -${removed}`]));
}

function pickSnapshot(rollback: RollbackPort, ui: CommandUi): Promise<string | undefined> {
  const snapshotChoice = ({ at, reason, messages, tokens }: SnapshotMeta, i: number): string => {
    const [age, why] = [timeAgo(at, ui.now()), snapshotReasonText(reason)];
    const text = localize({
      en: `${age}, ${why}: ${pluralize(messages, 'message')}, ${formatCount(tokens)} tokens`,
      zh: `${age}，${why}：${formatCount(messages)} 条消息，${formatCount(tokens)} token`,
    });
    return `${i + 1}  ${text}`;
  };
  return selectOne(ui, {
    choices: rollback
      .snapshots()
      .map((meta, i) => ({ name: snapshotChoice(meta, i), value: meta.id }))
      .toReversed(),
    none: sameInBoth(noSnapshotsText()),
    unasked: {
      en: 'Give the number of a snapshot: /rollback N. /history lists them.',
      zh: '请给出快照的编号：/rollback N。/history 列出快照。',
    },
    which: { en: 'Which snapshot?', zh: '选择哪个快照？' },
  });
}

export const slashHistory: SlashCommand = {
  name: 'history',
  description: { en: 'snapshots, compactions and rollbacks of this session', zh: '本会话的快照、压缩和回滚' },
  run: (_, { chat: { rollback }, ui: { screen, columns, now }, retentionDays }) =>
    screen.block(snapshotsTable(rollback.snapshots(), { now: now(), retentionDays, columns: columns() })),
};

export const slashRewind: SlashCommand = {
  name: 'rewind',
  argumentHint: { en: '[number]', zh: '[编号]' },
  example: sameInBoth('/rewind 3'),
  description: { en: 'go back to before an earlier message, and edit it', zh: '回退到较早的某条消息之前，并编辑它' },
  choices: ({ rollback }) =>
    rollback
      .pastMessages()
      .map(({ text }, at) => ({ text: String(at + 1), detail: text.slice(0, 200) }))
      .toReversed(),
  run: async (argument, { chat, ui, loop }) => {
    const { rollback } = chat;
    const messageRef = argument === '' ? await pickMessage(chat, ui) : argument;
    if (messageRef === undefined) return;
    const preview = await rollback.previewRewind(messageRef);
    const drawing = { paint: ui.screen.paint, columns: ui.columns() };
    const restorable = await rollback.restorableFiles({ message: messageRef });
    ui.screen.block(await filesPreviewText({ ...restorable, files: restorable.files.slice(0, MOST_SHOWN) }, drawing));
    ui.screen.block(rewindPreviewText(preview, { columns: ui.columns(), now: ui.now() }));
    if (ui.questions === undefined)
      return printLine(ui, 'bad', {
        en: 'Rewinding needs your yes at a terminal. Without a terminal: sanbot rollback --session ID --to-message N --yes',
        zh: '回退需要你在终端上确认。没有终端时：sanbot rollback --session ID --to-message N --yes',
      });
    const what = await askWhatToRewind(ui.questions, countFiles(restorable));
    if (what === 'nothing') return ui.screen.line(nothingChangedText(), 'quiet');
    if (what !== 'conversation') await restoreAtPrompt(restorable, ui, true);
    if (what !== 'files') loop.prefill(await rollback.rewind(messageRef));
  },
};

const MOST_SHOWN = 20;

type Rewound = 'both' | 'conversation' | 'files' | 'nothing';

async function askWhatToRewind(questions: Questions, files: number): Promise<Rewound> {
  const question = localize({ en: 'Go back?', zh: '回退吗？' });
  if (files > 0) return questions.decide(question, rewindChoices(files), undefined, { left: 'nothing', isRow: true });
  return (await decideYesNo(questions, question)) ? 'conversation' : 'nothing';
}

const rewindChoices = (files: number): readonly TypableChoice<Rewound>[] => [
  {
    name: localize({ en: `1 Conversation and ${pluralize(files, 'file')}`, zh: `1 对话和 ${files} 个文件` }),
    value: 'both',
    words: ['1', 'b'],
  },
  { name: localize({ en: '2 Conversation', zh: '2 对话' }), value: 'conversation', words: ['2', 'c'] },
  { name: localize({ en: '3 Files', zh: '3 文件' }), value: 'files', words: ['3', 'f'] },
  { name: localize({ en: '4 Cancel', zh: '4 取消' }), value: 'nothing', words: ['4', ...NO] },
];

export const slashRollback: SlashCommand = {
  name: 'rollback',
  argumentHint: { en: '[number]', zh: '[编号]' },
  example: sameInBoth('/rollback 3'),
  description: { en: 'make a snapshot current again', zh: '回滚到某个快照' },
  choices: ({ rollback }, now) =>
    rollback
      .snapshots()
      .toReversed()
      .map(({ id, at, reason, tokens }) => {
        const [age, why] = [timeAgo(at, now), snapshotReasonText(reason)];
        return {
          text: id,
          detail: localize({ en: `${age}, ${why}: ${formatCount(tokens)} tokens`, zh: `${age}，${why}：${formatCount(tokens)} token` }),
        };
      }),
  run: async (argument, { chat: { rollback }, ui }) => {
    // By its number in /history, else by a part of its id.
    const isNumber = /^\d{1,4}$/.test(argument);
    const numbered = isNumber ? rollback.snapshots()[Number(argument) - 1]?.id : undefined;
    if (isNumber && numbered === undefined)
      return printLine(ui, 'bad', {
        en: `There is no snapshot ${argument}. /history lists them.`,
        zh: `没有编号为 ${argument} 的快照。/history 列出快照。`,
      });
    const id = argument === '' ? await pickSnapshot(rollback, ui) : (numbered ?? argument);
    if (id !== undefined) await confirmRollback(await rollback.preview(id), rollback, ui);
  },
};

export const slashUndo: SlashCommand = {
  name: 'undo',
  description: {
    en: 'undo the last compaction, rollback or clear; again: undo that',
    zh: '撤销上一次压缩、回滚或清空；再次执行则撤销这次撤销',
  },
  run: async (_, { chat: { rollback }, ui }) => {
    const preview = await rollback.previewUndo();
    if (preview === undefined)
      return printLine(ui, 'plain', {
        en: 'Nothing to undo in the conversation: no compaction, rollback or clear. For files there is /changes.',
        zh: '对话中没有可撤销的内容：没有压缩、回滚或清空。撤销文件更改请用 /changes。',
      });
    const { outcome, reason, id } = preview.snapshot;
    const change = safeLine(outcome === undefined ? snapshotReasonText(reason) : outcomeText(outcome.line.replace(/; topic: .*$/s, '')));
    await rollback.rollBack(id);
    printLine(ui, 'good', {
      en: `Undone: ${change}. Files were not changed; for those there is /changes.`,
      zh: `已撤销：${change}。文件没有改动；要恢复文件，请用 /changes。`,
    });
  },
};
