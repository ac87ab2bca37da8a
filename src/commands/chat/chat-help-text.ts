import type { Bilingual } from '../../domain/language.ts';

/** What the help of `sanbot` without a command says of the program and of each option. */
export const chatHelp = {
  program: {
    en: 'A terminal agent for long work: it never runs out of context and never loses anything.',
    zh: '面向长时间工作的终端智能体：上下文永不耗尽，内容从不丢失。',
  },
  version: { en: 'print the version', zh: '显示版本' },
  print: {
    en: 'answer one prompt and exit; piped input is added to the prompt, or is the prompt',
    zh: '回答一条提示词后退出；管道输入会附加到提示词，或直接作为提示词',
  },
  inputFormat: {
    en: 'how prompts are read in scripts; stream-json: one message in each line of stdin',
    zh: '无人值守时提示词的输入格式；stream-json：标准输入每行一条消息',
  },
  outputFormat: { en: 'the output format of --print', zh: '--print 的输出格式' },
  continue: { en: 'continue the last session used in this folder', zh: '继续此文件夹中最近使用的会话' },
  resume: {
    en: 'continue the session with this id, or with this part of an id; without one, choose from a list',
    zh: '按 id 或 id 的一部分继续会话；不指定时从列表中选择',
  },
  fork: {
    en: 'with --continue or --resume: continue in a copy, and leave the session unchanged',
    zh: '与 --continue 或 --resume 一起使用：在副本中继续，原会话保持不变',
  },
  model: { en: 'the model to use', zh: '使用的模型' },
  contextWindow: {
    en: "the size of the model's context window, if SanBot does not know it",
    zh: '模型上下文窗口的大小，在 SanBot 不知道时使用',
  },
  maxSteps: { en: 'stop a turn after this many steps', zh: '一轮最多执行的步数，超过即停止' },
  maxCost: { en: 'stop once the requests of this run have cost this much', zh: '本次运行的请求费用达到此金额时停止' },
  maxTurnSeconds: { en: 'stop a turn that takes longer', zh: '一轮最长的秒数，超过即停止' },
  permissionMode: { en: 'what tools may do without asking', zh: '工具无需询问即可执行的范围' },
  allow: { en: 'tools that may run without asking, separated by commas', zh: '无需询问即可运行的工具，以逗号分隔' },
  sandbox: { en: 'run commands in a sandbox (default: where there is one)', zh: '在沙箱中运行命令（默认：有沙箱时使用）' },
  trust: {
    en: 'trust this folder for this run: use its settings, hooks and instruction files',
    zh: '本次运行信任此文件夹：使用其设置、钩子和指令文件',
  },
  group: { en: 'the group whose instructions, memories and archives to use', zh: '使用哪个组的指令、记忆和存档' },
  plain: {
    en: 'a conversation in plain lines, with nothing drawn: for screen readers and simple terminals',
    zh: '以纯文本逐行对话，不绘制界面：适合屏幕阅读器和简单终端',
  },
  noColor: { en: 'print no colours; counts for every command', zh: '不输出颜色；对所有命令有效' },
} as const satisfies Readonly<Record<string, Bilingual>>;

/** Command lines, each with what it does. */
export const chatExamples: readonly (readonly [line: string, does: Bilingual])[] = [
  ['sanbot', { en: 'start a conversation', zh: '开始对话' }],
  ['sanbot --continue', { en: 'continue where you left off', zh: '从上次停下的地方继续' }],
  ['sanbot -p "what does src/app.ts do?"', { en: 'print one answer', zh: '输出一次回答' }],
  ['git diff | sanbot -p "review this"', { en: 'add piped text to the prompt', zh: '把管道输入附加到提示词' }],
  [
    'sanbot history',
    { en: 'list the sessions; with --session ID, what you can go back to', zh: '列出会话；加 --session ID 则列出可回到的状态' },
  ],
];
