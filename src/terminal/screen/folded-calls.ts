import { localize } from '../../domain/language.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { textWidth } from '../text/text-width.ts';
import type { EventLine, EventOf } from './line.ts';
import { callRow, toolLine } from './tool-line.ts';

/** Calls that only look: what they found is for the model, and a row of them says as much as many. */
const LOOKING: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search']);

type Ended = { readonly event: EventOf<'tool_ended'>; readonly title: string | undefined; below: readonly EventLine[] };

export function createFoldedCalls() {
  let calls: Ended[] = [];
  return {
    isEmpty: (): boolean => calls.length === 0,
    add: (event: EventOf<'tool_ended'>, title: string | undefined): boolean => {
      if (!event.ok || event.denied || !LOOKING.has(event.tool)) return false;
      calls.push({ event, title, below: [] });
      return true;
    },
    /** True when it belongs to one of them; it is shown where the call has a row of its own. */
    addBelow: (toolUseId: string | undefined, line: EventLine): boolean => {
      const call = calls.find(({ event }) => event.toolUseId === toolUseId);
      if (call !== undefined) call.below = [...call.below, line];
      return call !== undefined;
    },
    lines: (columns: number): readonly EventLine[] => foldedLines(calls, columns),
    clear: (): void => {
      calls = [];
    },
  };
}

function foldedLines(calls: readonly Ended[], columns: number): readonly EventLine[] {
  const [first, ...more] = calls;
  if (first === undefined) return [];
  if (more.length === 0) return [toolLine(first.event, { title: first.title, columns }), ...first.below];
  const ms = calls.reduce((sum, { event }) => sum + event.ms, 0);
  const names = namesOf(calls);
  const name = textWidth(names) <= columns - MARK_COLUMNS ? names : countsOf(calls);
  return [callRow({ ok: true, name, outcome: '', ms, columns })];
}

const MARK_COLUMNS = 2;

function namesOf(calls: readonly Ended[]): string {
  const groups = new Map<string, string[]>();
  for (const { event, title = event.tool } of calls) {
    const [, verb = '', rest = title] = /^(\S+) (.*)$/s.exec(title) ?? [];
    const names = groups.get(verb) ?? [];
    if (!names.includes(rest)) names.push(rest);
    groups.set(verb, names);
  }
  const comma = localize({ en: ', ', zh: '、' });
  return [...groups].map(([verb, names]) => safeLine(`${verb} ${names.join(comma)}`.trim())).join(' · ');
}

function countsOf(calls: readonly Ended[]): string {
  const count = (tool: string): number => calls.filter(({ event }) => event.tool === tool).length;
  const [read, listed, searched] = [count('read_file'), count('list_files'), count('search')];
  const parts = [
    { n: read, en: `Read ${pluralize(read, 'file')}`, zh: `读取 ${formatCount(read)} 个文件` },
    { n: listed, en: `List ${pluralize(listed, 'folder')}`, zh: `列出 ${formatCount(listed)} 个文件夹` },
    { n: searched, en: `Search ${pluralize(searched, 'time')}`, zh: `搜索 ${formatCount(searched)} 次` },
  ];
  return parts
    .filter(({ n }) => n > 0)
    .map((part) => localize(part))
    .join(' · ');
}
