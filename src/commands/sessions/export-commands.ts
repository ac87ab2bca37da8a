import { Command, defineCommand, examples, homeOption, notes, Option } from '../command.ts';

export const exportCommand = defineCommand({
  grammar: () =>
    new Command('export')
      .description('a session as one file: whole (jsonl, for sanbot import), or to read (md, html)')
      .requiredOption('--session <id>', 'the session')
      .addOption(
        new Option('--format <format>', 'form of the file (default: as its name ends, else jsonl)').choices(['jsonl', 'md', 'html']),
      )
      .option('-o, --output <file>', 'where to write it (default: stdout); never over another file')
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(['sanbot export --session ID -o session.jsonl', 'take a session along; sanbot import session.jsonl brings it back']),
      ),
  load: () => import('./export-session.ts'),
  run: async (options, context, load) => (await load()).exportSession(options, context),
});

export const importCommand = defineCommand({
  grammar: () =>
    new Command('import')
      .description('a session from a file: of sanbot export, verified, or of another agent, to go on with here')
      .argument('<file>', 'the file')
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          'Files of sanbot export; sessions of Claude Code, Codex, pi, Gemini CLI, SWE-agent or aider; messages as JSON in the shape of',
          'Anthropic or OpenAI. The format is told by the content. What is no message is counted and told, and so is what is damaged.',
        ),
      )
      .addHelpText('after', examples(['sanbot import ~/.claude/projects/p/session.jsonl', 'go on here with what another agent began'])),
  load: () => import('./import-session.ts'),
  run: async (options, { operands: [file], ...context }, load) => (await load()).importSession({ ...options, file }, context),
});
