import { z } from 'zod';
import { parseJson } from '../value/json.ts';
import { statementKinds } from './memory.ts';

/** The only form in which a model can propose memories: JSON that fits these schemas. Nothing else of its answer counts. */
const kindSchema = z.enum(statementKinds);
const textSchema = z.string().trim().min(1).max(400);

/** Lines of the page of L2, each with the ids of the entries it was made from. */
export const masterProposalSchema = z.object({
  lines: z.array(z.object({ kind: kindSchema, text: textSchema, from: z.array(z.string()).min(1).max(20) })).max(300),
});

/** Entries of L1, each with the number of the message that said it. An empty list is a valid answer. */
export const entriesProposalSchema = z.object({
  entries: z.array(z.object({ kind: kindSchema, text: textSchema, from: z.int() })).max(40),
});

/** Returns the JSON object in an answer, whatever text surrounds it; undefined when there is none. */
export function extractJson(answer: string): unknown {
  const start = answer.indexOf('{');
  const end = answer.lastIndexOf('}');
  return start < 0 || end < start ? undefined : parseJson(answer.slice(start, end + 1));
}
