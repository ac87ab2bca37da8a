import { z } from 'zod';
import type { Bilingual } from '../../domain/language.ts';
import { type RememberResult, type StatementKind, statementKinds } from '../../domain/memory/memory.ts';
import { visibleLine } from '../place/visible.ts';
import { defineTool, failure, quantity, readPlan } from '../tool.ts';

/** Keeps a statement beyond the session, or returns why not. Throws SanbotError when the disk refuses it. */
export type Remember = (request: {
  readonly text: string;
  readonly kind: StatementKind | undefined;
}) => RememberResult | { readonly outcome: 'refused'; readonly why: Bilingual };

const inputSchema = z.strictObject({
  text: z.string().min(1).max(1_000),
  kind: z.enum(statementKinds).optional(),
});

/** Writes to the user's memory and nowhere else, so it never asks; the user sees it at once and can take it back. */
export const rememberTool = defineTool('remember', inputSchema, async ({ text, kind }, remember: Remember) =>
  readPlan(`remember ${visibleLine(text, 200)}`, async () => {
    const answer = remember({ text, kind });
    if (answer.outcome === 'refused')
      return failure({ en: `Not remembered: ${answer.why.en}.`, zh: `没有记住：${answer.why.zh}。` }, { en: 'refused', zh: '被拒绝' });
    if (answer.outcome === 'known')
      return { ok: true, content: `That is remembered already (${answer.id}).`, note: { en: 'known already', zh: '已记住' } };
    const count = answer.superseded.length;
    const old = count === 0 ? '' : ` It takes the place of ${answer.superseded.join(', ')}.`;
    const note = {
      en: `${answer.id} in ${answer.kind}${count === 0 ? '' : `, ${quantity(count, 'older one')} superseded`}`,
      zh: `${answer.id}（${answer.kind}）${count === 0 ? '' : `，取代 ${count} 条较早的`}`,
    };
    return { ok: true, content: `Remembered as ${answer.id} in ${answer.kind}.${old}`, note };
  }),
);
