import { Command, defineCommand, examples, homeOption, notes } from '../command.ts';

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
