import { type Bilingual, localize } from '../../domain/language.ts';
import type { RememberResult } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import type { MemoryView } from '../chat/memory-port.ts';
import { formatCount, pluralize } from '../text/format.ts';
import type { Paint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip, wrap } from '../text/text-width.ts';

export const memoryRow = ({ id, day, text }: MemoryLine): string => `${safeLine(id)}  ${day ?? '          '}  ${safeLine(text)}`;

/** `forget` is what removes one where this is read. */
export function rememberResultText(
  answer: RememberResult | { readonly outcome: 'refused'; readonly why: Bilingual },
  forget = 'sanbot memory forget',
): string {
  switch (answer.outcome) {
    case 'refused':
      return localize({ en: `Not remembered: ${answer.why.en}.`, zh: `没有记住：${answer.why.zh}。` });
    case 'known':
      return localize({
        en: `Already remembered: ${answer.id}, in ${answer.kind}.`,
        zh: `已经记住了：${answer.id}，在 ${answer.kind} 中。`,
      });
    case 'added': {
      const { id, kind, superseded } = answer;
      const replaced = superseded.length === 0 ? '' : ` It replaces ${superseded.join(', ')}.`;
      const replacedZh = superseded.length === 0 ? '' : `它取代了 ${superseded.join('、')}。`;
      return localize({
        en: `Remembered in ${kind}: ${id}.${replaced} To undo: ${forget} ${id}`,
        zh: `已记入 ${kind}：${id}。${replacedZh}撤销：${forget} ${id}`,
      });
    }
  }
}

export const memoryIsOffText = (): string =>
  localize({
    en: 'Memory is switched off (memory.enabled is false): nothing is added, and no session is told what is remembered.',
    zh: '记忆已关闭（memory.enabled 为 false）：不会添加新内容，会话也不会得知已记住的内容。',
  });

type Origin = { readonly ref: string | undefined; readonly path: string };

export function memoriesJson(entries: readonly MemoryLine[], origin?: Origin): string {
  const rows = entries.map(({ line: _line, ...entry }) => entry);
  const [first] = rows;
  return `${JSON.stringify(origin === undefined ? rows : { ...first, ...origin }, null, 2)}\n`;
}

export function memoriesText(entries: readonly MemoryLine[], columns: number): string {
  if (entries.length === 0)
    return localize({
      en: 'Nothing is remembered yet. sanbot memory add TEXT, /remember TEXT, or just work.\n',
      zh: '还没有记住任何内容。sanbot memory add TEXT、/remember TEXT，或者直接开始工作。\n',
    });
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const parts = kinds.map((kind) => [
    kind,
    ...entries.filter((entry) => entry.kind === kind).map((entry) => clip(`  ${memoryRow(entry)}`, columns)),
  ]);
  const hint = localize({
    en: `${pluralize(entries.length, 'entry', 'entries')}. Where one comes from: sanbot memory show ID`,
    zh: `${entries.length} 条。查看来源：sanbot memory show ID`,
  });
  return `${parts.map((lines) => lines.join('\n')).join('\n')}\n${hint}\n`;
}

const MAX_TOLD = 3;
const TOLD_COLUMNS = 60;

/** What a session that is left has added. Empty when that is nothing; else ends with a newline. */
export function learnedText(learned: readonly MemoryLine[], columns: number): string {
  if (learned.length === 0) return '';
  const told = learned.slice(-MAX_TOLD).map(({ text }) => clip(safeLine(text), TOLD_COLUMNS));
  const more = learned.length - told.length;
  const line = localize({
    en: `Remembered ${pluralize(learned.length, 'thing')}: ${told.map((text) => `"${text}"`).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}. Wrong? sanbot memory review, or /forget in a session`,
    zh: `记住了 ${formatCount(learned.length)} 条：${told.map((text) => `“${text}”`).join('、')}${more > 0 ? `，另有 ${formatCount(more)} 条` : ''}。有误？运行 sanbot memory review，或在会话中用 /forget`,
  });
  return `${wrap(line, columns).join('\n')}\n`;
}

/** How much is remembered, without what was only run. Undefined when that is nothing, or nothing is told to sessions. */
export function memoryCountText({ on, files }: MemoryView): string | undefined {
  const count = files.reduce((sum, { kind, entries }) => sum + (kind === 'runtime' ? 0 : entries.length), 0);
  if (!on || count === 0) return undefined;
  return localize({ en: `memory: ${formatCount(count)} (/memory)`, zh: `记忆 ${formatCount(count)} 条（/memory）` });
}

const MAX_SHOWN_MEMORIES = 5;

