import { SanbotError } from '../../domain/errors.ts';
import { expandCommand, useSkill } from '../../domain/session/skill.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/**
 * What a prompt without a person says to the model: /NAME of the user's own commands or of a skill stands for its text, as in a conversation.
 * Throws usage for a command whose file is wrong, and for one that only a conversation has: the model could do nothing with its name.
 */
export async function expandTyped(text: string, { commands, skills }: Pick<Runtime, 'commands' | 'skills'>): Promise<string> {
  if (!text.trimStart().startsWith('/')) return text;
  const [{ parseCommand }, { commandNames }] = await Promise.all([
    import('../../terminal/slash/command.ts'),
    import('../../terminal/slash/slash-commands.ts'),
  ]);
  const typed = parseCommand(text);
  if (typed === undefined) return text;
  const { name, argument } = typed;
  const broken = commands.broken.get(name);
  const own = commands.commands.find((each) => each.name === name);
  const skill = skills.skills.find((each) => each.name.toLowerCase() === name);
  if (commandNames.includes(name))
    throw new SanbotError(
      'usage',
      { en: `/${name} is a command of a conversation, and was not sent`, zh: `/${name} 是对话中的命令，没有发送` },
      {
        en: 'Start sanbot and type it there; sanbot --help lists what a script can run.',
        zh: '请启动 sanbot 并在其中输入；sanbot --help 列出脚本可运行的命令。',
      },
    );
  if (own !== undefined) return expandCommand(own.body, argument);
  if (broken !== undefined)
    throw new SanbotError('usage', broken, { en: 'Mend the file; nothing was sent.', zh: '请修正该文件；没有发送任何内容。' });
  return skill === undefined ? text : useSkill(skill.name, argument);
}
