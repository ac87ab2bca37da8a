import { setValue } from '../../domain/config/config-text.ts';
import { localize } from '../../domain/language.ts';
import { isSet } from '../../model/http/choose-endpoint.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import { editUserConfig } from '../../store/config-file.ts';
import { pickOnTerminal } from '../../terminal/input/confirm.ts';
import { NO, YES } from '../../terminal/input/questions.ts';
import { wrap } from '../../terminal/text/text-width.ts';
import { say } from '../answer.ts';
import { type ChatOptions, isPlainTerminal } from '../chat/chat-options.ts';
import type { CommandContext } from '../command.ts';

const SETTING = 'permissions.sandboxedCommands';

/** Whatever the answer is becomes a setting, so that nobody is asked twice. Left with Ctrl-C, it is asked again. */
export async function settingsAfterSandbox(settings: Settings, options: ChatOptions, context: CommandContext): Promise<Settings> {
  const { environment, io } = context;
  const { env, stdout } = environment;
  const isOpen =
    settings.origins[SETTING] === 'default' && settings.config.commands.sandbox !== 'off' && options.permissionMode !== 'bypass';
  if (!isOpen || isPlainTerminal(options, environment) || stdout.isTTY !== true || isSet(env.CI)) return settings;
  const { probeSandbox } = await import('../../tools/command/sandbox/sandbox.ts');
  const probe = await probeSandbox({ env, platform: environment.platform, cwd: environment.cwd() });
  if (probe.kind === 'missing') return settings;
  const where = {
    en: 'Commands run in a sandbox here: they can write only in this folder, have no network, and /changes undoes them.',
    zh: '此处命令在沙箱中运行：只能写入此文件夹，没有网络，可用 /changes 撤销。',
  };
  io.out(`${wrap(localize(where), io.columns).join('\n')}\n`);
  const choices = [
    { name: localize({ en: '1 Yes, all that stay in it', zh: '1 是，不离开沙箱的都直接运行' }), value: 'run', words: [...YES, '1'] },
    {
      name: localize({ en: '3 No, ask unless one only reads', zh: '3 否，除只读命令外都询问我' }),
      value: 'ask',
      words: [...NO, '3'],
    },
  ] as const;
  const question = { en: 'May they run without asking you?', zh: '可以不询问你就运行它们吗？' };
  const answer = await pickOnTerminal(localize(question), choices, environment, 1);
  if (answer === undefined) {
    say(io, {
      en: 'Nothing was saved: commands ask first, and so does the next start.',
      zh: '未保存：命令运行前会询问，下次启动时会再次询问。',
    });
    return settings;
  }
  editUserConfig({ ...storeEnvironmentOf(environment, settings.home), warn: io.warn }, settings.home, (text) =>
    setValue(text, SETTING, answer),
  );
  say(io, { en: `Saved as ${SETTING}: ${answer}.`, zh: `已保存为 ${SETTING}：${answer}。` });
  return readSettings(environment, options);
}
