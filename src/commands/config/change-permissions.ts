import { realpathSync } from 'node:fs';
import { numberedRules, ruleOf, uselessReason, withoutRule, withRule } from '../../context/permission/prefix-rule.ts';
import type { PermissionRule, PermissionSettings } from '../../domain/config/permission-rule.ts';
import { SanbotError } from '../../domain/errors.ts';
import { type NumberedRule, type RuleKind, toolNames } from '../../domain/permission.ts';
import { inspectText, nearest } from '../../domain/text.ts';
import { matchesGlob } from '../../domain/value/glob.ts';
import { openPermissions, type PermissionBook } from '../../runtime/conversation/permissions.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { readSettings } from '../../runtime/settings.ts';
import { permissionsText, ruleText } from '../../terminal/views/permissions-text.ts';
import { answer } from '../answer.ts';
import type { CommandContext } from '../command.ts';

export function shownPermissions({ written }: PermissionBook) {
  const settings = written();
  const { readOnlyCommands, sandboxedCommands } = settings;
  return { rules: numberedRules(settings), readOnlyCommands, sandboxedCommands };
}

type TypedRule = {
  readonly tool: string;
  readonly pattern: string;
  readonly folder?: string;
  readonly irreversible?: boolean;
};

/** Writes one more rule into the person's settings. Throws usage for one that could never do anything. */
export function addRule(
  { change }: PermissionBook,
  kind: RuleKind,
  { tool, pattern, folder, irreversible = false }: TypedRule,
): PermissionRule {
  if (!mayBeTool(tool)) throw unknownTool(tool);
  const bounds: Pick<PermissionRule, 'folder' | 'irreversible'> = {
    ...(folder !== undefined && { folder }),
    ...(irreversible && { irreversible }),
  };
  const rule: PermissionRule = { ...ruleOf(tool, pattern), ...bounds };
  if (irreversible && (kind !== 'allow' || (rule.command === undefined && rule.prefix === undefined))) throw notAboutCommands();
  const why = uselessReason(kind, rule);
  if (why !== undefined)
    throw new SanbotError(
      'usage',
      { en: `This rule would allow nothing: ${why.en}`, zh: `这条规则不会允许任何操作：${why.zh}` },
      { en: 'docs/settings.md says what rules cover.', zh: 'docs/settings.md 说明了规则的适用范围。' },
    );
  change((settings) => withRule(settings, kind, rule));
  return rule;
}

const notAboutCommands = (): SanbotError =>
  new SanbotError(
    'usage',
    { en: 'Only a rule that allows a command can allow what cannot be undone', zh: '只有允许命令的规则才能允许无法撤销的操作' },
    {
      en: 'sanbot permissions allow --irreversible run_command "COMMAND"',
      zh: 'sanbot permissions allow --irreversible run_command "COMMAND"',
    },
  );

/** Which tools MCP servers have is not known here: their names are taken by their form. */
const mayBeTool = (tool: string): boolean =>
  /^mcp__.+__.+/.test(tool) || (tool.startsWith('mcp__') && tool.includes('*')) || toolNames.some((name) => matchesGlob(tool, name));

function unknownTool(tool: string): SanbotError {
  const [shown, near] = [inspectText(tool), nearest(tool, toolNames)];
  return new SanbotError(
    'usage',
    {
      en: `There is no tool ${shown}${near === undefined ? '' : `. Did you mean ${near}?`}`,
      zh: `没有工具 ${shown}${near === undefined ? '' : `。是否想输入 ${near}？`}`,
    },
    {
      en: `The tools: ${toolNames.join(', ')}; those of an MCP server: mcp__SERVER__TOOL, or mcp__SERVER__* for all of them.`,
      zh: `可用的工具：${toolNames.join('、')}；MCP 服务器的工具：mcp__SERVER__TOOL，或用 mcp__SERVER__* 表示全部。`,
    },
  );
}

/** Takes a rule out of the person's settings. Throws not_found when there is none of that number. */
export function removeRule({ change, written }: PermissionBook, number: number): NumberedRule {
  const rule = numberedRules(written())[number - 1];
  if (rule === undefined)
    throw new SanbotError(
      'not_found',
      { en: `There is no rule ${number}`, zh: `没有编号为 ${number} 的规则` },
      { en: 'sanbot permissions lists them with their numbers.', zh: 'sanbot permissions 列出规则及其编号。' },
    );
  change((settings) => {
    const again = numberedRules(settings).find(
      ({ kind, rule: each }) => kind === rule.kind && JSON.stringify(each) === JSON.stringify(rule.rule),
    );
    return (again && withoutRule(settings, again.number)) ?? settings;
  });
  return rule;
}

export type PermissionsOptions = HomeOptions & { readonly json?: boolean; readonly here?: boolean; readonly irreversible?: boolean };

export async function listPermissions(options: PermissionsOptions, context: CommandContext): Promise<void> {
  const shown = shownPermissions(bookOf(options, context));
  context.io.out(options.json ? `${JSON.stringify(shown, null, 2)}\n` : permissionsText(shown, context.io.columns));
}

export async function addPermission(
  { kind, tool, pattern, ...options }: PermissionsOptions & { readonly kind: RuleKind; readonly tool: string; readonly pattern: string },
  context: CommandContext,
): Promise<void> {
  const where = options.here ? { folder: realpathSync(context.environment.cwd()) } : {};
  const rule = addRule(bookOf(options, context), kind, { tool, pattern, ...where, irreversible: options.irreversible === true });
  const text = { en: `${kind}: ${rule.tool}, ${ruleText(rule)}`, zh: `${kind}：${rule.tool}，${ruleText(rule)}` };
  answer(context.io, options, { kind, rule }, text);
}

export async function removePermission(
  { number, ...options }: PermissionsOptions & { readonly number: number },
  context: CommandContext,
): Promise<void> {
  const { kind, rule } = removeRule(bookOf(options, context), number);
  const text = { en: `Removed: ${kind} ${rule.tool}, ${ruleText(rule)}`, zh: `已删除：${kind} ${rule.tool}，${ruleText(rule)}` };
  answer(context.io, options, { removed: { kind, rule } }, text);
}

export async function setReadOnlyCommands(
  { value, ...options }: PermissionsOptions & { readonly value: PermissionSettings['readOnlyCommands'] },
  context: CommandContext,
): Promise<void> {
  bookOf(options, context).change((settings) => ({ ...settings, readOnlyCommands: value }));
  const text =
    value === 'run'
      ? { en: 'Commands that are proven to only read run without asking.', zh: '经证明只读的命令无需询问即可运行。' }
      : { en: 'Commands that are proven to only read need a yes like all others.', zh: '经证明只读的命令与其他命令一样需要询问。' };
  answer(context.io, options, { readOnlyCommands: value }, text);
}

function bookOf(options: PermissionsOptions, { environment, io }: CommandContext): PermissionBook {
  const { home, config } = readSettings(environment, options);
  return openPermissions(environment, { home, settings: config.permissions, warn: io.warn });
}
