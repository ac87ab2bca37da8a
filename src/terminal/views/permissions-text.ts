import type { PermissionSettings } from '../../domain/config/permission-rule.ts';
import type { NumberedRule, PermissionMode } from '../../domain/permission.ts';
import { NO_FILE } from '../../domain/permission.ts';
import { exactText, safeLine } from '../text/safe-text.ts';
import { padEnd, padStart, wrap } from '../text/text-width.ts';

export type PermissionsView = {
  readonly rules: readonly NumberedRule[];
  readonly readOnlyCommands: PermissionSettings['readOnlyCommands'];
  readonly sandboxedCommands: PermissionSettings['sandboxedCommands'];
  /** The mode of this conversation, where there is one. */
  readonly mode?: PermissionMode;
};

/** All rules, whole: what is hidden in one is written out. Ends with a newline. */
export function permissionsText({ rules, readOnlyCommands, sandboxedCommands, mode }: PermissionsView, columns: number): string {
  const tools = Math.max(...rules.map(({ rule }) => rule.tool.length), 0);
  const indent = 4 + 7 + tools + 2;
  const lines = rules.flatMap(({ number, kind, rule }) => {
    const [first = '', ...more] = wrap(ruleText(rule), Math.max(20, columns - indent));
    const head = `${padStart(String(number), 2)}  ${padEnd(kind, 5)}  ${padEnd(safeLine(rule.tool), tools)}  `;
    return [head + first, ...more.map((line) => ' '.repeat(indent) + line)];
  });
  const readOnly = readOnlyCommands === 'run' ? 'run without asking' : 'ask like all others, outside of a sandbox';
  return `${[
    ...(mode === undefined ? [] : [`Permission mode: ${mode}.`]),
    ...(rules.length === 0 ? ['There are no rules.'] : lines),
    `Commands that are proven to only read ${readOnly}.`,
    ...(sandboxedCommands === 'run' ? ['Commands that stay in the sandbox run without asking.'] : []),
  ].join('\n')}\n`;
}

/** What a rule is about, in one line. */
export function ruleText({ command, prefix, file, path, host, needs, scripts, folder }: NumberedRule['rule']): string {
  const beyond = needs === undefined ? '' : needs === 'network' ? ', with the network' : ', outside of the sandbox';
  const where = `${beyond}${folder === undefined ? '' : ` in ${shown(folder)}`}${untilText(scripts)}`;
  if (command !== undefined) return `exactly: ${shown(command)}${where}`;
  if (prefix !== undefined) return `begins with: ${shown(prefix)}${where}`;
  if (host !== undefined) return `the host ${shown(host)}${where}`;
  if (file !== undefined) return `the file ${shown(file)}${where}`;
  return `${path === undefined ? 'every call' : `paths ${shown(path)}`}${where}`;
}

function untilText(scripts: NumberedRule['rule']['scripts'] = {}): string {
  const files = Object.keys(scripts);
  const list = (names: readonly string[], verb: string): readonly string[] =>
    names.length === 0 ? [] : [`${shown(names.join(' or '))} ${verb}`];
  const changes = list(
    files.filter((file) => scripts[file] !== NO_FILE),
    'changes',
  );
  const appears = list(
    files.filter((file) => scripts[file] === NO_FILE),
    'appears',
  );
  return files.length === 0 ? '' : `, until ${[...changes, ...appears].join(' or ')}`;
}

const shown = (text: string): string => exactText(text).replaceAll('\n', '\\n');
