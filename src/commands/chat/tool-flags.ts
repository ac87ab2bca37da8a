import { ruleOf, uselessReason } from '../../context/permission/prefix-rule.ts';
import type { PermissionRule } from '../../domain/config/permission-rule.ts';
import { SanbotError } from '../../domain/errors.ts';
import { isForeignTool, otherToolNames, ownToolName } from '../../domain/hook/sdk-tools.ts';
import type { Bilingual } from '../../domain/language.ts';
import { type PermissionOffer, toolNames } from '../../domain/permission.ts';
import { MCP_PREFIX } from '../../domain/session/called-tool.ts';
import { inspectText } from '../../domain/text.ts';
import { nearestHint } from '../usage/usage-errors.ts';
import type { ChatOptions } from './chat-options.ts';

/** Tools by name, and rules about calls of one. */
type ToolFlags = { readonly names: readonly string[]; readonly rules: readonly PermissionRule[] };

const MORE_OF_IT: Bilingual = {
  en: "Write more of its beginning, as 'run_command(git status *)', or a whole command.",
  zh: "请多写一些开头，如 'run_command(git status *)'，或写完整的命令。",
};

/** Tools whose calls a pattern can tell apart. */
const PATTERNED: ReadonlySet<string> = new Set([
  'run_command',
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search',
  'fetch_url',
]);

/**
 * Reads `run_command(git status),edit_file`, separated by commas or blanks. In the brackets stand a whole command, the beginning of one with
 * ` *` or `:*` behind it, a path, or a host. It never means more than what is written: what cannot be read throws `usage`.
 */
export function readToolFlags(option: string, texts: readonly string[]): ToolFlags {
  const items = texts.flatMap((text) => itemsOf(option, text));
  const read = items.flatMap(({ name, pattern }) => {
    const tool = toolOf(option, name);
    if (pattern === undefined) return [tool];
    // In Claude Code one slash is the project's folder and two are the disk's. What is forbidden is so for both.
    const isPath = !['run_command', 'fetch_url'].includes(tool) && /^\/[^/]/.test(pattern);
    const patterns = option === '--deny' && isPath ? [pattern, pattern.slice(1)] : [pattern];
    return patterns.map((each) => patternRule(option, tool, each));
  });
  return { names: read.filter((each) => typeof each === 'string'), rules: read.filter((each) => typeof each !== 'string') };
}

type TypedFlags = { readonly allow: readonly string[]; readonly deny: readonly string[] };

/** What --allow and --deny say, as a runtime takes it. They hold for this run and are written nowhere. */
export function permissionFlags({ allow, deny }: TypedFlags): Pick<ChatOptions, 'allowed' | 'rules'> {
  const [allowed, denied] = [readToolFlags('--allow', allow), readToolFlags('--deny', deny)];
  const whole = denied.names.map((tool): PermissionRule => ({ tool }));
  return { allowed: allowed.names, rules: { allow: allowed.rules, deny: [...whole, ...denied.rules] } };
}

type Item = { readonly name: string; readonly pattern: string | undefined };

/** Brackets stand in pairs; a comma or a blank within them is part of the pattern. */
function itemsOf(option: string, text: string): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < text.length; ) {
    const [blank = ''] = /^\s*(?:,\s*)?/.exec(text.slice(at)) ?? [];
    at += blank.length;
    if (at === text.length) break;
    const [, name] = /^([\w*:.-]+)(?=[\s,(]|$)/.exec(text.slice(at)) ?? [];
    if (name === undefined) throw wrong(option, text, { en: 'names of tools, separated by commas', zh: '以逗号分隔的工具名' });
    at += name.length;
    const end = text[at] === '(' ? closing(text, at) : at;
    if (end === undefined) throw wrong(option, text, { en: 'a ) for each (', zh: '每个 ( 都有对应的 )' });
    items.push({ name, pattern: end === at ? undefined : text.slice(at + 1, end - 1).trim() });
    at = end;
    if (at < text.length && !/[\s,]/.test(text[at] ?? ''))
      throw wrong(option, text, { en: 'a comma between two tools', zh: '两个工具之间用逗号分隔' });
  }
  if (items.length === 0) throw wrong(option, text, { en: 'the name of a tool', zh: '工具名' });
  return items;
}

