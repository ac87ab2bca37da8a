import { realpathSync } from 'node:fs';
import type { PermissionSettings } from '../../domain/config/permission-rule.ts';
import type { RuleKind } from '../../domain/permission.ts';
import { openPermissions, type PermissionBook } from '../../runtime/conversation/permissions.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { readSettings } from '../../runtime/settings.ts';
import { permissionsText, ruleText } from '../../terminal/views/permissions-text.ts';
import { answer } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { addRule, removeRule, shownPermissions } from './change-permissions.ts';

export type PermissionsOptions = HomeOptions & { readonly json?: boolean; readonly here?: boolean; readonly irreversible?: boolean };

/** `permissions [list]`. */
export async function listPermissions(options: PermissionsOptions, context: CommandContext): Promise<void> {
  const shown = shownPermissions(bookOf(options, context));
  context.io.out(options.json ? `${JSON.stringify(shown, null, 2)}\n` : permissionsText(shown, context.io.columns));
}

/** `permissions allow | ask | deny TOOL [PATTERN]`. */
export async function addPermission(
  { kind, tool, pattern, ...options }: PermissionsOptions & { readonly kind: RuleKind; readonly tool: string; readonly pattern: string },
  context: CommandContext,
): Promise<void> {
  const where = options.here ? { folder: realpathSync(context.environment.cwd()) } : {};
  const rule = addRule(bookOf(options, context), kind, { tool, pattern, ...where, irreversible: options.irreversible === true });
  const text = { en: `${kind}: ${rule.tool}, ${ruleText(rule)}`, zh: `${kind}：${rule.tool}，${ruleText(rule)}` };
  answer(context.io, options, { kind, rule }, text);
}

/** `permissions remove NUMBER`. */
export async function removePermission(
  { number, ...options }: PermissionsOptions & { readonly number: number },
  context: CommandContext,
): Promise<void> {
  const { kind, rule } = removeRule(bookOf(options, context), number);
  const text = { en: `Removed: ${kind} ${rule.tool}, ${ruleText(rule)}`, zh: `已删除：${kind} ${rule.tool}，${ruleText(rule)}` };
  answer(context.io, options, { removed: { kind, rule } }, text);
}

/** `permissions read-only-commands ask | run`. */
export async function setReadOnlyCommands(
  { value, ...options }: PermissionsOptions & { readonly value: PermissionSettings['readOnlyCommands'] },
  context: CommandContext,
): Promise<void> {
  bookOf(options, context).change((settings) => ({ ...settings, readOnlyCommands: value }));
  const text =
    value === 'run'
      ? { en: 'Commands that are proven to only read run without asking.', zh: '经证明只读的命令无需询问即可运行。' }
      : { en: 'Commands that are proven to only read ask like all others.', zh: '经证明只读的命令与其他命令一样需要询问。' };
  answer(context.io, options, { readOnlyCommands: value }, text);
}

function bookOf(options: PermissionsOptions, { environment, io }: CommandContext): PermissionBook {
  const { home, config } = readSettings(environment, options);
  return openPermissions(environment, { home, settings: config.permissions, warn: io.warn });
}
