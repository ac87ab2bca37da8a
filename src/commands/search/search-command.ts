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
  sinceOption,
} from '../command.ts';

const DEFAULT_LIMIT = 10;

export const searchCommand = defineCommand({
  grammar: (environment: Environment) =>
    new Command('search')
      .description('find in all that was ever said or seen: messages, calls with their results, memories')
      .argument('<query...>', 'words, parts of names, or word* for a beginning')
      .option('--session <id>', 'in one session')
      .option('--tool <name>', 'calls of one tool')
      .addOption(new Option('--role <role>', 'what the user or the assistant said, or calls with their results').choices(recallRoles))
      .option('--errors', 'calls that failed')
      .addOption(sinceOption(environment))
      .addOption(
        new Option('--limit <n>', 'most hits')
          .argParser((text) => parseWholeNumber('--limit', text, 1))
          .default(DEFAULT_LIMIT, `"${DEFAULT_LIMIT}"`),
      )
      .addOption(groupOption('of this group'))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot search retry delay', 'the places with all words first, then those with some'],
          ['sanbot search --errors npm test', 'how a command failed'],
          ['sanbot search "compac*"', 'words that begin so'],
        ),
      ),
  load: () => import('./search.ts'),
  run: async (options, { operands: [words], ...context }, load) => (await load()).showHits({ ...options, query: words.join(' ') }, context),
});
