import type { Environment } from '../../runtime/environment.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, notes, sinceOption } from '../command.ts';

export const metricsCommand = defineCommand({
  grammar: (environment: Environment) =>
    new Command('metrics')
      .description('compare the figures of your sessions with their targets, from the audit log')
      .addOption(sinceOption(environment))
      .option('--session <id>', 'only this session')
      .addOption(jsonOption().conflicts('prometheus'))
      .option('--prometheus', 'print the text format that Prometheus reads')
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          'Ended well: turns that the model ended by itself. Calls made again: tool calls that the same session had made before, word for word.',
          'Facts: names, errors, constraints and decisions that a compaction took out of the context, looked for right after it.',
        ),
      )
      .addHelpText('after', examples(['sanbot metrics --since 7d', 'the last week'])),
  load: () => import('./metrics.ts'),
  run: async ({ json, prometheus, ...options }, context, load) =>
    (await load()).showMetrics({ ...options, format: json ? 'json' : prometheus ? 'prometheus' : 'table' }, context),
});
