import { efforts } from '../../domain/config/effort.ts';
import { sandboxModes } from '../../domain/config/sandbox-mode.ts';
import { defineCommand, grammarOf, groupOption, modeOption, option, parseDollars } from '../command.ts';

export const acpCommand = defineCommand({
  grammar: () =>
    grammarOf('acp', {
      en: 'work in an editor: an agent of the Agent Client Protocol on standard input and output',
      zh: '在编辑器中工作：通过标准输入输出的 Agent Client Protocol 智能体',
    })
      .option('--model <name>', { en: 'the model of new sessions', zh: '新会话使用的模型' })
      .add(option('--effort <level>', { en: 'how hard the model thinks', zh: '模型思考的力度' }).choices(efforts))
      .add(modeOption({ en: 'what tools may do without asking, at first', zh: '开始时工具无需询问即可执行的范围' }))
      .add(
        option('--sandbox <mode>', {
          en: 'run commands in a sandbox (default: where there is one)',
          zh: '在沙箱中运行命令（默认：有沙箱时使用）',
        }).choices(sandboxModes),
      )
      .add(
        option('--max-cost <dollars>', {
          en: 'stop once the requests of a session have cost this much',
          zh: '一个会话的请求费用达到此金额时停止',
        }).argParser((text) => parseDollars('--max-cost', text)),
      )
      .option('--trust', { en: 'trust the folders that the editor opens', zh: '信任编辑器打开的文件夹' })
      .add(groupOption({ en: 'the group of new sessions', zh: '新会话所属的组' }))
      .option('--setup', {
        en: 'choose a model in this terminal, and exit: editors start it so',
        zh: '在此终端选择模型后退出：编辑器以此启动',
      })
      .notes({
        en: 'An editor starts it; docs/editors.md has the entry for each.',
        zh: '由编辑器启动；各编辑器的配置见 docs/editors.md。',
      })
      .examples({ 'sanbot acp': { en: 'what an editor runs', zh: '编辑器运行的命令' } }),
  load: () => import('./acp.ts'),
  run: async (options, context, load) => (await load()).runAcp(options, context),
});
