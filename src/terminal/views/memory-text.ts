import type { RememberResult } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { pluralize } from '../text/format.ts';
import type { Paint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';

/** One entry in one line: id, day, words. */
export const memoryRow = ({ id, day, text }: MemoryLine): string => `${safeLine(id)}  ${day ?? '          '}  ${safeLine(text)}`;

export function rememberResultText(answer: RememberResult | { readonly outcome: 'refused'; readonly why: string }): string {
  switch (answer.outcome) {
    case 'refused':
      return `Not remembered: ${safeLine(answer.why)}.`;
    case 'known':
      return `Already remembered: ${answer.id}, in ${answer.kind}.`;
    case 'added': {
      const replaced = answer.superseded.length === 0 ? '' : ` It replaces ${answer.superseded.join(', ')}.`;
      return `Remembered in ${answer.kind}: ${answer.id}.${replaced} To undo: sanbot memory forget ${answer.id}`;
    }
  }
}

export const MEMORY_IS_OFF =
  'Memory is switched off (memory.enabled is false): nothing is added, and no session is told what is remembered.';

type Origin = { readonly ref: string | undefined; readonly path: string };

/** A list of entries; with `origin`, the one entry with where it comes from. */
export function memoriesJson(entries: readonly MemoryLine[], origin?: Origin): string {
  const rows = entries.map(({ line: _line, ...entry }) => entry);
  const [first] = rows;
  return `${JSON.stringify(origin === undefined ? rows : { ...first, ...origin }, null, 2)}\n`;
}

/** All entries under the names of their files. Ends with a newline. */
export function memoriesText(entries: readonly MemoryLine[], columns: number): string {
  if (entries.length === 0) return 'Nothing is remembered yet. sanbot memory add TEXT, /remember TEXT, or just work.\n';
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const parts = kinds.map((kind) => [
    kind,
    ...entries.filter((entry) => entry.kind === kind).map((entry) => clip(`  ${memoryRow(entry)}`, columns)),
  ]);
  return `${parts.map((lines) => lines.join('\n')).join('\n')}\n${pluralize(entries.length, 'entry', 'entries')}. Where one comes from: sanbot memory show ID\n`;
}

/** One entry whole, and why it is there. Ends with a newline. */
export function memoryOriginText(entry: MemoryLine, { ref, path }: Origin): string {
  const { id, kind, text, day, byHand, by, sessionId, messageId, cwd, supersedes, supersededBy } = entry;
  const who = byHand ? 'written by hand' : by === 'user' ? 'said by you' : by === 'model' ? 'said by the model' : 'seen in what was run';
  const from =
    sessionId === undefined || sessionId === 'none'
      ? []
      : [`from     session ${safeLine(sessionId)}, message ${safeLine(messageId ?? '')}`];
  const lines = [
    safeLine(text),
    '',
    `id       ${safeLine(id)}, of ${kind}`,
    `why      ${who}${day === undefined ? '' : ` on ${day}`}${cwd === undefined ? '' : ` in ${safeLine(cwd)}`}`,
    ...from,
    ...(ref === undefined ? [] : [`original sanbot show ${safeLine(ref)}`]),
    ...(supersedes.length === 0 ? [] : [`replaced ${supersedes.map((old) => safeLine(old)).join(', ')}`]),
    ...(supersededBy === undefined ? [] : [`superseded by ${safeLine(supersededBy)}`]),
    `file     ${safeLine(path)}`,
  ];
  return `${lines.join('\n')}\n`;
}

export const forgottenEntriesText = (entries: readonly MemoryLine[]): string =>
  entries.map(({ kind, text }) => `Forgotten, of ${kind}: ${safeLine(text)}\n`).join('');

/** What a consolidation changes: lines of L1 and of the page. Ends with a newline. */
export function consolidationText(view: ConsolidationView, paint: Paint): string {
  const minus = (line: string) => paint.removed(`- ${safeLine(withoutComment(line))}`);
  const plus = (line: string) => paint.added(`+ ${safeLine(withoutComment(line))}`);
  const isEmpty = view.added.length + view.aside.length + view.gone.length + view.come.length === 0;
  if (isEmpty) return 'Nothing to consolidate: the page is up to date.\n';
  return `${[
    `Consolidation by ${view.by}`,
    ...(view.added.length + view.aside.length === 0 ? [] : ['extracted:', ...view.aside.map(minus), ...view.added.map(plus)]),
    ...(view.gone.length + view.come.length === 0 ? [] : [`${safeLine(view.path)}:`, ...view.gone.map(minus), ...view.come.map(plus)]),
  ].join('\n')}\n`;
}

export type ConsolidationView = {
  /** "rule", or the model's name. */
  readonly by: string;
  readonly path: string;
  /** Lines of L1 that come and that are put aside. */
  readonly added: readonly string[];
  readonly aside: readonly string[];
  /** Lines of the page of L2. */
  readonly gone: readonly string[];
  readonly come: readonly string[];
};

const withoutComment = (line: string): string => line.replace(/\s*<!-- .*? -->\s*$/, '').replace(/^- /, '');
