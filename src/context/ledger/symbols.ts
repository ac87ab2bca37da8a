import type { Ledger } from '../../domain/session/ledger.ts';
import { identifiersIn } from './identifiers.ts';
import { wasRun } from './outcomes.ts';
import { callArgumentTexts } from './sourced-texts.ts';
import type { ToolCall } from './types.ts';

/** Only this much of an edit is read. */
const EDIT_CHARS = 20_000;
/** Of all the names together, the worthiest first. */
const MAX_CHARS = 8_000;
/** The weight of a name of code, as `identifiersIn` gives it: paths and figures belong to no file. */
const CODE_NAME = 1;

/**
 * Returns, for each edited file, which of the names stand in it: each name where most of its edits are, of equals where it came up first. What
 * was known of a name before stays, unless its file was deleted.
 */
export function symbolsIn(
  calls: readonly ToolCall[],
  earlier: NonNullable<Ledger['symbols']>,
  { identifiers, filesDeleted = [] }: Pick<Ledger, 'identifiers' | 'filesDeleted'>,
): NonNullable<Ledger['symbols']> {
  const wanted = new Set(identifiers);
  const fileOf = new Map<string, string>();
  for (const [name, files] of mentionsIn(calls, wanted)) {
    const most = Math.max(...files.values());
    for (const [file, times] of files) if (times === most && !fileOf.has(name)) fileOf.set(name, file);
  }
  for (const { file, names } of earlier) for (const name of names) if (wanted.has(name)) fileOf.set(name, file);
  const byFile = new Map<string, string[]>();
  let remainingChars = MAX_CHARS;
  for (const name of identifiers) {
    const file = fileOf.get(name);
    if (file === undefined || filesDeleted.includes(file) || name.length > remainingChars) continue;
    remainingChars -= name.length;
    byFile.set(file, [...(byFile.get(file) ?? []), name]);
  }
  return [...byFile].map(([file, names]) => ({ file, names }));
}

/** How often the edits of each file have each name. */
function mentionsIn(calls: readonly ToolCall[], wanted: ReadonlySet<string>): ReadonlyMap<string, Map<string, number>> {
  const mentions = new Map<string, Map<string, number>>();
  for (const call of calls) {
    const [file] = call.paths;
    if (call.kind !== 'write' || call.failed || !wasRun(call) || file === undefined) continue;
    for (const [name, kind] of identifiersIn(callArgumentTexts(call.input).join('\n').slice(0, EDIT_CHARS))) {
      if (kind > CODE_NAME || !wanted.has(name)) continue;
      const files = mentions.get(name) ?? new Map<string, number>();
      mentions.set(name, files.set(file, (files.get(file) ?? 0) + 1));
    }
  }
  return mentions;
}
