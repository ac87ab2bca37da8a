import type { Effort } from '../config/effort.ts';
import type { PermissionMode } from '../permission.ts';

/** A helper with instructions of its own, as a file says it. */
export type AgentFile = {
  readonly name: string;
  /** When to use it, on one line. */
  readonly description: string;
  /** Names of tools, of MCP servers too; undefined for all that its session can give. */
  readonly tools: readonly string[] | undefined;
  /** Undefined for that of its session. */
  readonly model: string | undefined;
  readonly effort: Effort | undefined;
  /** It only ever narrows that of its session. */
  readonly mode: PermissionMode | undefined;
  readonly maxSteps: number | undefined;
  /** It works in a git worktree of its own. */
  readonly worktree: boolean;
  readonly prompt: string;
  readonly source: 'user' | 'project';
  readonly path: string;
};

/** From what lets least pass to what lets most. */
const RANKS: readonly PermissionMode[] = ['read-only', 'plan', 'ask', 'accept-edits', 'bypass'];

/** The one of both that lets less pass. */
export const narrower = (mode: PermissionMode, other: PermissionMode | undefined): PermissionMode =>
  other !== undefined && RANKS.indexOf(other) < RANKS.indexOf(mode) ? other : mode;
