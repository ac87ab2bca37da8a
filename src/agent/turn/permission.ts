import type { PermissionMode } from '../../domain/permission.ts';
import type { ToolPlan } from '../ports/tools.ts';

export type ReadyPlan = Extract<ToolPlan, { kind: 'ready' }>;

export type PermissionRules = {
  readonly mode: PermissionMode;
  /** Tools that a flag allows where nobody can be asked. */
  readonly allowed: ReadonlySet<string>;
  /** What the person allowed for the rest of this session; kept in memory only, never read from a transcript. */
  readonly grants: ReadonlySet<string>;
};

export type PermissionDecision = { readonly kind: 'allow' } | { readonly kind: 'ask' } | { readonly kind: 'deny'; readonly why: string };

/**
 * Says whether a call may run. Looking inside the working folder and at the session's own bodies is free; everything else
 * asks, unless the mode, a flag or an earlier answer covers it.
 */
export function decidePermission(tool: string, plan: ReadyPlan, rules: PermissionRules): PermissionDecision {
  if (rules.mode === 'bypass') return allow;
  const isLocal = plan.place !== 'outside';
  if (plan.access === 'read' && isLocal) return allow;
  if (plan.access !== 'read' && rules.mode === 'read-only') return { kind: 'deny', why: 'the permission mode is read-only' };
  if (plan.access === 'write' && isLocal && rules.mode === 'accept-edits') return allow;
  if (rules.allowed.has(tool) || rules.grants.has(grantKey(tool, plan))) return allow;
  return { kind: 'ask' };
}

/**
 * What "yes, for this session" covers: edits inside the working folder as a whole, but a command or a path outside only
 * exactly as it was shown.
 */
export function grantKey(tool: string, plan: ReadyPlan): string {
  if (plan.access === 'write' && plan.place === 'inside') return 'write inside';
  return JSON.stringify([tool, plan.access === 'run' ? plan.preview : plan.path]);
}

const allow: PermissionDecision = { kind: 'allow' };
