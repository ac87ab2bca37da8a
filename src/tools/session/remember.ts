import { z } from 'zod';
import type { Tool } from '../../agent/ports/tools.ts';
import { type RememberResult, type StatementKind, statementKinds } from '../../domain/memory/memory.ts';
import { visibleLine } from '../place/visible.ts';
import { createTool, failure, quantity, readPlan } from '../tool.ts';

/** Keeps a statement beyond the session, or returns why not. Throws SanbotError when the disk refuses it. */
export type Remember = (request: {
  readonly text: string;
  readonly kind: StatementKind | undefined;
}) => RememberResult | { readonly outcome: 'refused'; readonly why: string };

const inputSchema = z.strictObject({
  text: z.string().min(1).max(1_000),
  kind: z.enum(statementKinds).optional(),
});

export const rememberDefinition = { name: 'remember', input: inputSchema };

/** Writes to the user's memory and nowhere else, so it never asks; the user sees it at once and can take it back. */
export function rememberTool(remember: Remember): Tool {
  return createTool(rememberDefinition, async ({ text, kind }) =>
    readPlan(`remember ${visibleLine(text, 200)}`, async () => {
      const answer = remember({ text, kind });
      if (answer.outcome === 'refused') return failure(`Not remembered: ${answer.why}.`, 'refused');
      if (answer.outcome === 'known') return { ok: true, content: `That is remembered already (${answer.id}).`, note: 'known already' };
      const old = answer.superseded.length === 0 ? '' : ` It takes the place of ${answer.superseded.join(', ')}.`;
      const note = `${answer.id} in ${answer.kind}${old === '' ? '' : `, ${quantity(answer.superseded.length, 'older one')} superseded`}`;
      return { ok: true, content: `Remembered as ${answer.id} in ${answer.kind}.${old}`, note };
    }),
  );
}
