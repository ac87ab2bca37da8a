import { type CommandSpec, homeOption, jsonOption } from '../command.ts';
import { parseTime } from '../values.ts';

export const metricsCommand: CommandSpec = {
  name: 'metrics',
  summary: 'the figures of your own sessions, against their targets, from the audit log',
  options: [
    { flags: '--since <time>', description: 'not before: 2026-01-31, 2026-01-31T09:00Z, or 30m, 2h, 7d ago' },
    { flags: '--session <id>', description: 'of one session' },
    { ...jsonOption, conflicts: ['prometheus'] },
    { flags: '--prometheus', description: 'print the text that Prometheus reads' },
    homeOption,
  ],
  examples: [['sanbot metrics --since 7d', 'the last week']],
  notes: [
    'Ended well: turns that the model ended by itself. Calls made again: tool calls that the same session had made before, word for word.',
    'Facts: names, errors, constraints and decisions that a compaction took out of the context, looked for right after it.',
  ],
  run: async (given, actions) => {
    const since = parseTime('--since', given.text('since'), given.now);
    const format = given.flag('json') ? 'json' : given.flag('prometheus') ? 'prometheus' : 'table';
    return (await actions()).metrics({ home: given.text('home'), since, session: given.text('session'), format });
  },
};
