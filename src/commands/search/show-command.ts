import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const showCommand = defineCommand({
  grammar: () =>
    new Command('show')
      .description(localize({ en: 'print the full text of a search result', zh: '输出某条搜索结果的全文' }))
      .argument('<ref>', localize({ en: 'the reference that sanbot search prints', zh: 'sanbot search 输出的引用' }))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(['sanbot show REF', localize({ en: 'the text, and what comes before and after it', zh: '该文本及其前后内容' })]),
      ),
  load: () => import('./search.ts'),
  run: async (options, { operands: [ref], ...context }, load) => (await load()).showOriginal({ ...options, ref }, context),
});
