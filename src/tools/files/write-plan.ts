import type { ToolPlan } from '../../agent/ports.ts';
import type { Placed } from '../place/place.ts';
import { failed, invalid } from '../tool.ts';

/** What every plan to change a file states. */
export const writeTo = (tool: string, placed: Placed) =>
  ({ kind: 'ready', access: 'write', path: placed.path, place: placed.place, title: `${tool} ${placed.shown}` }) as const;

/**
 * The plan for a change that would fail. Of a file in the working folder the model learns why at once; of any other only
 * after a person allowed to touch it, since the reason tells what is there.
 */
export function cannotWrite(tool: string, placed: Placed, why: string): ToolPlan {
  const message = `${placed.shown}: ${why}`;
  if (placed.place === 'inside') return invalid(`${tool}: ${message}`);
  return { ...writeTo(tool, placed), preview: `Would fail: ${message}`, run: async () => failed(message) };
}
