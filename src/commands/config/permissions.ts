import { realpathSync } from 'node:fs';
import { numberedRules } from '../../context/permission/edit-rules.ts';
import type { PermissionSettings } from '../../domain/config/permission-rule.ts';
import { localize } from '../../domain/language.ts';
import type { RuleKind } from '../../domain/permission.ts';
import { openPermissions, type PermissionBook } from '../../runtime/conversation/permissions.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { readSettings } from '../../runtime/settings.ts';
import { permissionsText, ruleText } from '../../terminal/views/permissions-text.ts';
import type { CommandContext } from '../command.ts';
import { addRule, removeRule } from './change-permissions.ts';

export type PermissionsOptions = HomeOptions & { readonly json?: boolean; readonly here?: boolean };

/** `permissions [list]`. */
export async function listPermissions(options: PermissionsOptions, context: CommandContext): Promise<number> {
  const { readOnlyCommands, sandboxedCommands, ...written } = bookOf(options, context).written();
  const rules = numberedRules({ readOnlyCommands, sandboxedCommands, ...written });
  const { out, columns } = context.io;
  out(
    options.json
      ? `${JSON.stringify({ rules, readOnlyCommands, sandboxedCommands }, null, 2)}\n`
      : permissionsText({ rules, readOnlyCommands, sandboxedCommands }, columns),
  );
  return 0;
}

/** `permissions allow | ask | deny TOOL [PATTERN]`. */
export async function addPermission(
  { kind, tool, pattern, ...options }: PermissionsOptions & { readonly kind: RuleKind; readonly tool: string; readonly pattern: string },
  context: CommandContext,
): Promise<number> {
  const where = options.here ? { folder: realpathSync(context.environment.cwd()) } : {};
  const rule = addRule(bookOf(options, context), kind, { tool, pattern, ...where });
  context.io.out(
    options.json
      ? `${JSON.stringify({ kind, rule })}\n`
      : localize({ en: `${kind}: ${rule.tool}, ${ruleText(rule)}\n`, zh: `${kind}：${rule.tool}，${ruleText(rule)}\n` }),
  );
  return 0;
}

/** `permissions remove NUMBER`. */
export async function removePermission(
  { number, ...options }: PermissionsOptions & { readonly number: number },
  context: CommandContext,
): Promise<number> {
  const { kind, rule } = removeRule(bookOf(options, context), number);
  context.io.out(
    options.json
      ? `${JSON.stringify({ removed: { kind, rule } })}\n`
      : localize({ en: `Removed: ${kind} ${rule.tool}, ${ruleText(rule)}\n`, zh: `已删除：${kind} ${rule.tool}，${ruleText(rule)}\n` }),
  );
  return 0;
}

/** `permissions read-only-commands ask | run`. */
export async function setReadOnlyCommands(
  { value, ...options }: PermissionsOptions & { readonly value: PermissionSettings['readOnlyCommands'] },
  context: CommandContext,
): Promise<number> {
  bookOf(options, context).change((settings) => ({ ...settings, readOnlyCommands: value }));
  const text =
    value === 'run'
      ? localize({
          en: 'Commands that are proven to only read run without asking.\n',
          zh: '经证明只读的命令无需询问即可运行。\n',
        })
      : localize({
          en: 'Commands that are proven to only read ask like all others.\n',
          zh: '经证明只读的命令与其他命令一样需要询问。\n',
        });
  context.io.out(options.json ? `${JSON.stringify({ readOnlyCommands: value })}\n` : text);
  return 0;
}

function bookOf(options: PermissionsOptions, { environment, io }: CommandContext): PermissionBook {
  const { home, config } = readSettings(environment, options);
  return openPermissions(environment, { home, settings: config.permissions, warn: io.warn });
}
