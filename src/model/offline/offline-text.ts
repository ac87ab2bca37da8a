import { groupDigits } from '../../domain/value/size-text.ts';
import type { Language } from './offline-directive.ts';

export type SessionStatus = {
  readonly messages: number;
  readonly calls: number;
  readonly stubs: number;
  readonly windowTokens: number;
  readonly tools: readonly string[];
};

/** Where to continue reading: a line counted from 1, or a character counted from 0. */
export type Continuation = { readonly line: number } | { readonly char: number };

/** What a person may ask for, in both languages. */
const forms = [
  ['read_file', 'read PATH [lines A-B, or from char N]', '读取 路径 [第A-B行，或 从第N字符]'],
  ['list_files', 'list [DIR]', '列出 [目录]'],
  ['search', 'search PATTERN [in PATH]', '搜索 内容 [在 路径]'],
  ['run_command', 'run COMMAND', '运行 命令'],
  ['write_file', 'write PATH: TEXT', '写入 路径: 文本'],
  ['edit_file', 'edit PATH: OLD => NEW', '编辑 路径: 原文 => 新文'],
  ['remember', 'remember TEXT', '记住 内容'],
  ['recall', 'recall QUERY', '回忆 内容'],
] as const;

const formList = (at: 1 | 2, tools: readonly string[], last: string): string =>
  [...forms.filter(([tool]) => tools.includes(tool)).map((form) => form[at]), last].map((form) => `- ${form}`).join('\n');

const english = {
  help: (tools: readonly string[]) =>
    `I am the offline model: no language model, only direct requests, one a message:\n${formList(1, tools, 'status')}\nPaths with spaces go in quotes: read "my notes.txt". An @ before a path is fine.\n\nAnything else needs a language model: sanbot setup.`,
  /** Why a request is not carried out. */
  refusal: {
    badRange: (range: string) => `There are no lines ${range}: lines count from 1, and the first of a range comes first, as in lines 2-5.`,
    unknownTool: (tool: string) => `I understand, but the tool ${tool} is not available in this session.`,
  },
  status: ({ messages, calls, stubs, windowTokens, tools }: SessionStatus) =>
    [
      'Offline model, no language model.',
      `In the context: ${pluralize(messages, 'message')}, ${pluralize(calls, 'tool call')}, ${pluralize(stubs, 'result')} offloaded to files.`,
      `The window has ${groupDigits(windowTokens)} tokens; /context shows what fills it.`,
      `Tools: ${tools.length === 0 ? 'none' : tools.join(', ')}.`,
    ].join('\n'),
  failed: (tool: string) => `${tool} failed:`,
  empty: (tool: string) => `${tool} is done and returned nothing.`,
  complete: (tool: string, lines: number) => `${tool} returned ${lines === 1 ? '1 line' : `${lines} lines`}:`,
  part: (tool: string, { lines, chars }: { readonly lines: number; readonly chars: number }) =>
    `${tool} returned ${groupDigits(lines)} lines, ${groupDigits(chars)} characters; the first and the last:`,
  leftOut: (lines: number) => `[… ${groupDigits(lines)} lines not shown …]`,
  /** `char` is where to read from when lines are too long; without it, the hint is in lines. */
  storedInFile: (path: string, char: number | undefined) =>
    `The whole of it is in a file. To see a part: read ${quotedPath(path)} ${char === undefined ? 'lines 1-100' : `from char ${char}`}`,
  continueReading: (path: string, from: Continuation) =>
    `To read on: read ${quotedPath(path)} ${'char' in from ? `from char ${from.char}` : `lines ${from.line}-`}`,
};

/** What the offline model says, in the user's language. */
export type OfflineText = typeof english;

const chinese: OfflineText = {
  help: (tools) =>
    `我是离线模型，不是语言模型，只懂直接的请求，一条消息一个：\n${formList(2, tools, '状态')}\n路径含空格时加引号：读取 "我的 笔记.txt"。路径前可以有 @。\n\n其他事情请用 sanbot setup 选择语言模型。`,
  refusal: {
    badRange: (range) => `没有第 ${range} 行：行号从 1 开始，范围从小到大，例如 lines 2-5。`,
    unknownTool: (tool) => `我懂这个请求，但本会话没有工具 ${tool}。`,
  },
  status: ({ messages, calls, stubs, windowTokens, tools }) =>
    [
      '离线模型，不是语言模型。',
      `上下文中有 ${messages} 条消息、${calls} 次工具调用、${stubs} 个结果已移到文件。`,
      `窗口有 ${groupDigits(windowTokens)} 个 token；/context 显示用量。`,
      `工具：${tools.length === 0 ? '无' : tools.join('、')}。`,
    ].join('\n'),
  failed: (tool) => `${tool} 失败：`,
  empty: (tool) => `${tool} 已完成，没有返回内容。`,
  complete: (tool, lines) => `${tool} 返回 ${lines} 行：`,
  part: (tool, { lines, chars }) => `${tool} 返回 ${groupDigits(lines)} 行、${groupDigits(chars)} 个字符，首尾如下：`,
  leftOut: (lines) => `[… 省略 ${groupDigits(lines)} 行 …]`,
  storedInFile: (path, char) =>
    `全文在文件里。要看一部分：读取 ${quotedPath(path)} ${char === undefined ? '第1-100行' : `从第${char}字符`}`,
  continueReading: (path, from) => `继续读：读取 ${quotedPath(path)} ${'char' in from ? `从第${from.char}字符` : `第${from.line}行-`}`,
};

export const offlineText: Readonly<Record<Language, OfflineText>> = { en: english, zh: chinese };

const pluralize = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

const quotedPath = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);
