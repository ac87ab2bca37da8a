import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, Option, sessionOption } from '../command.ts';

export const exportCommand = defineCommand({
  grammar: () =>
    new Command('export')
      .description(
        localize({
          en: 'write a session to one file: complete (jsonl, for sanbot import), or to read (md, html)',
          zh: '将会话写入一个文件：完整内容（jsonl，供 sanbot import 使用），或供阅读（md、html）',
        }),
      )
      .addOption(sessionOption(localize({ en: 'the session to export', zh: '要导出的会话' })))
      .addOption(
        new Option(
          '--format <format>',
          localize({
            en: "the file's format (default: from the end of its name; jsonl without one)",
            zh: '文件格式（默认：由文件扩展名决定；没有扩展名则为 jsonl）',
          }),
        ).choices(['jsonl', 'md', 'html']),
      )
      .option(
        '-o, --output <file>',
        localize({
          en: 'the file to write (default: stdout); an existing file is never overwritten',
          zh: '要写入的文件（默认：标准输出）；从不覆盖已有文件',
        }),
      )
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples([
          'sanbot export --session ID -o session.jsonl',
          localize({
            en: 'take a session with you; sanbot import session.jsonl brings it back',
            zh: '把会话带走；用 sanbot import session.jsonl 再导入',
          }),
        ]),
      ),
  load: () => import('./export-session.ts'),
  run: async (options, context, load) => (await load()).exportSession(options, context),
});
