import { localize } from '../../domain/language.ts';
import type { Environment } from '../../runtime/environment.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, notes, sinceOption } from '../command.ts';

export const metricsCommand = defineCommand({
  grammar: (environment: Environment) =>
    new Command('metrics')
      .description(
        localize({
          en: 'compare the figures of your sessions with their targets, from the audit log',
          zh: '根据审计日志，将会话指标与目标值比较',
        }),
      )
      .addOption(sinceOption(environment))
      .option('--session <id>', localize({ en: 'only this session', zh: '只看这个会话' }))
      .addOption(jsonOption().conflicts('prometheus'))
      .option('--prometheus', localize({ en: 'print the text format that Prometheus reads', zh: '输出 Prometheus 可读取的文本格式' }))
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          localize({
            en: 'Ended well: turns that the model ended by itself. Calls made again: tool calls that the same session had made before, word for word.',
            zh: '正常结束：由模型自行结束的轮次。重复调用：同一会话中与之前完全相同的工具调用。',
          }),
          localize({
            en: 'Facts: names, errors, constraints and decisions that a compaction took out of the context, looked for right after it.',
            zh: '事实：因压缩移出上下文的名称、错误、约束和决策，压缩后立即查找，看能否找回。',
          }),
        ),
      )
      .addHelpText('after', examples(['sanbot metrics --since 7d', localize({ en: 'the last week', zh: '最近一周' })])),
  load: () => import('./metrics.ts'),
  run: async ({ json, prometheus, ...options }, context, load) =>
    (await load()).showMetrics({ ...options, format: json ? 'json' : prometheus ? 'prometheus' : 'table' }, context),
});
