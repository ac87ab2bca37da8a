import { SanbotError } from '../../domain/errors.ts';
import { auditTypes } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import { inspectText, nearest } from '../../domain/text.ts';
import type { Environment } from '../../runtime/environment.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, Option, sinceOption } from '../command.ts';
import { didYouMean } from '../usage/usage-errors.ts';

export const eventsCommand = defineCommand({
  grammar: (environment: Environment) =>
    new Command('events')
      .description(
        localize({ en: 'show the audit log: what happened, but not what was said', zh: '显示审计日志：发生了什么，但不包含对话内容' }),
      )
      .option('--session <id>', localize({ en: 'only this session', zh: '只看这个会话' }))
      .addOption(
        new Option(
          '--type <type>',
          localize({ en: 'only events of this type, such as compacted', zh: '只看这种类型的事件，例如 compacted' }),
        ).argParser(parseEventType),
      )
      .addOption(sinceOption(environment))
      .option('-f, --follow', localize({ en: 'keep showing new events until Ctrl-C', zh: '持续显示新事件，直到按下 Ctrl-C' }))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(['sanbot events --type compacted --since 7d', localize({ en: 'the compactions of the last week', zh: '最近一周的压缩' })]),
      ),
  load: () => import('./events.ts'),
  run: async (options, context, load) => (await load()).showEvents(options, context),
});

function parseEventType(type: string): string {
  if (auditTypes.includes(type)) return type;
  const suggestion = nearest(type, auditTypes);
  throw new SanbotError(
    'usage',
    { en: `--type: there is no event type ${inspectText(type)}`, zh: `--type：没有事件类型 ${inspectText(type)}` },
    {
      hint:
        suggestion === undefined
          ? { en: `The types are ${auditTypes.join(', ')}.`, zh: `可用的类型：${auditTypes.join(', ')}。` }
          : didYouMean(suggestion),
    },
  );
}
