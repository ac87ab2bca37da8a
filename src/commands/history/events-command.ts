import { SanbotError } from '../../domain/errors.ts';
import { auditTypes } from '../../domain/event.ts';
import { inspectText, nearest } from '../../domain/text.ts';
import { type CommandSpec, homeOption, jsonOption } from '../command.ts';
import { parseTime } from '../values.ts';

export const eventsCommand: CommandSpec = {
  name: 'events',
  summary: 'the audit log: what happened, without what was said',
  options: [
    { flags: '--session <id>', description: 'of one session' },
    { flags: '--type <type>', description: 'of one type, as compacted' },
    { flags: '--since <time>', description: 'not before: 2026-01-31, 2026-01-31T09:00Z, or 30m, 2h, 7d ago' },
    { flags: '-f, --follow', description: 'go on with what comes, until Ctrl-C' },
    jsonOption,
    homeOption,
  ],
  examples: [['sanbot events --type compacted --since 7d', 'the compactions of the last week']],
  run: async (given, actions) => {
    const since = parseTime('--since', given.text('since'), given.now);
    const type = parseEventType(given.text('type'));
    const { events } = await actions();
    return events({
      home: given.text('home'),
      session: given.text('session'),
      type,
      since,
      follow: given.flag('follow'),
      json: given.flag('json'),
    });
  },
};

function parseEventType(type: string | undefined): string | undefined {
  if (type === undefined || auditTypes.includes(type)) return type;
  const suggestion = nearest(type, auditTypes);
  throw new SanbotError('usage', `--type: there is no event ${inspectText(type)}`, {
    hint: suggestion === undefined ? `They are ${auditTypes.join(', ')}.` : `Did you mean ${suggestion}?`,
  });
}
