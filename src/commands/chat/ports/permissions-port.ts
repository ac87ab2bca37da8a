import { numberedRules } from '../../../context/permission/edit-rules.ts';
import type { PermissionsPort } from '../../../terminal/chat/permissions-port.ts';
import { addRule, removeRule } from '../../config/change-permissions.ts';
import type { Current } from './current.ts';

export const createPermissionsPort = ({ runtime: { permissions, modes } }: Current): PermissionsPort => ({
  view: () => {
    const written = permissions.written();
    return {
      rules: numberedRules(written),
      readOnlyCommands: written.readOnlyCommands,
      sandboxedCommands: written.sandboxedCommands,
      mode: modes.current(),
    };
  },
  add: (kind, tool, pattern) => void addRule(permissions, kind, { tool, pattern }),
  remove: (number) => void removeRule(permissions, number),
  nextMode: modes.next,
  changeMode: modes.change,
  setReadOnlyCommands: (value) => permissions.change((settings) => ({ ...settings, readOnlyCommands: value })),
});
