import { SanbotError } from '../../domain/errors.ts';
import { exportFormats } from '../actions.ts';
import { type CommandSpec, homeOption } from '../command.ts';
import { parseChoice } from '../values.ts';

export const exportCommands: readonly CommandSpec[] = [
  {
    name: 'export',
    summary: 'a session as one file: whole (jsonl, for sanbot import), or to read (md, html)',
    options: [
      { flags: '--session <id>', description: 'the session', required: true },
      { flags: '--format <format>', description: 'form of the file (default: as its name ends, else jsonl)', choices: exportFormats },
      { flags: '-o, --output <file>', description: 'where to write it (default: stdout); never over another file' },
      homeOption,
    ],
    examples: [['sanbot export --session ID -o session.jsonl', 'take a session along; sanbot import session.jsonl brings it back']],
    run: async (given, actions) => {
      const session = given.text('session');
      if (session === undefined) throw new SanbotError('usage', '--session ID is missing');
      const asked = given.text('format');
      const format = asked === undefined ? undefined : parseChoice('--format', asked, exportFormats);
      return (await actions()).exportSession({ home: given.text('home'), session, format, file: given.text('output') });
    },
  },
  {
    name: 'import',
    summary: 'a session from a file: of sanbot export, verified, or of another agent, to go on with here',
    operands: [['<file>', 'the file']],
    options: [homeOption],
    examples: [['sanbot import ~/.claude/projects/p/session.jsonl', 'go on here with what another agent began']],
    notes: [
      'Files of sanbot export; sessions of Claude Code, Codex, pi, Gemini CLI, SWE-agent or aider; messages as JSON in the shape of',
      'Anthropic or OpenAI. The format is told by the content. What is no message is counted and told, and so is what is damaged.',
    ],
    run: async (given, actions) => (await actions()).importSession({ home: given.text('home'), file: given.operands[0] ?? '' }),
  },
];
