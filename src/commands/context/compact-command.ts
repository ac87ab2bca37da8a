import { SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, sessionOption } from '../command.ts';

export const compactCommand = defineCommand({
  grammar: () =>
    new Command('compact')
      .description(
        localize({
          en: 'summarise the older messages of a session, or preview the summary first',
          zh: '为会话中较早的消息生成摘要，也可先预览摘要',
        }),
      )
      .addOption(sessionOption(localize({ en: 'the session to compact', zh: '要压缩的会话' })))
      .option(
        '--preview',
        localize({
          en: 'make the summary, show it and ask whether to commit it; without a terminal, discard it',
          zh: '生成并显示摘要，询问是否提交；没有终端时丢弃',
        }),
      )
      .option(
        '--yes',
        localize({ en: 'with --preview: commit the summary without asking', zh: '与 --preview 一起使用：不询问，直接提交摘要' }),
      )
      .option(
        '--instructions <text>',
        localize({ en: 'what the summary should keep, in your own words', zh: '用自己的话说明摘要应保留什么' }),
      )
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          [
            'sanbot compact',
            localize({
              en: 'compact the last session of this folder; sanbot rollback --last undoes it',
              zh: '压缩此文件夹中最近使用的会话；用 sanbot rollback --last 撤销',
            }),
          ],
          [
            'sanbot compact --session ID --preview',
            localize({ en: 'see the summary, then commit, edit or discard it', zh: '查看摘要，然后提交、编辑或丢弃' }),
          ],
        ),
      ),
  load: () => import('./compact.ts'),
  run: async (options, context, load) => {
    if (options.yes && !options.preview)
      throw new SanbotError('usage', {
        en: '--yes only works with --preview; without --preview, sanbot compact does not ask',
        zh: '--yes 只能与 --preview 一起使用；不加 --preview 时，sanbot compact 不会询问',
      });
    return (await load()).compactSession(options, context);
  },
});
