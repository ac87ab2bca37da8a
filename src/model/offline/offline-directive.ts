import { QUOTED_PATTERN, unquote } from '../../domain/text.ts';

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
