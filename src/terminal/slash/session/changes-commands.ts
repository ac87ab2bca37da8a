import { localize, sameInBoth } from '../../../domain/language.ts';
import type { ActChoice, ActRow, ChangesPort, FileDifference } from '../../chat/history-port.ts';
import { NO, type TypableChoice, YES } from '../../input/questions.ts';
import { safeLine } from '../../text/safe-text.ts';
import { clip } from '../../text/text-width.ts';
import { actChoice, actHeading, actsTable, differencesText, noChangesText } from '../../views/changes-text.ts';
import { type CommandUi, printLine, type SlashCommand, selectOne } from '../command.ts';
import { restoreAtPrompt } from './rollback-commands.ts';

export const slashChanges: SlashCommand = {
  name: 'changes',
  argumentHint: { en: '[number]', zh: '[编号]' },
  example: sameInBoth('/changes 3'),
  description: { en: 'what each command and edit changed in files, and the way back', zh: '每个命令和编辑对文件的更改，以及如何恢复' },
  choices: async ({ changes }, now) =>
    (await changes.acts()).toReversed().map((row) => ({ text: String(row.n), detail: actChoice(row, { now, columns: 200 }) })),
  run: async (argument, { chat: { changes }, ui }) => {
    const rows = (await changes.acts()).toReversed();
    if (argument === '' && ui.questions === undefined) return ui.screen.block(actsTable(rows, { now: ui.now(), columns: ui.columns() }));
    const named = argument === '' ? await pickAct(rows, ui) : argument;
    if (named === undefined) return;
    const row = rows.find(({ n }) => String(n) === named);
    if (row !== undefined) return openAct(row, { isNewest: row === rows[0], changes, ui });
    printLine(ui, 'bad', {
      en: `There is no change ${safeLine(named)}. /changes lists them.`,
      zh: `没有编号为 ${safeLine(named)} 的更改。/changes 列出全部更改。`,
    });
  },
};

function pickAct(rows: readonly ActRow[], ui: CommandUi): Promise<string | undefined> {
  const view = { now: ui.now(), columns: ui.columns() - 4 };
  return selectOne(ui, {
    choices: rows.map((row) => ({ name: actChoice(row, view), value: String(row.n) })),
    none: sameInBoth(noChangesText()),
    unasked: { en: 'Give the number of a change: /changes N', zh: '请给出更改的编号：/changes N' },
    which: { en: 'Which change? The newest is first.', zh: '查看哪次更改？最新的在最前。' },
  });
}

type OpenedAct = { readonly isNewest: boolean; readonly changes: ChangesPort; readonly ui: CommandUi };

async function openAct(row: ActRow, { isNewest, changes, ui }: OpenedAct): Promise<void> {
  const differences = await changes.differences(row.n);
  ui.screen.line(actHeading(row, ui.now()), 'notice');
  ui.screen.block(await differencesText(differences, drawingOn(ui)));
  // What others changed between two acts is theirs to undo.
  if (row.title === undefined) return;
  if (ui.questions === undefined)
    return printLine(ui, 'plain', { en: `Restore it: sanbot changes --restore ${row.n}`, zh: `恢复：sanbot changes --restore ${row.n}` });
  const choice = await pickWay(row, { isNewest, differences, ui });
  if (choice === undefined) return;
  const restorable = await changes.restorable(choice);
  // Its difference stands above; what may be the person's own work is asked about all the same.
  const isSeen = !choice.andLater && !restorable.files.some(({ isUnwatched }) => isUnwatched === true);
  await restoreAtPrompt(restorable, ui, isSeen);
}

type Way = 'nothing' | 'act' | 'later' | 'one';

async function pickWay(
  { n }: ActRow,
  { isNewest, differences, ui }: { readonly isNewest: boolean; readonly differences: readonly FileDifference[]; readonly ui: CommandUi },
): Promise<ActChoice | undefined> {
  const ways: readonly TypableChoice<Way>[] = [
    { name: localize({ en: 'Leave all as it is', zh: '全部保持现状' }), value: 'nothing', words: [...NO, '3'] },
    { name: localize({ en: 'Undo this', zh: '撤销这次更改' }), value: 'act', words: [...YES, '1'] },
    ...(differences.length > 1
      ? [{ name: localize({ en: 'Undo it in one file', zh: '只撤销其中一个文件' }), value: 'one', words: ['f', '4'] } as const]
      : []),
    ...(isNewest
      ? []
      : [
          {
            name: localize({ en: 'Undo this and everything since', zh: '撤销这次及之后的所有更改' }),
            value: 'later',
            words: ['a', '2'],
          } as const,
        ]),
  ];
  const way = await ui.questions?.decide(localize({ en: 'What should be done?', zh: '如何处理？' }), ways, undefined);
  switch (way) {
    case 'act':
    case 'later':
      return { number: n, andLater: way === 'later' };
    case 'one': {
      const path = await pickFile(differences, ui);
      return path === undefined ? undefined : { number: n, andLater: false, path };
    }
    case 'nothing':
    case undefined:
      return undefined;
  }
}

const pickFile = (differences: readonly FileDifference[], ui: CommandUi): Promise<string | undefined> =>
  selectOne(ui, {
    choices: differences.map(({ path, name }) => ({ name: clip(safeLine(name), ui.columns() - 4), value: path })),
    none: sameInBoth(noChangesText()),
    unasked: { en: 'Give the number of a change: /changes N', zh: '请给出更改的编号：/changes N' },
    which: { en: 'Which file?', zh: '哪个文件？' },
  });

export const slashDiff: SlashCommand = {
  name: 'diff',
  description: { en: 'what differs in files from the start of this session', zh: '文件与本会话开始时相比的差异' },
  run: async (_, { chat: { changes }, ui }) => {
    const differences = await changes.total();
    if (differences.length > 0) ui.screen.block(await differencesText(differences, drawingOn(ui)));
    else
      printLine(ui, 'plain', {
        en: 'No file that SanBot changed differs from what it was at the start of this session.',
        zh: 'SanBot 修改过的文件都与本会话开始时相同。',
      });
  },
};

const drawingOn = ({ screen, columns }: CommandUi) => ({ paint: screen.paint, columns: columns() });
