import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, notes, sessionOption } from '../command.ts';

export const reportCommand = defineCommand({
  grammar: () =>
    new Command('report')
      .description(
        localize({
          en: 'write one HTML page about a session: its context over time, every change to it, turns, tools, files, cost',
          zh: '生成会话的 HTML 报告：上下文的变化过程、每次更改、轮次、工具、文件、费用',
        }),
      )
      .addOption(sessionOption(localize({ en: 'the session to report on', zh: '要生成报告的会话' })))
      .option(
        '--html <file>',
        localize({
          en: 'the file to write; an existing file is never overwritten (default: sanbot-report-ID.html in this folder)',
          zh: '要写入的文件；从不覆盖已有文件（默认：此文件夹中的 sanbot-report-ID.html）',
        }),
      )
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          localize({
            en: 'The page has the first line of each of your messages, without anything that looks like a secret, and the names of files and commands.',
            zh: '报告包含你每条消息的第一行（去除疑似密钥的内容），以及文件名和命令名。',
          }),
          localize({
            en: 'It has no answers, no file contents and no command output. A session in use is shown as it is now.',
            zh: '不包含回答、文件内容和命令输出。使用中的会话按当前状态显示。',
          }),
        ),
      )
      .addHelpText(
        'after',
        examples(
          ['sanbot report', localize({ en: 'the last session of this folder', zh: '此文件夹中最近使用的会话' })],
          [
            'sanbot report --session ID --html report.html',
            localize({ en: 'one file to open in a browser; it needs no network', zh: '用浏览器打开的单个文件，不需要网络' }),
          ],
        ),
      ),
  load: () => import('./report.ts'),
  run: async (options, context, load) => (await load()).writeReport(options, context),
});
