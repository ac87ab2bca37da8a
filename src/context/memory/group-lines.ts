import { masterItem, masterPlace } from '../../domain/memory/master-page.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { senseOf } from '../../domain/memory/memory-sense.ts';
import { neutralize } from '../text/quote.ts';

type Line = { readonly text: string; readonly ids: readonly string[] };

/** The lines of one section: those of no folder first, then folder by folder, in each by topic and the newest first. */
export function groupLines(lines: readonly Line[], entriesById: ReadonlyMap<string, MemoryLine>): string {
  const rows = lines.map((line) => {
    const sources = line.ids.flatMap((id) => entriesById.get(id) ?? []);
    return {
      line,
      day:
        sources
          .map(({ day }) => day ?? '')
          .sort()
          .at(-1) ?? '',
      place: sources[0]?.cwd ?? '',
    };
  });
  const places = groupBy(rows, ({ place }) => place).sort(([a, x], [b, y]) => Number(a !== '') - Number(b !== '') || newest(y, x));
  return places
    .map(([place, some]) => {
      const items = byTopic(some).map(({ line: { text, ids }, day }) => masterItem(text, ids, day === '' ? undefined : day));
      return `${place === '' ? '' : `${masterPlace(neutralize(place))}\n\n`}${items.join('\n')}`;
    })
    .join('\n\n');
}

type Row = { readonly line: Line; readonly day: string; readonly place: string };

const newest = (a: readonly Row[], b: readonly Row[]): number => lastDay(a).localeCompare(lastDay(b));
const lastDay = (rows: readonly Row[]): string => rows.reduce((day, row) => (row.day > day ? row.day : day), '');

/** Lines with a word in common stand together: each goes with the word of its own that most others have. */
function byTopic(rows: readonly Row[]): readonly Row[] {
  const terms = new Map(rows.map((row) => [row, senseOf(row.line.text).terms] as const));
  const counts = new Map<string, number>();
  for (const some of terms.values()) for (const term of some) counts.set(term, (counts.get(term) ?? 0) + 1);
  const count = (term: string): number => counts.get(term) ?? 0;
  const topicOf = (row: Row): string => {
    const term = (terms.get(row) ?? []).reduce((best, each) => (count(each) > count(best) ? each : best), '');
    return count(term) > 1 ? term : row.line.ids.join();
  };
  return groupBy(rows, topicOf)
    .sort(([, a], [, b]) => newest(b, a))
    .flatMap(([, some]) => some.toSorted((a, b) => b.day.localeCompare(a.day)));
}

function groupBy(rows: readonly Row[], keyOf: (row: Row) => string): (readonly [string, readonly Row[]])[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return [...groups];
}
