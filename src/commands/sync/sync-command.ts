import { defineCommand, grammarOf, requireText } from '../command.ts';

const load = () => import('./sync.ts');
const loadFolders = () => import('./folders.ts');

const folderText = { en: 'the folder', zh: '文件夹' };
const folderOperand = { en: 'The folder', zh: '文件夹' };

const addCommand = defineCommand({
  grammar: () =>
    grammarOf('add', {
      en: 'exchange with other machines through this folder from now on; it must be new, empty, or one that SanBot has used so',
      zh: '今后通过此文件夹与其他机器交换；它必须是新的、空的，或 SanBot 曾这样用过的',
    })
      .argument('<folder>', folderText)
      .option('--encrypt', {
        en: 'make it a folder in which only machines with your key can read: others see sizes',
        zh: '使其成为只有持有你密钥的机器才能读取的文件夹：其他人只能看到大小',
      }),
  load: loadFolders,
  run: async (options, { operands: [folder], ...context }, loadModule) =>
    (await loadModule()).addFolder({ ...options, folder: requireText(folderOperand, [folder]) }, context),
});

const removeCommand = defineCommand({
  grammar: () =>
    grammarOf('remove', {
      en: 'stop exchanging through this folder; what is in it stays',
      zh: '不再通过此文件夹交换；其中的内容保留',
    }).argument('<folder>', folderText),
  load: loadFolders,
  run: async (options, { operands: [folder], ...context }, loadModule) =>
    (await loadModule()).removeFolder({ ...options, folder: requireText(folderOperand, [folder]) }, context),
});

const statusCommand = defineCommand({
  grammar: () =>
    grammarOf('status', {
      en: 'show each folder, when it was last exchanged with, and what has yet to go there',
      zh: '显示各文件夹、上次交换的时间以及尚待送出的内容',
    }).json(),
  load,
  run: async (options, context, loadModule) => (await loadModule()).showFolders(options, context),
});

const forgetCommand = defineCommand({
  grammar: () =>
    grammarOf('forget', {
      en: 'wait no more for a machine that is gone for ever to confirm what was purged or deleted',
      zh: '不再等待一台永远不会回来的机器确认清除或删除',
    }).argument('<machine>', { en: 'its name, as sanbot doctor tells it', zh: '机器名，见 sanbot doctor' }),
  load,
  run: async (options, { operands: [machine], ...context }, loadModule) =>
    (await loadModule()).forgetMachine({ ...options, machine: requireText({ en: 'The machine', zh: '机器' }, [machine]) }, context),
});

const keyCommand = defineCommand({
  grammar: () =>
    grammarOf('key', {
      en: 'show the key of your encrypted folders, for another machine',
      zh: '显示你的加密文件夹的密钥，供另一台机器使用',
    })
      .option('--import', {
        en: 'take the key of another machine from stdin',
        zh: '从标准输入读取另一台机器的密钥',
      })
      .examples({
        'sanbot sync key | ssh desktop sanbot sync key --import': {
          en: 'bring the key to another machine',
          zh: '把密钥带到另一台机器',
        },
      }),
  load: loadFolders,
  run: async (options, context, loadModule) => (await loadModule()).showKey(options, context),
});

export const syncCommand = defineCommand({
  subcommands: [addCommand, removeCommand, statusCommand, forgetCommand, keyCommand],
  grammar: () =>
    grammarOf('sync', {
      en: 'exchange sessions and memories with your other machines, through folders that other software carries',
      zh: '通过由其他软件同步的文件夹，与你的其他机器交换会话和记忆',
    })
      .option('--dry-run', {
        en: 'list what would leave this machine, with sizes, but send nothing',
        zh: '只列出将离开本机的内容及大小，不发送',
      })
      .json()
      .option('--never <id>', { en: 'keep this session on this machine', zh: '让此会话只留在本机' })
      .examples({
        'sanbot sync add ~/Sync/sanbot': {
          en: 'once on each machine, with the folder that is carried',
          zh: '在每台机器上执行一次，指定被同步的文件夹',
        },
        'sanbot sync --dry-run': { en: 'see what would leave', zh: '查看什么会离开' },
        'sanbot sync': { en: 'exchange now, with every folder', zh: '立即与所有文件夹交换' },
      }),
  load,
  run: async (options, context, loadModule) => (await loadModule()).syncAll(options, context),
});
