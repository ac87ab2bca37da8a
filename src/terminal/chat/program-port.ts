import type { Bilingual } from '../../domain/language.ts';
import type { PermissionMode, RuleKind } from '../../domain/permission.ts';
import type { OwnCommand } from '../../domain/session/skill.ts';
import type { AgentRow } from '../views/agents-text.ts';
import type { ChangedRow, ServerRow } from '../views/mcp-text.ts';
import type { PermissionsView } from '../views/permissions-text.ts';

export type SettingsPort = {
  readonly table: (keyPrefix: string, columns: number) => string;
  readonly keys: () => readonly string[];
  readonly tools: () => readonly SessionToolRow[];
};

export type SessionToolRow = { readonly name: string; readonly description: string };

/** What may run without asking: the person's own rules. Changes are in their settings at once, and hold from the next call on. */
export type PermissionsPort = {
  readonly view: () => PermissionsView;
  /** Adds a rule about a tool; the pattern is a command, with ` *` at its end the beginning of one, or a path. Throws usage for one that could never allow anything. */
  readonly add: (kind: RuleKind, rule: { readonly tool: string; readonly pattern: string; readonly irreversible: boolean }) => void;
  /** Throws not_found when there is no rule of that number. */
  readonly remove: (number: number) => void;
  /** The next permission mode, from the next call on; never to `bypass`. */
  readonly nextMode: () => PermissionMode;
  /** Throws usage for `bypass`, and for `accept-edits` where it is not available. */
  readonly changeMode: (mode: PermissionMode) => void;
  /** The folders that are read and written like the working folder. */
  readonly folders: () => readonly string[];
  /** Adds one for as long as this conversation is open, from the next message on. Throws usage for one that cannot be had. */
  readonly addFolder: (path: string) => void;
  readonly setReadOnlyCommands: (value: PermissionsView['readOnlyCommands']) => void;
};

export type McpPort = {
  readonly servers: () => readonly ServerRow[];
  /**
   * What a server says of its tools and the user has not agreed to, asked for first where it was not yet. Rejects with not_found when there
   * is no such server, with refused when it does not answer, and with AbortedError.
   */
  readonly changed: (server: string, signal: AbortSignal) => Promise<readonly ChangedRow[]>;
  /** Throws store_failed when it cannot be kept. */
  readonly approve: (server: string) => void;
};

export type SkillRow = {
  readonly name: string;
  readonly description: string;
  readonly source: 'user' | 'project';
  readonly folder: string;
};

export type OwnCommandRow = Pick<OwnCommand, 'name' | 'description' | 'argumentHint' | 'source'> & {
  readonly expand: (typed: string) => string;
};

export type SkillsPort = {
  readonly commands: () => readonly OwnCommandRow[];
  readonly list: () => readonly SkillRow[];
  readonly agents: () => { readonly agents: readonly AgentRow[]; readonly problems: readonly Bilingual[] };
  readonly problems: () => readonly Bilingual[];
  /** Why a command of the user's own is left out whose file is wrong. */
  readonly broken: (command: string) => Bilingual | undefined;
};

export type InstructionsPort = {
  /** A first AGENTS.md for the working folder, and where it would stand; or why none is made. Writes nothing. */
  readonly draft: () =>
    | { readonly kind: 'draft'; readonly path: string; readonly text: string }
    | { readonly kind: 'refused'; readonly why: string };
  /** Writes that text, never over a file. Throws SanbotError. */
  readonly write: (draft: { readonly path: string; readonly text: string }) => void;
};
