import { type Bilingual, sameInBoth } from '../../domain/language.ts';
import { nearest } from '../../domain/text.ts';

export const didYouMean = (name: string): Bilingual => ({ en: `Did you mean ${name}?`, zh: `是否想输入 ${name}？` });

export function nearestHint(word: string, names: readonly string[], otherwise: Bilingual): Bilingual {
  const name = nearest(word, names);
  return name === undefined ? otherwise : didYouMean(name);
}

/** For who types the command of version 0.1.0. */
const replayMoved: Bilingual = {
  en: 'It is part of the source now: npm run bench:replay in a checkout.',
  zh: '它现在属于源代码：在检出目录里运行 npm run bench:replay。',
};

const noPlugins: Bilingual = {
  en: 'There are no plugins: skills, agents, commands, hooks and MCP servers are files of their own (sanbot config path).',
  zh: '没有插件：技能、代理、命令、钩子和 MCP 服务器各是单独的文件（sanbot config path）。',
};

/** Commands of Claude Code's that are none here. */
const otherCommands: readonly { readonly names: RegExp; readonly hint: Bilingual }[] = [
  {
    names: /^(?:auth|login|setup-token)$/,
    hint: { en: 'sanbot setup takes a key and tries it.', zh: '用 sanbot setup 输入密钥并测试。' },
  },
  {
    names: /^logout$/,
    hint: {
      en: 'A key is the setting model.apiKey (sanbot config path) or a variable.',
      zh: '密钥在设置 model.apiKey（sanbot config path）或环境变量中。',
    },
  },
  { names: /^plugins?$/, hint: noPlugins },
  {
    names: /^gateway$/,
    hint: {
      en: 'A gateway is the setting model.baseUrl, or ANTHROPIC_BASE_URL.',
      zh: '网关地址写在设置 model.baseUrl 或 ANTHROPIC_BASE_URL 中。',
    },
  },
  {
    names: /^(?:install|upgrade)$/,
    hint: { en: 'sanbot update says how it is brought up to date.', zh: '用 sanbot update 查看如何更新。' },
  },
  {
    names: /^auto-mode$/,
    hint: { en: 'sanbot permissions says what runs without asking.', zh: '用 sanbot permissions 查看哪些无需询问即可运行。' },
  },
  {
    names: /^(?:remote-control|rc)$/,
    hint: { en: 'sanbot sync and sanbot hub share sessions between machines.', zh: '用 sanbot sync 和 sanbot hub 在多台机器间共享会话。' },
  },
];

export const commandHint = (word: string): Bilingual | undefined =>
  word === 'replay' ? replayMoved : otherCommands.find(({ names }) => names.test(word))?.hint;

/** What serves the purpose of an option of Claude Code's that is none here; those that are have no entry. */
const otherOptions: readonly { readonly names: RegExp; readonly hint: Bilingual }[] = [
  {
    names: /^--(?:dis)?allowed-?tools?$/i,
    hint: { en: 'Use --allow TOOLS and --deny TOOLS.', zh: '请用 --allow TOOLS 和 --deny TOOLS。' },
  },
  { names: /^--tools$/, hint: { en: 'Use --deny TOOLS for those that may not run.', zh: '不可运行的工具请用 --deny TOOLS。' } },
  { names: /^--(?:dangerously-|allow-dangerously-)?skip-?perm/i, hint: didYouMean('--permission-mode bypass') },
  { names: /^--(?:system-prompt|append-system-prompt-file)/, hint: didYouMean('--append-system-prompt TEXT|@FILE') },
  { names: /^--max-?turns?$/i, hint: didYouMean('--max-steps') },
  { names: /^--max-budget/, hint: didYouMean('--max-cost') },
  { names: /^--fork-session$/, hint: didYouMean('--fork') },
  {
    names: /mcp-config$/,
    hint: { en: 'Servers stand in .mcp.json, or are added by sanbot mcp add.', zh: '服务器写在 .mcp.json 中，或用 sanbot mcp add 添加。' },
  },
  { names: /^--agents?$/, hint: { en: 'Agents are files: sanbot agents lists them.', zh: '代理是文件：用 sanbot agents 列出。' } },
  {
    names: /^--setting/,
    hint: { en: 'Settings are files: sanbot config path names them.', zh: '设置是文件：用 sanbot config path 查看其位置。' },
  },
  { names: /^--ide$/, hint: { en: 'Editors run sanbot acp.', zh: '编辑器运行 sanbot acp。' } },
  {
    names: /^--(?:verbose|include-|replay-user)/,
    hint: { en: 'Leave it out: --output-format stream-json has every event.', zh: '无需此选项：--output-format stream-json 含所有事件。' },
  },
  {
    names: /^--no-session-pers/,
    hint: { en: 'Leave it out, or use a home that you delete: SANBOT_HOME.', zh: '无需此选项；也可用之后删除的主目录：SANBOT_HOME。' },
  },
  {
    names: /^--permission-prompt-tool/,
    hint: {
      en: 'No tool is asked: say beforehand what may run with --allow TOOLS. A PreToolUse hook can decide call by call.',
      zh: '不会询问任何工具：请用 --allow TOOLS 事先允许；PreToolUse 钩子可逐次决定。',
    },
  },
  {
    names: /^(?:-d|--debug.*|--mcp-debug)$/,
    hint: {
      en: 'sanbot events shows what happened; sanbot mcp test tries a server.',
      zh: '用 sanbot events 查看经过，用 sanbot mcp test 测试服务器。',
    },
  },
  { names: /^--betas?$/, hint: { en: 'Headers of requests are the setting model.headers.', zh: '请求头是设置 model.headers。' } },
  {
    names: /^(?:-w|--worktree)$/,
    hint: {
      en: 'Make one with git worktree add and start sanbot there. An agent gets its own by worktree: true in its file.',
      zh: '请用 git worktree add 创建，再在其中启动 sanbot。代理可在其文件中写 worktree: true，使用自己的 worktree。',
    },
  },
  { names: /^-n$/, hint: didYouMean('--name') },
  { names: /^--plugin/, hint: noPlugins },
  { names: /^--disable-slash-commands$/, hint: didYouMean('--deny skill') },
  {
    names: /^--bare$/,
    hint: {
      en: 'There is none: --home FOLDER starts without what yours holds, and a folder that is not trusted sets nothing.',
      zh: '没有此选项：--home FOLDER 不使用你主目录中的内容；未受信任的文件夹不生效任何设置。',
    },
  },
  {
    names: /^--(?:no-)?chrome$/,
    hint: {
      en: 'There is none: a browser can be an MCP server (sanbot mcp add).',
      zh: '没有此选项：浏览器可作为 MCP 服务器（sanbot mcp add）。',
    },
  },
  {
    names: /^--(?:brief|channels|exclude-dyn.*|file|from-pr|init.*|prompt-sugg.*|remote.*|teleport|tmux)$/,
    hint: { en: 'There is nothing like it here.', zh: '此处没有类似的功能。' },
  },
];

