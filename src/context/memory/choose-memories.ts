import { parseMasterPage } from '../../domain/memory/master-page.ts';
import { type StatementKind, statementKinds } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { neutralize, oneLine } from '../text/sentences.ts';

export type MemoryOptions = {
  /** Entries of all kinds; runtime entries are never chosen, because they hold what tools printed. */
  readonly entries: readonly MemoryLine[];
  readonly master: string;
  /** The folder of this project: where the session runs, or the root of its repository. */
  readonly project: string;
  readonly today: string;
  readonly maxTokens: number;
};

const headings: Readonly<Record<StatementKind, string>> = { decisions: 'Decisions:', facts: 'Facts:', preferences: 'Preferences:' };

const LINE_CHARS = 400;

/**
 * The memories for a system prompt: a person's lines of master.md, then entries by how much they may matter here, as many as fit, in an
 * order that does not depend on the scores. `left`: how many lines had no room.
 */
export function chooseMemories(options: MemoryOptions) {
  const page = parseMasterPage(options.master);
  const droppedIds = new Set(page.listedIds.filter((id) => !page.items.some(({ ids }) => ids.includes(id))));
  const itemsById = new Map(page.items.flatMap((item) => item.ids.map((id) => [id, item] as const)));
  const manualItems = page.byHand.map((line) => `- ${displayLine(line.replace(/^\s*(?:[-*]|#{1,6}) /, ''))}`);
  const statements = options.entries.filter((entry): entry is MemoryLine & { readonly kind: StatementKind } =>
    statementKinds.some((kind) => kind === entry.kind),
  );
  const candidates = statements
    .filter(({ id }) => !droppedIds.has(id) && (itemsById.get(id)?.ids[0] ?? id) === id)
    .map((entry, at) => {
      const item = itemsById.get(entry.id);
      return {
        kind: entry.kind,
        at,
        line: lineOf(entry, item?.text ?? entry.text, options.project),
        score: scoreOf(entry, item !== undefined, options),
      };
    });
  let budget = options.maxTokens;
  const fitsBudget = (line: string): boolean => {
    budget -= roughTokens(line) + 1;
    return budget >= 0;
  };
  const manualLines = manualItems.filter(fitsBudget);
  const ranked = candidates.toSorted((a, b) => b.score - a.score || b.at - a.at);
  const selected = new Set(ranked.filter(({ line }) => fitsBudget(line)));
  const kept = candidates.filter((each) => selected.has(each));
  const sections = [
    manualLines.join('\n'),
    ...(['preferences', 'decisions', 'facts'] as const).map((kind) => {
      const lines = kept.filter((each) => each.kind === kind).map(({ line }) => line);
      return lines.length === 0 ? '' : [headings[kind], ...lines].join('\n');
    }),
  ].filter((section) => section !== '');
  const count = manualLines.length + kept.length;
  return { text: sections.join('\n'), chosen: count, left: manualItems.length + candidates.length - count };
}

const displayLine = (text: string): string => neutralize(oneLine(text, LINE_CHARS));

function lineOf(entry: MemoryLine, text: string, project: string): string {
  const notes = [entry.day, isElsewhere(entry, project) ? `in ${displayLine(entry.cwd ?? '')}` : undefined].filter(
    (note) => note !== undefined,
  );
  return `- ${displayLine(text)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

function scoreOf(entry: MemoryLine, isMerged: boolean, { project, today }: MemoryOptions): number {
  const days = entry.day === undefined ? 0 : Math.max(0, (Date.parse(today) - Date.parse(entry.day)) / 86_400_000);
  const placeScore = entry.cwd === undefined ? 2 : isElsewhere(entry, project) ? (entry.kind === 'preferences' ? 1 : 0) : 4;
  const sourceScore = entry.byHand ? 3 : entry.by === 'model' ? 0 : 1;
  return placeScore + sourceScore + (isMerged ? 2 : 0) + (entry.kind === 'preferences' ? 1 : 0) + 2 * 2 ** (-days / 30);
}

const isElsewhere = ({ cwd }: MemoryLine, project: string): boolean =>
  cwd !== undefined && cwd !== project && !cwd.startsWith(project.endsWith('/') ? project : `${project}/`);

/** Errs upwards, and needs no tokenizer: that is not loaded yet when a session begins. */
function roughTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) wide += 1;
  return Math.ceil((text.length - wide) / 3 + wide);
}
