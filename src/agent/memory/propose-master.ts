import { isGrounded } from '../../context/memory/check-proposal.ts';
import type { MasterLine } from '../../context/memory/consolidate.ts';
import { neutralize, quoteLine } from '../../context/text/quote.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { extractJson, masterProposalSchema } from '../../domain/memory/memory-proposal.ts';
import { askMemory, type MemoryRequest } from './ask-memory.ts';

export type ProposalResult =
  | { readonly kind: 'proposed'; readonly model: string; readonly lines: readonly MasterLine[]; readonly costUsd: number | undefined }
  | { readonly kind: 'none'; readonly why: Bilingual };

const MAX_SOURCE_CHARS = 60_000;
const MAX_LINE_CHARS = 300;

/**
 * What a model would put on the page of L2. Each line must name the entries it comes from and say what they say; others are left out.
 * What tools printed is not shown to it.
 */
export async function proposeMaster(entries: readonly MemoryLine[], request: MemoryRequest): Promise<ProposalResult> {
  const statements = entries.filter(({ kind }) => kind !== 'runtime');
  const rows = statements.map(({ id, kind, day, text }) => `[${id}] ${kind}, ${day ?? 'by hand'}: ${neutralize(text)}`);
  const answer = await askMemory(request, { entries: newestRows(rows) });
  if (answer.kind === 'none') return answer;
  const parsed = masterProposalSchema.safeParse(extractJson(answer.text));
  if (!parsed.success) return { kind: 'none', why: { en: 'it is not the JSON that was asked for', zh: '不是所要求的 JSON' } };
  const byId = new Map(statements.map((entry) => [entry.id, entry] as const));
  const lines = parsed.data.lines.flatMap(({ kind, text, from }): readonly MasterLine[] => {
    const ids = [...new Set(from)];
    const sources = ids.flatMap((id) => byId.get(id)?.text ?? []);
    const line = quoteLine(text, MAX_LINE_CHARS);
    return sources.length === ids.length && isGrounded(line, sources) ? [{ kind, text: line, ids }] : [];
  });
  if (lines.length === 0) return { kind: 'none', why: { en: 'none of its lines says what the entries say', zh: '没有一行与条目内容相符' } };
  return { kind: 'proposed', model: request.name, lines, costUsd: answer.costUsd };
}

/** The last ones, as many as fit. */
function newestRows(rows: readonly string[]): string {
  let remainingChars = MAX_SOURCE_CHARS;
  const from = rows.findLastIndex((row) => {
    remainingChars -= row.length + 1;
    return remainingChars < 0;
  });
  return rows.slice(from + 1).join('\n');
}
