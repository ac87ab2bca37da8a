import type { PermissionMode } from '../../domain/permission.ts';
import type { ToolPlan } from '../ports.ts';

export type ReadyPlan = Extract<ToolPlan, { kind: 'ready' }>;

export type PermissionRules = {
  readonly mode: PermissionMode;
  /** Tools that a flag allows where nobody can be asked. */
  readonly allowed: ReadonlySet<string>;
  /** What the person allowed for the rest of this session; kept in memory only, never read from a transcript. */
  readonly grants: ReadonlySet<string>;
};

export type Decision = { readonly kind: 'allow' } | { readonly kind: 'ask' } | { readonly kind: 'deny'; readonly why: string };

/**
 * Says whether a call may run. Looking inside the working folder and at the session's own bodies is free; everything else
 * asks, unless the mode, a flag or an earlier answer covers it.
 */
export function decidePermission(tool: string, plan: ReadyPlan, rules: PermissionRules): Decision {
  if (rules.mode === 'bypass') return allow;
  const near = plan.place !== 'outside';
  if (plan.access === 'read' && near) return allow;
  if (plan.access !== 'read' && rules.mode === 'read-only') return { kind: 'deny', why: 'the permission mode is read-only' };
  if (plan.access === 'write' && near && rules.mode === 'accept-edits') return allow;
  if (rules.allowed.has(tool) || rules.grants.has(grantOf(tool, plan))) return allow;
  return { kind: 'ask' };
}

/**
 * What "yes, for this session" covers: edits inside the working folder as a whole, but a command or a path outside only
 * exactly as it was shown.
 */
export function grantOf(tool: string, plan: ReadyPlan): string {
  if (plan.access === 'write' && plan.place === 'inside') return 'write inside';
  return JSON.stringify([tool, plan.access === 'run' ? plan.preview : plan.path]);
}

const allow: Decision = { kind: 'allow' };