/** The library's message with what to write instead. It proposes what is spelt alike; who types an option of another agent means something else. */
export function withHint(message: string): { readonly said: string; readonly other: Bilingual } {
  const bare = message.replace(/\. Did you mean .*$/s, '');
  const known = otherHint(bare);
  return known === undefined ? { said: message, other: sameInBoth('') } : { said: bare, other: known };
}

function otherHint(message: string): Bilingual | undefined {
  const [, option] = /^unknown option '([^'=]*)(?:=.*)?'$/s.exec(message) ?? [];
  if (option !== undefined) return otherOptions.find(({ names }) => names.test(option))?.hint;
  const [, word = '', choices = ''] = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(message) ?? [];
  const near = word === 'xhigh' && /\bmax\b/.test(choices) ? 'max' : nearest(word, choices.split(', '));
  return near === undefined ? undefined : didYouMean(near);
}

/** What the command-line library says of a wrong command line, beside its other language. It says it in English only. */
export function libraryError(message: string): Bilingual {
  const [what = '', names] = message.split(/ \(?Did you mean (?:one of )?(.*)\?\)?$/);
  const suggestion = names === undefined ? '' : `。是否想输入 ${names}？`;
  const form = forms.find(({ pattern }) => pattern.test(what));
  const zh = form === undefined ? what : what.replace(form.pattern, form.zh);
  return { en: form?.en === undefined ? message : message.replace(form.pattern, form.en), zh: `${zh}${suggestion}` };
}

/** `en` where the library's own words are not ours. */
const forms: readonly { readonly pattern: RegExp; readonly zh: string; readonly en?: string }[] = [
  { pattern: /^unknown option '(.*)'\.?$/s, zh: "未知选项 '$1'" },
  { pattern: /^missing required argument '(.*)'$/s, zh: "缺少必需的参数 '$1'" },
  { pattern: /^option '(.*)' argument missing$/s, zh: "选项 '$1' 缺少值" },
  { pattern: /^required option '(.*)' not specified$/s, zh: "未指定必需的选项 '$1'" },
  { pattern: /^option '(.*)' cannot be used with option '(.*)'$/s, zh: "选项 '$1' 不能与选项 '$2' 同时使用" },
  {
    pattern: /^option '(.*)' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s,
    zh: "选项 '$1' 的值 '$2' 无效；可选值：$3",
    en: "option '$1': expected one of $3, found '$2'",
  },
  {
    pattern: /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s,
    zh: "参数 '$2' 的值 '$1' 无效；可选值：$3",
    en: "$2: expected one of $3, found '$1'",
  },
  {
    pattern: /^too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)\.$/s,
    zh: "'$1' 的参数过多：应为 $2 个，实际为 $3 个。",
  },
];