export function memoryFilesText({ on, files }: MemoryView, columns: number): string {
  const isEmpty = files.every(({ entries }) => entries.length === 0);
  const parts = (isEmpty ? [] : files).map(({ kind, path, entries }) => {
    const newest = entries.slice(-MAX_SHOWN_MEMORIES).map((entry) => clip(`  ${memoryRow(entry)}`, columns));
    const earlier = entries.length - newest.length;
    const more = localize({
      en: `  and ${formatCount(earlier)} earlier: sanbot memory list shows all`,
      zh: `  以及更早的 ${formatCount(earlier)} 条：sanbot memory list 显示全部`,
    });
    const count = localize({ en: `: ${pluralize(entries.length, 'entry', 'entries')}`, zh: `：${formatCount(entries.length)} 条` });
    const head = `${kind}${count}  ${safeLine(path)}`;
    return [...wrap(head, columns), ...newest, ...(earlier === 0 ? [] : wrap(more, columns))].join('\n');
  });
  const ends = [localize(isEmpty ? memoryTexts.none : memoryTexts.hint), ...(on ? [] : [memoryIsOffText()])];
  return `${[...parts, ...ends.flatMap((line) => wrap(line, columns))].join('\n')}\n`;
}

const memoryTexts = {
  none: { en: 'Nothing is remembered yet. /remember TEXT adds something.', zh: '还没有记住任何内容。/remember TEXT 可添加。' },
  hint: {
    en: '/forget removes one, sanbot memory show ID says where it comes from; you may also edit the files.',
    zh: '/forget 删除一条，sanbot memory show ID 说明其来源；你也可以直接编辑文件。',
  },
};

export function memoryOriginText(entry: MemoryLine, { ref, path }: Origin): string {
  const { id, kind, day, byHand, by, sessionId, messageId, cwd, supersedes, supersededBy } = entry;
  const who = localize(byHand ? { en: 'written by hand', zh: '手工写入' } : sourceNames[by ?? 'run']);
  const place = cwd === undefined ? '' : safeLine(cwd);
  const session = sessionId === 'none' ? '' : safeLine(sessionId ?? '');
  const message = safeLine(messageId ?? '');
  const replaced = supersedes.map((old) => safeLine(old));
  const lines: readonly (Bilingual | undefined)[] = [
    { en: `id       ${safeLine(id)}, of ${kind}`, zh: `id        ${safeLine(id)}，属于 ${kind}` },
    {
      en: `why      ${who}${day === undefined ? '' : ` on ${day}`}${place === '' ? '' : ` in ${place}`}`,
      zh: `依据      ${who}${day === undefined ? '' : `，${day}`}${place === '' ? '' : `，在 ${place}`}`,
    },
    session === ''
      ? undefined
      : { en: `from     session ${session}, message ${message}`, zh: `来自      会话 ${session}，消息 ${message}` },
    ref === undefined ? undefined : { en: `original sanbot show ${safeLine(ref)}`, zh: `原文      sanbot show ${safeLine(ref)}` },
    replaced.length === 0 ? undefined : { en: `replaced ${replaced.join(', ')}`, zh: `取代了    ${replaced.join('、')}` },
    supersededBy === undefined ? undefined : { en: `superseded by ${safeLine(supersededBy)}`, zh: `被取代为  ${safeLine(supersededBy)}` },
    { en: `file     ${safeLine(path)}`, zh: `文件      ${safeLine(path)}` },
  ];
  return `${safeLine(entry.text)}\n\n${lines.map((line) => (line === undefined ? '' : `${localize(line)}\n`)).join('')}`;
}

const sourceNames = {
  user: { en: 'said by you', zh: '你说的' },
  model: { en: 'said by the model', zh: '模型说的' },
  run: { en: 'seen in what was run', zh: '在运行结果中看到' },
};

export const forgottenEntriesText = (entries: readonly MemoryLine[]): string =>
  entries
    .map(({ kind, text }) =>
      localize({ en: `Forgotten, of ${kind}: ${safeLine(text)}\n`, zh: `已忘记，属于 ${kind}：${safeLine(text)}\n` }),
    )
    .join('');

export function consolidationText({ by, path, added, aside, gone, come }: ConsolidationView, paint: Paint): string {
  const part = (heading: string, removed: readonly string[], inserted: readonly string[]): readonly string[] =>
    removed.length + inserted.length === 0
      ? []
      : [
          heading,
          ...removed.map((line) => paint.removed(`- ${safeLine(withoutComment(line))}`)),
          ...inserted.map((line) => paint.added(`+ ${safeLine(withoutComment(line))}`)),
        ];
  const lines = [
    ...part(localize({ en: 'extracted:', zh: '提取：' }), aside, added),
    ...part(`${safeLine(path)}${localize({ en: ':', zh: '：' })}`, gone, come),
  ];
  if (lines.length === 0)
    return localize({ en: 'Nothing to consolidate: the page is up to date.\n', zh: '没有可整理的内容：页面已是最新。\n' });
  return `${[localize({ en: `Consolidation by ${by}`, zh: `整理方式：${by}` }), ...lines].join('\n')}\n`;
}

export type ConsolidationView = {
  /** "rule", or the model's name. */
  readonly by: string;
  readonly path: string;
  readonly added: readonly string[];
  readonly aside: readonly string[];
  readonly gone: readonly string[];
  readonly come: readonly string[];
};

const withoutComment = (line: string): string => line.replace(/\s*<!-- .*? -->\s*$/, '').replace(/^- /, '');
