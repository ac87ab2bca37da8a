import { QUOTED_PATTERN, unquote } from '../../domain/text.ts';
import { groupDigits } from '../../domain/value/size-text.ts';

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

/** What a direct request asks for: one tool call, the status of the session, or help. */
export type Directive =
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'status' }
  | { readonly kind: 'help' }
  /** Lines that no file has, as they were written. */
  | { readonly kind: 'bad_range'; readonly range: string };

export type Language = 'en' | 'zh';

export const languageOf = (text: string): Language => (/[\u3400-\u9fff]/.test(text) ? 'zh' : 'en');

/**
 * Parses one direct request, in English or Chinese; undefined for anything else. A whole message is one request: nothing is picked out of a
 * sentence, so that talk about commands is never taken for a command.
 */
export function parseDirective(message: string): Directive | undefined {
  const text = message.trim();
  for (const { form, read } of grammar) {
    const match = form.exec(text);
    const directive = match === null ? undefined : read(match.groups ?? {});
    if (directive !== undefined) return directive;
  }
  return undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;
type Rule = { readonly form: RegExp; readonly read: (groups: Groups) => Directive | undefined };

const call = (tool: string, input: Readonly<Record<string, unknown>>): Directive => ({ kind: 'call', tool, input });

const readFile = (groups: Groups): Directive | undefined => {
  const path = pathIn(groups);
  // Counted from 0, as read_file counts when it says where to continue.
  if (groups.char !== undefined) return call('read_file', { path, char_offset: Number(groups.char) });
  if (groups.from === undefined) return call('read_file', { path });
  const from = Number(groups.from);
  const to = groups.to === undefined ? undefined : Number(groups.to);
  if (from < 1 || (to !== undefined && to < from)) return { kind: 'bad_range', range: to === undefined ? `${from}` : `${from}-${to}` };
  // "lines 5-" reads to the end, "lines 5" reads one line.
  const limit = to !== undefined ? { limit: to - from + 1 } : groups.on === undefined ? { limit: 1 } : {};
  return call('read_file', { path, offset: from, ...limit });
};

const listFiles = (groups: Groups): Directive => call('list_files', optionalPath(groups));

const search = (groups: Groups): Directive | undefined => {
  const pattern = unquote(groups.pattern ?? '');
  return pattern === '' ? undefined : call('search', { pattern, ...optionalPath(groups) });
};

const runCommand = ({ text = '' }: Groups): Directive =>
  call('run_command', { command: /^`([^`]+)`$/.exec(text.trim())?.[1] ?? text.trim() });
const writeFile = (groups: Groups): Directive => call('write_file', { path: pathIn(groups), content: groups.text ?? '' });

const remember = (groups: Groups): Directive => call('remember', { text: (groups.text ?? '').trim() });
const recall = (groups: Groups): Directive => call('recall', { query: unquote(groups.text ?? '') });

/** Both sides can be quoted, for texts that contain an arrow themselves. */
const editFile = (groups: Groups): Directive | undefined => {
  const text = groups.text ?? '';
  const [, before, after] = quotedPair.exec(text) ?? [];
  if (before !== undefined) return edit(groups, unquote(before), unquote(after ?? ''));
  const [old = '', ...replacements] = text.split(/[ \t]*=>[ \t]*/);
  return old === '' || replacements.length !== 1 ? undefined : edit(groups, old, replacements[0] ?? '');
};

const edit = (groups: Groups, before: string, after: string): Directive =>
  call('edit_file', { path: pathIn(groups), old_string: before, new_string: after });

const optionalPath = ({ path }: Groups): { readonly path?: string } => (path === undefined ? {} : { path: pathIn({ path }) });

/** A path that was completed after an @ still has it; within quotes, an @ is part of the name. */
const pathIn = ({ path }: Groups): string => unquote((path ?? '').trim().replace(/^@(?=.)/, ''));

const quotedPair = new RegExp(`^(${QUOTED_PATTERN})\\s*=>\\s*(${QUOTED_PATTERN})$`);

const OPENING = '"\'`“「';
/** One word, or a quoted text. */
const path = `(?<path>@?${QUOTED_PATTERN}|[^\\s。${OPENING}]+)`;

/** The same before a colon, which ends the path, except the colon of a drive. */
const pathToColon = `(?<path>@?${QUOTED_PATTERN}|(?:[A-Za-z]:[\\\\/])?[^\\s:：${OPENING}]+)`;

const lastLine = '(?:\\s*(?<on>-|–|—|~|to|到|至)\\s*第?\\s*(?<to>\\d+)?)?';
const lines = `(?:\\s*,?\\s*的?\\s*(?:lines?|第)\\s*(?<from>\\d+)\\s*行?${lastLine}\\s*行?)?`;
const beforeChar = '(?:from\\s+char(?:acter)?s?\\s+|从\\s*第?\\s*(?=\\d+\\s*个?\\s*字符))';
const fromChar = `\\s*[,，]?\\s*${beforeChar}(?<char>\\d{1,15})(?:\\s*个?\\s*字符(?:起|开始)?)?`;
const text = '(?<text>[\\s\\S]+)';

/** What follows the colon, on the same line or from the next one on, to the end. */
const body = '\\s*[:：][ \\t]?\\n?(?<text>[\\s\\S]*)';

const pattern = `(?<pattern>${QUOTED_PATTERN}|.+?)`;
const stop = '[.。!！]?';

const gap = '(?:\\s*[:：]\\s*|\\s+)';
/** Chinese needs no space before a path, but without one only text that looks like a path counts: 读书 does not. */
const pathGap = `(?:\\s+|(?=[\\w./~@\\\\${OPENING}]))`;

const rule = (source: string, read: Rule['read']): Rule => ({ form: new RegExp(`^${source}$`, 'i'), read });

const grammar: readonly Rule[] = [
  rule(`(?:help|帮助)${stop}`, () => ({ kind: 'help' })),
  rule(`(?:status|状态)${stop}`, () => ({ kind: 'status' })),
  rule(`read\\s+${path}(?:${fromChar}|${lines})${stop}`, readFile),
  rule(`(?:读取?|查看)${pathGap}${path}(?:${fromChar}|${lines})${stop}`, readFile),
  rule(`list(?:\\s+${path})?${stop}`, listFiles),
  rule(`(?:列出|列表)(?:${pathGap}${path})?${stop}`, listFiles),
  rule(`search${gap}${pattern}(?:\\s+in\\s+${path})?`, search),
  rule(`(?:搜索|查找)\\s*[:：]?\\s*${pattern}(?:\\s*在\\s*${path}(?:\\s*(?:中|里))?)?`, search),
  rule(`在\\s*${path}\\s*(?:中|里)?\\s*(?:搜索|查找)\\s*${pattern}`, search),
  rule(`run${gap}${text}`, runCommand),
  rule(`(?:运行|执行)(?:\\s*[:：]\\s*|${pathGap})${text}`, runCommand),
  rule(`write\\s+${pathToColon}${body}`, writeFile),
  rule(`写入?${pathGap}${pathToColon}${body}`, writeFile),
  rule(`edit\\s+${pathToColon}${body}`, editFile),
  rule(`(?:编辑|修改)${pathGap}${pathToColon}${body}`, editFile),
  rule(`remember${gap}${text}`, remember),
  rule(`记住\\s*[:：]?\\s*${text}`, remember),
  rule(`recall${gap}${text}`, recall),
  rule(`回忆\\s*[:：]?\\s*${text}`, recall),
];
