import type { ToolPlan } from '../../agent/ports.ts';
import type { ResolvedPath } from '../place/place.ts';
import { failure, invalid } from '../tool.ts';

/** What every plan to change a file states. */
export const writePlanBase = (tool: string, target: ResolvedPath) =>
  ({ kind: 'ready', access: 'write', path: target.path, place: target.place, title: `${tool} ${target.displayName}` }) as const;

/**
 * The plan for a change that would fail. Of a file in the working folder the model learns why at once; of any other only
 * after a person allowed to touch it, since the reason tells what is there.
 */
export function failingWritePlan(tool: string, target: ResolvedPath, why: string): ToolPlan {
  const message = `${target.displayName}: ${why}`;
  if (target.place === 'inside') return invalid(`${tool}: ${message}`);
  return { ...writePlanBase(tool, target), preview: `Would fail: ${message}`, run: async () => failure(message) };
}
