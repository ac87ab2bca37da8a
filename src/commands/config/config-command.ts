import type { Bilingual } from '../../domain/language.ts';
import { defineCommand, defineCommandGroup, grammarOf } from '../command.ts';
import type { ConfigOptions } from './show-config.ts';

const configSubcommand = (what: ConfigOptions['what'], description: Bilingual) =>
  defineCommand({
    grammar: () => grammarOf(what, description).json(),
    load: () => import('./show-config.ts'),
    run: async (options, context, load) => (await load()).showConfig({ ...options, what }, context),
  });

const showCommand = defineCommand({
  grammar: () =>
    grammarOf('show', { en: 'show every setting in force, and where it comes from', zh: '显示所有生效的设置及其来源' })
      .argument('[key]', {
        en: 'only those that begin so; of a single one, what it does too',
        zh: '仅以此开头的设置；只有一项时也说明其作用',
      })
      .option('--trust', { en: 'as if this folder were trusted', zh: '视为已信任此文件夹' })
      .json(),
  load: () => import('./show-config.ts'),
  run: async (options, { operands: [key], ...context }, load) => (await load()).showConfig({ ...options, key, what: 'show' }, context),
});

export const configCommand = defineCommandGroup(
  () => grammarOf('config', { en: 'show or check the settings', zh: '显示或检查设置' }),
  [
    showCommand,
    configSubcommand('path', { en: 'show the files that settings come from', zh: '显示设置来自哪些文件' }),
    configSubcommand('validate', { en: 'check the settings; exit code 2 if they are wrong', zh: '检查设置；有错误时退出码为 2' }),
  ],
);
