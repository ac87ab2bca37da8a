import { z } from 'zod';
import type { ToolOutcome } from '../../agent/ports/tools.ts';
import { type MemoryKind, memoryKinds } from '../../domain/memory/memory.ts';
import { continuation, countLines, ONE_OFFSET, PAST_END, type PageRange, pageOf, pageRoom, pastEndText } from '../page.ts';
import { visibleLine } from '../place/visible.ts';
import { counted, defineTool, failure, readPlan } from '../tool.ts';
import { type RecallToolContext, recallTool } from './recall.ts';

/** What is kept of earlier sessions, as text. Each may throw SanbotError. */
export type Records = {
  readonly pageChars: number;
  /** One line for each session, the newest first. */
  readonly sessions: () => string;
  readonly memories: (kind: MemoryKind | undefined) => string;
  /** Of the session with this id or a part of it, or else of the newest. */
  readonly contextOf: (session: string | undefined) => string;
};

const range = {
  offset: z.int().min(1).optional().describe('First line, from 1.'),
  char_offset: z.int().min(0).optional().describe('First character, from 0.'),
};

const showSchema = z.strictObject({ ref: z.string().min(1).max(200).describe('The ref of a hit of recall.'), ...range });
export const showTool = defineTool('show', showSchema, async (input, context: RecallToolContext) => recallTool.make(context).plan(input));

export const sessionsTool = defineTool('sessions', z.strictObject(range), async (input, records: Records) =>
  readPage('sessions', input, records, () => records.sessions()),
);

const memoriesSchema = z.strictObject({ kind: z.enum(memoryKinds).optional(), ...range });
export const memoriesTool = defineTool('memories', memoriesSchema, async (input, records: Records) =>
  readPage('memories', input, records, () => records.memories(input.kind)),
);

const contextSchema = z.strictObject({
  session: z.string().min(1).max(100).optional().describe('Its id or a part of it; the newest one unless given.'),
  ...range,
});
export const contextOfTool = defineTool('context_of', contextSchema, async (input, records: Records) =>
  readPage('context_of', input, records, () => records.contextOf(input.session)),
);

/** Pins the message that a reference names, and resolves with its text. Rejects with SanbotError where it cannot be pinned. */
type PinText = (ref: string) => Promise<string>;

export const pinTool = defineTool('pin', z.strictObject({ ref: showSchema.shape.ref }), async ({ ref }, pin: PinText) =>
  readPlan(`pin ${visibleLine(ref, 200)}`, async () => {
    const text = await pin(ref);
    return { ok: true, content: `It is pinned: ${visibleLine(text, 500)}`, note: { en: 'pinned', zh: '已固定' } };
  }),
);

type Range = Pick<PageRange, 'offset'> & { readonly char_offset?: number | undefined };

/** Plans to read a page of a text. */
const readPage = (title: string, { offset, char_offset: charOffset }: Range, { pageChars }: Records, text: () => string) =>
  offset !== undefined && charOffset !== undefined
    ? ONE_OFFSET
    : readPlan(title, async () => pageOutcome(text(), { offset, charOffset }, pageChars));

const HEAD_CHARS = 200;

function pageOutcome(text: string, pageRange: PageRange, pageChars: number): ToolOutcome {
  const page = pageOf(text, pageRange, pageRoom({ pageChars }, HEAD_CHARS));
  if (page.kind === 'past_end') return failure(pastEndText(page), PAST_END);
  const { firstLine, lastLine, next } = page;
  const head = `Lines ${firstLine}-${lastLine} of ${countLines(text)}${next === undefined ? '' : `; go on with ${continuation(next)}`}:`;
  const isWhole = page.firstChar === 0 && next === undefined;
  return { ok: true, content: isWhole ? page.text : `${head}\n\n${page.text}`, note: counted(page.text.length, 'character', '个字符') };
}
