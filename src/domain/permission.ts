/** How much a tool call may do without asking. `bypass` never asks. */
export const permissionModes = ['ask', 'accept-edits', 'read-only', 'bypass'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** What a tool call does: reads, changes a file, or runs a program. */
export type Access = 'read' | 'write' | 'run';

/** What a person is asked before a call runs. */
export type PermissionRequest = {
  readonly tool: string;
  readonly access: Access;
  readonly title: string;
  readonly preview: string;
  readonly outside: boolean;
};
/** `nobody`: there was no person to ask. */
export type PermissionAnswer = 'once' | 'session' | 'no' | 'nobody';
