import { z } from 'zod';
import { expecting, languages } from '../../language.ts';
import { embeddingsSchema } from '../endpoint-settings.ts';
import { sandboxModes } from '../sandbox-mode.ts';
import { homePaths, setting } from './settings.ts';

export const agentSchema = z.strictObject({
  maxSteps: setting(z.int().positive().nullable().default(null), {
    en: 'The most requests in one turn. Not set: no bound, but a turn that makes the same calls with the same results again and again is stopped.',
    zh: '一轮中最多的请求数。未设置：没有上限，但一轮中反复进行同样的调用、得到同样的结果时，会被停止。',
  }),
  redactSecrets: setting(z.boolean().default(true), {
    en: 'Replace what looks like a key or a password in tool results, before the model sees it and before it is stored.',
    zh: '工具结果中像密钥或密码的内容，在模型看到和保存之前替换掉。',
  }),
  helperMaxSteps: setting(z.int().positive().default(50), {
    en: 'The most requests that one helper may make (see [helpers.md](helpers.md)).',
    zh: '一个子代理最多的请求数。',
  }),
  helperMaxCostUsd: setting(z.number().positive().nullable().default(1), {
    en: 'The most that one helper may cost in dollars, where prices are known; `null` for no limit.',
    zh: '一个子代理最多花费的美元，仅在价格已知时；`null` 表示不限。',
  }),
});

export const memorySchema = z.strictObject({
  enabled: setting(z.boolean().default(true), {
    en: 'Remember across sessions. `false`: nothing is extracted, recorded or put into a prompt.',
    zh: '跨会话记忆。`false`：不提取、不记录，也不放入提示词。',
  }),
  maxTokens: setting(z.int().nonnegative().default(2_000), {
    en: 'The most tokens of the system prompt that memories may take. 0: none.',
    zh: '记忆在系统提示词中最多可占的 token。0：不放入。',
  }),
  useModel: setting(z.enum(['never', 'consolidate', 'session-end']).default('consolidate'), {
    en: 'When a model helps the rules to choose what is worth remembering: `never`; in the reply that summarises and at `sanbot consolidate` (`consolidate`); or also at `session-end`, for what no summary has covered, which costs one more request.',
    zh: '模型何时帮助规则选择值得记住的内容：从不（`never`）；在生成摘要的回复中和 `sanbot consolidate` 时（`consolidate`）；或在 `session-end` 时也用于摘要没有涵盖的内容，这会多一次请求。',
  }),
  consolidateDaily: setting(z.boolean().default(false), {
    en: 'Consolidate by rules at the first start of each day.',
    zh: '每天首次启动时按规则整理。',
  }),
});

export const recallSchema = z.strictObject({
  embeddings: setting(embeddingsSchema.nullable().default(null), {
    en: "Where what was said is turned into vectors, so that [recall finds by meaning too](memory.md#by-meaning): `model` and, where they differ from OpenAI's, `baseUrl`, `apiKey` or `apiKeyEnv`, `headers`, `dimensions`. Not set: nothing is sent.",
    zh: '在何处把说过的话变成向量，使回忆也能按含义查找：`model`，以及与 OpenAI 不同之处：`baseUrl`、`apiKey` 或 `apiKeyEnv`、`headers`、`dimensions`。未设置：不发送任何内容。',
  }),
});

export const syncSchema = z.strictObject({
  exclude: setting(homePaths(), {
    en: 'Folders whose sessions [`sanbot sync`](sync.md#what-leaves) never sends, nor the memories taken from them: absolute, or beginning with `~/`.',
    zh: '其中的会话及从中得到的记忆从不由 [`sanbot sync`](sync.md#what-leaves) 送出的文件夹：写绝对路径或以 `~/` 开头。',
  }),
  files: setting(z.boolean().default(false), {
    en: 'Versions of files for [undo](undo.md) go along with [`sanbot sync`](sync.md#versions-of-files), of edits and of what commands changed: to encrypted folders only.',
    zh: '用于[撤销](undo.md)的文件版本（编辑的和命令更改的）也随 [`sanbot sync`](sync.md#versions-of-files) 送出：只送到加密的文件夹。',
  }),
  auto: setting(
    z
      .union([z.literal('end'), z.int().min(1).max(1440)])
      .nullable()
      .default(null),
    {
      en: '`"end"`: [`sanbot sync`](sync.md) runs in the background after each session. A number: also every so many minutes while one is open at a terminal. Not set: only when you run it, and after a session of which a [hub](hub.md) has not got all.',
      zh: '`"end"`：每个会话结束后在后台运行 [`sanbot sync`](sync.md)。数字：在终端打开会话期间还每隔这么多分钟运行一次。未设置：只在你运行时进行，以及在 [hub](hub.md) 尚未收到某个会话的全部内容时于其结束后进行。',
    },
  ),
});

export const hubSchema = z.strictObject({
  acknowledge: setting(z.enum(['local', 'hub']).default('local'), {
    en: "When a record of a session counts as kept, where a [hub](hub.md#what-is-acknowledged) was joined. `local`: when it is on this disk; the hub gets it in the background. `hub`: when the server has committed it; a reply waits for that before it is shown whole or acted on, and a tool's result before the next request.",
    zh: '加入了 [hub](hub.md#what-is-acknowledged) 时，会话记录何时算已保存。`local`：写入本机磁盘时；hub 在后台得到它。`hub`：服务器提交后；回答在此之后才完整显示或执行，工具结果在此之后才用于下一次请求。',
  }),
});

