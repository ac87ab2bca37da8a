import { Command, defineCommand, examples, homeOption, notes } from '../command.ts';

export const importCommand = defineCommand({
  grammar: () =>
    new Command('import')
      .description('import a session, so that you can continue it here: from sanbot export (verified), or from another agent')
      .argument('<file>', 'the file to import')
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          'Reads files from sanbot export; sessions of Claude Code, Codex, pi, Gemini CLI, SWE-agent or aider; and messages as JSON in the format',
          'of Anthropic or OpenAI. It recognises the format by the content. It counts and reports what it leaves out: what is not a message, and what is damaged.',
        ),
      )
      .addHelpText('after', examples(['sanbot import ~/.claude/projects/p/session.jsonl', 'continue here what another agent began'])),
  load: () => import('./import-session.ts'),
  run: async (options, { operands: [file], ...context }, load) => (await load()).importSession({ ...options, file }, context),
});
