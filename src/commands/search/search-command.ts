import { recallRoles } from '../../domain/recall.ts';
import type { Environment } from '../../runtime/environment.ts';
import {
  Command,
  defineCommand,
  examples,
  groupOption,
  homeOption,
  jsonOption,
  Option,
  parseWholeNumber,
  requireText,
  sinceOption,
  untilOption,
} from '../command.ts';

const DEFAULT_LIMIT = 10;

export const searchCommand = defineCommand({
  grammar: (environment: Environment) =>
    new Command('search')
      .description('search everything that was ever said or seen: messages, tool calls with their results, memories')
      .argument('[query...]', 'words, parts of names, or word* for words that begin with it; optional with --errors, --decisions or a time')
      .option('--session <id>', 'only in this session')
      .option('--tool <name>', 'only calls of this tool')
      .addOption(
        new Option('--role <role>', 'only what the user or the assistant said, or only tool calls with their results').choices(recallRoles),
      )
      .option('--errors', 'only tool calls that failed')
      .option('--decisions', 'only what states a decision')
      .addOption(sinceOption(environment))
      .addOption(untilOption(environment))
      .option('--all', 'rank all folders alike, in place of this project first')
      .addOption(
        new Option('--limit <n>', 'the most results to show')
          .argParser((text) => parseWholeNumber('--limit', text, 1))
          .default(DEFAULT_LIMIT),
      )
      .addOption(groupOption('only in this group'))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot search retry delay', 'results with all the words come first, then those with some of them'],
          ['sanbot search --errors npm test', 'see how a command failed'],
          ['sanbot search --decisions --since 7d', 'what was decided in the last week, the newest first'],
          ['sanbot search "compac*"', 'find words that begin with compac'],
        ),
      ),
  load: () => import('./search.ts'),
  run: async (options, { operands: [words], ...context }, load) => {
    const hasFilter = options.errors || options.decisions || options.since !== undefined || options.until !== undefined;
    const query = hasFilter ? words.join(' ') : requireText('What to search for', words);
    return (await load()).showHits({ ...options, query }, context);
  },
});