const variableNames = z
  .array(
    z
      .string()
      .regex(
        /^[A-Za-z_][A-Za-z0-9_]{0,99}\*?$/,
        expecting({ en: 'names of variables; * may stand at the end', zh: '变量名；末尾可以有 *' }),
      ),
  )
  .default([]);

export const commandsSchema = z.strictObject({
  sandbox: setting(z.enum(sandboxModes).default('auto'), {
    en: '`auto`: commands run in a [sandbox](security.md#the-sandbox) where there is one. `on`: SanBot does not start without one. `off`: never.',
    zh: '`auto`：有沙箱时命令在沙箱中运行。`on`：没有沙箱则 SanBot 不启动。`off`：从不。',
  }),
  readable: setting(homePaths(), {
    en: 'Files and folders of your home, by absolute paths or beginning with `~/`, that commands in the sandbox may read beside [what it shows](security.md#the-sandbox).',
    zh: '沙箱中的命令除[沙箱所显示的内容](security.md#the-sandbox)之外还可读取的、你主文件夹中的文件和文件夹，写绝对路径或以 `~/` 开头。',
  }),
  environment: setting(z.strictObject({ pass: variableNames, withhold: variableNames }).prefault({}), {
    en: "Names of environment variables that commands and hooks get (`pass`), or do not (`withhold`), beyond what [SanBot decides](security.md#what-the-model-may-do). `*` at the end of a name stands for any rest. Variables that hold a model's key never pass. `sanbot doctor` lists what is withheld.",
    zh: '在 SanBot 自己的决定之外，命令和钩子可以得到（`pass`）或得不到（`withhold`）的环境变量名。名称末尾的 `*` 代表任意后缀。存放模型密钥的变量从不传递。`sanbot doctor` 列出被扣留的变量。',
  }),
  maxProcesses: setting(z.int().min(2).default(4_096), {
    en: 'The most processes that a command may have at once, with all that it starts. One that has more is stopped.',
    zh: '一个命令连同它启动的一切最多可同时运行的进程数。超过即被停止。',
  }),
  maxMemoryBytes: setting(z.int().positive().nullable().default(null), {
    en: 'The most bytes of memory that a command may take, with all that it starts; what processes share is not counted. One that takes more is stopped. Not set: no bound.',
    zh: '一个命令连同它启动的一切最多可占用的内存字节数，进程间共享的不计。超过即被停止。未设置：没有上限。',
  }),
});

export const changesSchema = z.strictObject({
  enabled: setting(z.boolean().default(true), {
    en: 'Keep what a command could change, so that it can be undone. `false`: nothing is kept for commands (in the sandbox, files that they leave and that run later are still looked for), so one that is seen to delete or overwrite a file is asked about, or refused where nobody can be asked; edits can still be undone.',
    zh: '保留命令可能更改的内容，以便撤销。`false`：命令的更改不保留（沙箱中的命令只检查它们留下了哪些日后会运行的文件），因此看得出会删除或覆盖文件的命令都要询问，无人可问时被拒绝；编辑仍可撤销。',
  }),
  keep: setting(z.int().nonnegative().default(7), {
    en: 'Days after which it is dropped, except what the last ten commands of an open session need. Edits can be undone as long as their session is kept.',
    zh: '超过此天数后删除，打开中的会话最近十条命令所需的除外。会话保留多久，编辑就可以撤销多久。',
  }),
  fileBytes: setting(z.int().nonnegative().default(67_108_864), {
    en: 'A file with more bytes is not kept, unless git has it.',
    zh: '字节数更多的文件不保留，除非 git 中已有。',
  }),
  sessionBytes: setting(z.int().nonnegative().default(536_870_912), {
    en: 'Bytes that one session may keep. The oldest are dropped first.',
    zh: '一个会话可保留的字节数。最旧的先删除。',
  }),
  homeBytes: setting(z.int().nonnegative().default(2_147_483_648), {
    en: 'Bytes that all sessions together may keep. The oldest are dropped first.',
    zh: '所有会话合计可保留的字节数。最旧的先删除。',
  }),
});

export const themeNames = ['auto', 'dark', 'light', 'high-contrast', 'ansi16'] as const;
export type ThemeName = (typeof themeNames)[number];

export const uiSchema = z.strictObject({
  language: setting(z.enum(['auto', ...languages]).default('auto'), {
    en: 'The language of the screen, of help and of errors: `en`, `zh`, or `auto`. With `auto` it is that of the locale on a terminal, and English elsewhere. JSON, events, files and what the model reads are always English.',
    zh: '界面、帮助和错误的语言：`en`、`zh` 或 `auto`。`auto` 在终端上按区域设置，其他地方为英语。JSON、事件、文件和模型读到的内容始终是英语。',
  }),
  theme: setting(z.enum(themeNames).default('auto'), {
    en: 'The [colours](#colours) of a conversation: `auto` asks the terminal for its background; `dark`, `light`, `high-contrast`; `ansi16` is the sixteen colours of the terminal.',
    zh: '对话的[颜色](#colours)：`auto` 向终端询问背景色；`dark`、`light`、`high-contrast`；`ansi16` 用终端自己的十六色。',
  }),
});
