import { toolNames } from '../../domain/permission.ts';
import { defineCommand, grammarOf } from '../command.ts';

/** `agents`: helpers with instructions of their own, from files. */
export const agentsCommand = defineCommand({
  grammar: () =>
    grammarOf('agents', {
      en: 'list the agents of your home and of this folder, and what is wrong with their files',
      zh: '列出你的主目录和此文件夹中的代理，以及其文件中的问题',
    })
      .option('--trust', { en: 'trust this folder for this run, so that its agents count', zh: '本次运行信任此文件夹，使其代理生效' })
      .json()
      .notes({ en: `Tools that a file can name: ${toolNames.join(', ')}.`, zh: `文件中可用的工具：${toolNames.join('、')}。` }),
  load: () => import('./agents.ts'),
  run: async (options, context, load) => (await load()).listAgents(options, context),
});
