import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, notes } from '../command.ts';

export const importCommand = defineCommand({
  grammar: () =>
    new Command('import')
      .description(
        localize({
          en: 'import a session, so that you can continue it here: from sanbot export (verified), or from another agent',
          zh: '导入会话以便在此继续：来自 sanbot export（经过校验），或来自其他智能体',
        }),
      )
      .argument('<file>', localize({ en: 'the file to import', zh: '要导入的文件' }))
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          localize({
            en: 'Reads files from sanbot export; sessions of Claude Code, Codex, pi, Gemini CLI, SWE-agent or aider; and messages as JSON in the format of Anthropic or OpenAI. It recognises the format by the content. It counts and reports what it leaves out: what is not a message, and what is damaged.',
            zh: '可读取 sanbot export 的文件，Claude Code、Codex、pi、Gemini CLI、SWE-agent 或 aider 的会话，以及 Anthropic 或 OpenAI 格式的 JSON 消息，格式根据内容识别。略过的内容（不是消息的部分和损坏的部分）会统计并报告。',
          }),
        ),
      )
      .addHelpText(
        'after',
        examples([
          'sanbot import ~/.claude/projects/p/session.jsonl',
          localize({ en: 'continue here what another agent began', zh: '在此继续其他智能体开始的工作' }),
        ]),
      ),
  load: () => import('./import-session.ts'),
  run: async (options, { operands: [file], ...context }, load) => (await load()).importSession({ ...options, file }, context),
});
