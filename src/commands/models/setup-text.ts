import type { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { Trial } from './try-model.ts';

export const noTerminal: Bilingual = {
  en: 'sanbot setup asks at a terminal, and there is none here',
  zh: 'sanbot setup 需要在终端上提问，但这里没有终端',
};
export const noTerminalHint: Bilingual = {
  en: 'Set the model in the environment (ANTHROPIC_API_KEY; or SANBOT_PROVIDER, SANBOT_MODEL and a key) or in config.json: docs/models.md has a line for each service.',
  zh: '请在环境变量（ANTHROPIC_API_KEY；或 SANBOT_PROVIDER、SANBOT_MODEL 和密钥）或 config.json 中设置模型：docs/models.md 列出了各服务的写法。',
};

export const setupTexts = {
  firstStart: {
    en: 'No model is set up yet. Choose one now, or later with: sanbot setup\n',
    zh: '还没有设置模型。现在选择，或以后运行：sanbot setup\n',
  },
  looking: { en: 'Looking for servers on this machine...\n', zh: '正在查找本机的服务器…\n' },
  whichService: { en: 'Which model do you want to work with?', zh: '你想使用哪个模型？' },
  address: { en: 'Address (it ends in /v1 on most servers):', zh: '地址（多数服务器以 /v1 结尾）：' },
  optionalKey: { en: 'Key (none: Enter):', zh: '密钥（没有则按 Enter）：' },
  keyRefused: { en: 'The key was refused.\n', zh: '密钥被拒绝。\n' },
  whichModel: { en: 'Which model?', zh: '哪个模型？' },
  name: { en: 'Name of the model:', zh: '模型名称：' },
  noList: { en: 'No models are listed there.\n', zh: '那里没有列出模型。\n' },
  cancelled: { en: 'Nothing was changed.\n', zh: '没有做任何更改。\n' },
  chooseTip: {
    en: 'a number, or arrow keys and Enter; Esc goes back, Ctrl-C changes nothing',
    zh: '数字，或方向键和 Enter 选择；Esc 返回，Ctrl-C 保持原样',
  },
} as const satisfies Readonly<Record<string, Bilingual>>;

export const choiceNames = {
  claudeKeyFound: (variable: string) => localize({ en: `Claude, with the key in ${variable}`, zh: `Claude，使用 ${variable} 中的密钥` }),
  claudeKeyTyped: () => localize({ en: 'Claude, with a key that you type', zh: 'Claude，输入密钥' }),
  openaiKeyFound: (host: string) =>
    localize({ en: `${safeLine(host)}, with the key in OPENAI_API_KEY`, zh: `${safeLine(host)}，使用 OPENAI_API_KEY 中的密钥` }),
  localServer: (title: string, port: number, models: number) =>
    localize({
      en: `${title} on this machine (port ${port}, ${pluralize(models, 'model')})`,
      zh: `本机的 ${title}（端口 ${port}，${formatCount(models)} 个模型）`,
    }),
  openaiKeyTyped: () => localize({ en: 'OpenAI, with a key that you type', zh: 'OpenAI，输入密钥' }),
  openRouter: () => localize({ en: 'OpenRouter, with a key that you type', zh: 'OpenRouter，输入密钥' }),
  otherEndpoint: () =>
    localize({ en: 'Another server, yours or a service: type its address', zh: '其他服务器（自己的或服务商的）：输入地址' }),
  offline: () => localize({ en: 'Offline: no language model', zh: '离线：没有语言模型' }),
  leave: () => localize({ en: 'Leave everything as it is', zh: '保持原样' }),
  otherModel: () => localize({ en: 'another: type its name', zh: '其他：输入名称' }),
} as const;

export const keyQuestion = (host: string): string => localize({ en: `Key for ${safeLine(host)}:`, zh: `${safeLine(host)} 的密钥：` });
export const badAddress = (address: string): string =>
  localize({ en: `That is not an http(s) address: ${safeLine(address)}\n`, zh: `这不是 http(s) 地址：${safeLine(address)}\n` });
export const noAnswerAt = (address: string): string =>
  localize({ en: `Nothing answers at ${safeLine(address)}\n`, zh: `${safeLine(address)} 没有应答\n` });
export const tryingText = (model: string): string =>
  localize({ en: `Trying ${safeLine(model)} with one small request...\n`, zh: `正在向 ${safeLine(model)} 发送一个小请求…\n` });

export function trialFailedText({ shown }: SanbotError): string {
  const [message, hint] = [safeLine(localize(shown.message)), safeLine(localize(shown.hint))];
  return localize({
    en: `It does not work: ${message}\n${hint}\nNothing was changed. Choose again:\n`,
    zh: `无法使用：${message}\n${hint}\n没有做任何更改。请重新选择：\n`,
  });
}

export function trialPassedText(trial: Extract<Trial, { kind: 'answered' }>, path: string): string {
  const { windowTokens, assumed } = trial.facts;
  const [model, window] = [safeLine(trial.model), formatCount(windowTokens)];
  const warnings = [...trial.aboutWindow, ...trial.aboutTools].map((line) => `${safeLine(localize(line))}\n`).join('');
  return localize({
    en: `It answers: ${model}, window ${window} tokens${assumed ? ', assumed: set contextWindow if you know it' : ''}.\n${warnings}Saved in ${safeLine(path)}.\n`,
    zh: `可以使用：${model}，窗口 ${window} token${assumed ? '（假定值：如果知道，请设置 contextWindow）' : ''}。\n${warnings}已保存到 ${safeLine(path)}。\n`,
  });
}

export const offlineSavedText = (path: string): string =>
  localize({ en: `SanBot works offline. Saved in ${safeLine(path)}.\n`, zh: `SanBot 将离线工作。已保存到 ${safeLine(path)}。\n` });

export const overriddenText = (variables: readonly string[]): string =>
  localize({
    en: `${variables.join(' and ')} ${variables.length === 1 ? 'is set in the environment, and wins' : 'are set in the environment, and win'} over the file.\n`,
    zh: `环境变量 ${variables.join('、')} 已设置，优先于该文件。\n`,
  });
