import { SanbotError } from '../../domain/errors.ts';
import { auditTypes } from '../../domain/event.ts';
import { inspectText, nearest } from '../../domain/text.ts';
import type { Environment } from '../../runtime/environment.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, Option, sinceOption } from '../command.ts';

export const eventsCommand = defineCommand({
  grammar: (environment: Environment) =>
    new Command('events')
      .description('show the audit log: what happened, but not what was said')
      .option('--session <id>', 'only this session')
      .addOption(new Option('--type <type>', 'only events of this type, such as compacted').argParser(parseEventType))
      .addOption(sinceOption(environment))
      .option('-f, --follow', 'keep showing new events until Ctrl-C')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot events --type compacted --since 7d', 'the compactions of the last week'])),
  load: () => import('./events.ts'),
  run: async (options, context, load) => (await load()).showEvents(options, context),
});

function parseEventType(type: string): string {
  if (auditTypes.includes(type)) return type;
  const suggestion = nearest(type, auditTypes);
  throw new SanbotError('usage', `--type: there is no event type ${inspectText(type)}`, {
    hint: suggestion === undefined ? `The types are ${auditTypes.join(', ')}.` : `Did you mean ${suggestion}?`,
  });
}
