import type { PermissionMode, RuleKind } from '../../domain/permission.ts';
import type { PermissionsView } from '../views/permissions-text.ts';

/** What may run without asking: the person's own rules. Changes are in their settings at once, and hold from the next call on. */
export type PermissionsPort = {
  readonly view: () => PermissionsView;
  /** Adds a rule about a tool; the pattern is a command, with ` *` at its end the beginning of one, or a path. Throws usage for one that could never allow anything. */
  readonly add: (kind: RuleKind, tool: string, pattern: string) => void;
  /** Throws not_found when there is no rule of that number. */
  readonly remove: (number: number) => void;
  /** The next permission mode, from the next call on; never to `bypass`. */
  readonly nextMode: () => PermissionMode;
  /** Throws usage for `bypass`, and for `accept-edits` where it is not available. */
  readonly changeMode: (mode: PermissionMode) => void;
  readonly setReadOnlyCommands: (value: PermissionsView['readOnlyCommands']) => void;
};
