import { type Bilingual, localize } from '../../domain/language.ts';
import { Command, defineCommand, defineCommandGroup, homeOption, jsonOption } from '../command.ts';
import type { ConfigOptions } from './show-config.ts';

const configSubcommand = (what: ConfigOptions['what'], description: Bilingual) =>
  defineCommand({
    grammar: () => new Command(what).description(localize(description)).addOption(jsonOption()).addOption(homeOption()),
    load: () => import('./show-config.ts'),
    run: async (options, context, load) => (await load()).showConfig({ ...options, what }, context),
  });

const showCommand = defineCommand({
  grammar: () =>
    new Command('show')
      .description(localize({ en: 'show every setting in force, and where it comes from', zh: '显示所有生效的设置及其来源' }))
      .argument(
        '[key]',
        localize({ en: 'only those that begin so; of a single one, what it does too', zh: '仅以此开头的设置；只有一项时也说明其作用' }),
      )
      .option('--trust', localize({ en: 'as if this folder were trusted', zh: '视为已信任此文件夹' }))
      .addOption(jsonOption())
      .addOption(homeOption()),
  load: () => import('./show-config.ts'),
  run: async (options, { operands: [key], ...context }, load) => (await load()).showConfig({ ...options, key, what: 'show' }, context),
});

export const configCommand = defineCommandGroup(
  () => new Command('config').description(localize({ en: 'show or check the settings', zh: '显示或检查设置' })),
  [
    showCommand,
    configSubcommand('path', { en: 'show the files that settings come from', zh: '显示设置来自哪些文件' }),
    configSubcommand('validate', { en: 'check the settings; exit code 2 if they are wrong', zh: '检查设置；有错误时退出码为 2' }),
  ],
);
