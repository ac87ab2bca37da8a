import { SanbotError } from '../../domain/errors.ts';
import { type CommandSpec, homeOption, jsonOption } from '../command.ts';

export const compactCommand: CommandSpec = {
  name: 'compact',
  summary: 'summarise the older messages of a session, or show first what that would do',
  options: [
    { flags: '--session <id>', description: 'the session', required: true },
    { flags: '--preview', description: 'make the summary and show it, then ask; where nobody can be asked, discard it' },
    { flags: '--yes', description: 'with --preview: do not ask, commit what was shown' },
    { flags: '--instructions <text>', description: 'what to keep, in your words' },
    jsonOption,
    homeOption,
  ],
  examples: [
    ['sanbot compact --session ID', 'compact now; sanbot rollback undoes it'],
    ['sanbot compact --session ID --preview', 'see the summary, then commit, edit or discard it'],
  ],
  run: async (given, actions) => {
    const session = given.text('session');
    if (session === undefined) throw new SanbotError('usage', '--session ID is missing');
    const preview = given.flag('preview');
    const yes = given.flag('yes');
    if (yes && !preview) throw new SanbotError('usage', '--yes answers the question of --preview; without that, nothing is asked');
    const { compact } = await actions();
    return compact({
      home: given.text('home'),
      session,
      preview,
      yes,
      json: given.flag('json'),
      instructions: given.text('instructions'),
    });
  },
};
