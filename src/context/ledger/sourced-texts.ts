import type { Ledger } from '../../domain/session/ledger.ts';
import type { Message } from '../../domain/session/message.ts';
import { isImport, looksLikeOutput } from '../text/sentences.ts';
import { isEcho, messageText, programNotes } from './exchange/exchanges.ts';
import { identifiersIn, type SourcedText } from './identifiers.ts';
import { wasRun } from './outcomes.ts';
import type { ToolCall } from './types.ts';

/** Returns what was said, called and returned, each text with where it stood: by that its names are ranked. */
export function sourcedTexts(messages: readonly Message[], calls: readonly ToolCall[]): readonly SourcedText[] {
  const messageTexts = messages.flatMap((message): readonly SourcedText[] => {
    const text = messageText(message);
    const note: SourcedText = { source: 'note', text: programNotes(message) };
    if (message.origin !== 'user') return [{ source: isEcho(message) ? 'result' : 'assistant', text }];
    const lines = text.split('\n');
    return [
      { source: 'user', text: lines.filter((line) => !looksLikeOutput(line)).join('\n') },
      { source: 'note', text: lines.filter(looksLikeOutput).join('\n') },
      note,
    ];
  });
  const callTexts = calls.flatMap((call): readonly SourcedText[] => {
    const hasWritten = call.kind === 'write' && !call.failed && wasRun(call);
    return [
      { source: 'command', text: call.command ?? '' },
      { source: hasWritten ? 'file' : 'input', text: call.kind === 'run' ? '' : call.title.slice(call.tool.length) },
      { source: 'change', text: hasWritten ? withoutImports(callArgumentTexts(call.input)) : '' },
      { source: 'error', text: call.error ?? '' },
      { source: 'result', text: call.result ?? '' },
    ];
  });
  return [...messageTexts, ...callTexts];
}

function withoutImports(texts: readonly string[]): string {
  const lines = texts.join('\n').split('\n');
  return lines.filter((line) => !isImport(line)).join('\n');
}

/** Every text of a call's arguments: what an edit takes away and what it puts there name what the work is about. */
const callArgumentTexts = (input: unknown, depth = 0): readonly string[] => {
  if (typeof input === 'string') return [input];
  if (typeof input !== 'object' || input === null || depth === MAX_DEPTH) return [];
  return Object.values(input).flatMap((value: unknown) => callArgumentTexts(value, depth + 1));
};

/** Of arguments that are lists of edits, with room to spare; what is deeper is not an argument that anybody wrote. */
const MAX_DEPTH = 8;

const EDIT_CHARS = 20_000;
const MAX_CHARS = 8_000;
/** The weight of a name of code, as `identifiersIn` gives it: paths and figures belong to no file. */
const CODE_NAME = 1;

/** Which names stand in which edited file: where most of its edits are, of equals the first. What was known before stays. */
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
