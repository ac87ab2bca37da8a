import { localize } from '../../domain/language.ts';
import { permissionModes, ruleKinds } from '../../domain/permission.ts';
import type { PermissionsPort } from '../chat/permissions-port.ts';
import { permissionsText } from '../views/permissions-text.ts';
import type { CommandUi } from './command.ts';

/** `/permissions` shows the mode and the rules; with words after it, it changes them. The list follows each change. */
export function runPermissions(argument: string, permissions: PermissionsPort, { screen, columns }: CommandUi): void {
  const [, word = '', first = '', rest = ''] = /^(\S*)\s*(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
  const kind = ruleKinds.find((each) => each === word);
  const value = (['ask', 'run'] as const).find((each) => each === first);
  const isNumber = /^\d{1,6}$/.test(first);
  const mode = first === '' ? permissionModes.find((each) => each === word) : undefined;
  if (mode !== undefined) permissions.changeMode(mode);
  else if (kind !== undefined && first !== '') permissions.add(kind, first, rest.trim());
  else if (word === 'remove' && isNumber && rest === '') permissions.remove(Number(first));
  else if (word === 'readonly' && value !== undefined && rest === '') permissions.setReadOnlyCommands(value);
  else if (word !== '') {
    screen.line(localize(usage), 'bad');
    return;
  }
  screen.block(permissionsText(permissions.view(), columns()));
}

const usage = {
  en: 'Write /permissions allow, ask or deny TOOL [PATTERN], /permissions remove NUMBER, /permissions readonly ask or run, or /permissions with a mode: ask, accept-edits or read-only.',
  zh: '用法：/permissions allow、ask 或 deny TOOL [PATTERN]，/permissions remove NUMBER，/permissions readonly ask 或 run，或 /permissions 加模式：ask、accept-edits 或 read-only。',
};
