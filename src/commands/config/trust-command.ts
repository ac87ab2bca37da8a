import { defineCommand, defineCommandGroup, grammarOf } from '../command.ts';

const aFolder = {
  en: 'a folder; its repository is what counts, where it is in one (default: this folder)',
  zh: '文件夹；位于仓库中时以仓库为准（默认：此文件夹）',
};

const addCommand = defineCommand({
  grammar: () =>
    grammarOf('add', {
      en: 'trust a folder, after a list of what its files ask SanBot to use',
      zh: '列出文件夹中的文件要求 SanBot 使用的内容，然后信任该文件夹',
    })
      .argument('[folder]', aFolder)
      .option('-y, --yes', { en: 'do not ask for confirmation', zh: '不要求确认' })
      .json(),
  load: () => import('./trust.ts'),
  run: async (options, { operands: [folder], ...context }, load) => (await load()).addTrust(options, folder, context),
});

const listCommand = defineCommand({
  grammar: () => grammarOf('list', { en: 'list the folders that you have trusted', zh: '列出你信任的文件夹' }).json(),
  load: () => import('./trust.ts'),
  run: async (options, context, load) => (await load()).listTrust(options, context),
});

const removeCommand = defineCommand({
  grammar: () => grammarOf('remove', { en: 'no longer trust a folder', zh: '不再信任某个文件夹' }).argument('[folder]', aFolder).json(),
  load: () => import('./trust.ts'),
  run: async (options, { operands: [folder], ...context }, load) => (await load()).removeTrust(options, folder, context),
});

export const trustCommand = defineCommandGroup(
  () =>
    grammarOf('trust', {
      en: 'choose the projects whose settings, hooks and instructions may be used',
      zh: '管理哪些项目的设置、钩子和指令可以使用',
    })
      .notes({
        en: 'In a folder that is not trusted, nothing of its .sanbot.json is used. sanbot asks about it when you start a conversation there; --trust says yes for one run.',
        zh: '在不受信任的文件夹中，.sanbot.json 的任何内容都不会使用。在其中开始对话时 sanbot 会询问；--trust 表示本次运行同意。',
      })
      .examples({
        'sanbot trust add': { en: 'trust this folder', zh: '信任此文件夹' },
        'sanbot trust add --yes ~/project': { en: 'without being asked, as in a script', zh: '不询问，例如在脚本中' },
        'sanbot trust remove': { en: 'take it back', zh: '撤销信任' },
      }),
  [addCommand, listCommand, removeCommand],
);