/** Behind the bracket that closes the one at `open`. */
function closing(text: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

function toolOf(option: string, name: string): string {
  const tool = ownToolName(name);
  if (toolNames.includes(tool)) return tool;
  if (tool.startsWith(MCP_PREFIX) && !tool.endsWith('__'))
    return tool.slice(MCP_PREFIX.length).includes('__') || tool.includes('*') ? tool : `${tool}__*`;
  const tools = toolNames.join(', ');
  const none = { en: 'Leave it out: SanBot has none that does this.', zh: '请去掉：SanBot 没有做这件事的工具。' };
  const advice = isForeignTool(name)
    ? none
    : nearestHint(name, [...toolNames, ...otherToolNames], {
        en: `The tools are ${tools}.`,
        zh: `可用的工具：${tools}。`,
      });
  throw new SanbotError('usage', {
    en: `${option}: there is no tool ${inspectText(name)}. ${advice.en}`,
    zh: `${option}：没有工具 ${inspectText(name)}。${advice.zh}`,
  });
}

function patternRule(option: string, tool: string, pattern: string): PermissionRule | string {
  const whole = `${tool}(${pattern})`;
  if (!PATTERNED.has(tool)) throw wrong(option, whole, { en: `${tool} without brackets`, zh: `不带括号的 ${tool}` });
  if (pattern === '*' || pattern === '**') return tool;
  const rule = ruleOf(tool, nativePattern(tool, pattern));
  if (pattern === '' || rule.prefix === '') throw wrong(option, whole, { en: 'something in the brackets', zh: '括号中的内容' });
  if (tool === 'run_command' && /\*/.test(rule.prefix ?? rule.command ?? ''))
    throw wrong(option, whole, {
      en: 'a command with * only at its end, behind a blank or a colon',
      zh: '命令中的 * 只能在末尾，前面是空格或冒号',
    });
  if (tool === 'fetch_url' && !/^(?:\*\.)?[\w.-]+(?::\d+)?$/.test(rule.host ?? ''))
    throw wrong(option, whole, { en: 'the name of a host', zh: '主机名' });
  const why = option === '--allow' ? uselessReason('allow', rule) : undefined;
  if (why !== undefined)
    throw new SanbotError(
      'usage',
      { en: `${option}: ${why.en}`, zh: `${option}：${why.zh}` },
      rule.prefix === undefined ? undefined : MORE_OF_IT,
    );
  return rule;
}

/** As SanBot writes what Claude Code writes in another way. */
function nativePattern(tool: string, pattern: string): string {
  if (tool === 'run_command') return pattern.replace(/:\*$/, ' *');
  if (tool === 'fetch_url') return pattern.replace(/^domain:/, '');
  return pattern.replace(/^\/\//, '/');
}

const wrong = (option: string, text: string, expected: Bilingual): SanbotError =>
  new SanbotError('usage', {
    en: `${option} ${inspectText(text)} cannot be read: expected ${expected.en}`,
    zh: `无法读取 ${option} ${inspectText(text)}：应为${expected.zh}`,
  });

/** What --allow takes for a call like one that was asked about; undefined where nothing does. */
export function flagFor(tool: string, offers: readonly PermissionOffer[]): string | undefined {
  const rules = offers.flatMap((offer) => (offer.kind === 'rule' && offer.rule.needs === undefined ? [offer.rule] : []));
  const texts = rules.map((rule) =>
    rule.prefix === undefined ? (rule.command ?? rule.file ?? rule.path ?? rule.host) : `${rule.prefix} *`,
  );
  const text = texts.find((each) => each !== undefined && !/[()*]/.test(each.replace(/ \*$/, '')));
  return text === undefined ? undefined : `${tool}(${text})`;
}
