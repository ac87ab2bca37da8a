import { type Bilingual, localize } from '../../domain/language.ts';
import type { RememberResult } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { pluralize } from '../text/format.ts';
import type { Paint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';

/** One entry in one line: id, day, words. */
export const memoryRow = ({ id, day, text }: MemoryLine): string => `${safeLine(id)}  ${day ?? '          '}  ${safeLine(text)}`;

export function rememberResultText(answer: RememberResult | { readonly outcome: 'refused'; readonly why: Bilingual }): string {
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
        en: `Remembered in ${kind}: ${id}.${replaced} To undo: sanbot memory forget ${id}`,
        zh: `已记入 ${kind}：${id}。${replacedZh}撤销：sanbot memory forget ${id}`,
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

/** A list of entries; with `origin`, the one entry with where it comes from. */
export function memoriesJson(entries: readonly MemoryLine[], origin?: Origin): string {
  const rows = entries.map(({ line: _line, ...entry }) => entry);
  const [first] = rows;
  return `${JSON.stringify(origin === undefined ? rows : { ...first, ...origin }, null, 2)}\n`;
}

/** All entries under the names of their files. Ends with a newline. */
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

type OriginTexts = {
  readonly byHand: string;
  readonly byYou: string;
  readonly byModel: string;
  readonly byRun: string;
  readonly from: (session: string, message: string) => string;
  readonly id: (id: string, kind: string) => string;
  readonly why: (who: string, day: string | undefined, folder: string | undefined) => string;
  readonly original: string;
  readonly replaced: string;
  readonly supersededBy: string;
  readonly file: string;
  readonly comma: string;
};

const originTexts: Bilingual<OriginTexts> = {
  en: {
    byHand: 'written by hand',
    byYou: 'said by you',
    byModel: 'said by the model',
    byRun: 'seen in what was run',
    from: (session, message) => `from     session ${session}, message ${message}`,
    id: (id, kind) => `id       ${id}, of ${kind}`,
    why: (who, day, folder) => `why      ${who}${day === undefined ? '' : ` on ${day}`}${folder === undefined ? '' : ` in ${folder}`}`,
    original: 'original ',
    replaced: 'replaced ',
    supersededBy: 'superseded by ',
    file: 'file     ',
    comma: ', ',
  },
  zh: {
    byHand: '手工写入',
    byYou: '你说的',
    byModel: '模型说的',
    byRun: '在运行结果中看到',
    from: (session, message) => `来自      会话 ${session}，消息 ${message}`,
    id: (id, kind) => `id        ${id}，属于 ${kind}`,
    why: (who, day, folder) => `依据      ${who}${day === undefined ? '' : `，${day}`}${folder === undefined ? '' : `，在 ${folder}`}`,
    original: '原文      ',
    replaced: '取代了    ',
    supersededBy: '被取代为  ',
    file: '文件      ',
    comma: '、',
  },
};

/** One entry whole, and why it is there. Ends with a newline. */
export function memoryOriginText(entry: MemoryLine, { ref, path }: Origin): string {
  const { id, kind, day, byHand, by, sessionId, messageId, cwd, supersedes, supersededBy } = entry;
  const text = localize(originTexts);
  const who = byHand ? text.byHand : by === 'user' ? text.byYou : by === 'model' ? text.byModel : text.byRun;
  const from = sessionId === undefined || sessionId === 'none' ? [] : [text.from(safeLine(sessionId), safeLine(messageId ?? ''))];
  const lines = [
    safeLine(entry.text),
    '',
    text.id(safeLine(id), kind),
    text.why(who, day, cwd === undefined ? undefined : safeLine(cwd)),
    ...from,
    ...(ref === undefined ? [] : [`${text.original}sanbot show ${safeLine(ref)}`]),
    ...(supersedes.length === 0 ? [] : [text.replaced + supersedes.map((old) => safeLine(old)).join(text.comma)]),
    ...(supersededBy === undefined ? [] : [text.supersededBy + safeLine(supersededBy)]),
    text.file + safeLine(path),
  ];
  return `${lines.join('\n')}\n`;
}

export const forgottenEntriesText = (entries: readonly MemoryLine[]): string =>
  entries
    .map(({ kind, text }) =>
      localize({ en: `Forgotten, of ${kind}: ${safeLine(text)}\n`, zh: `已忘记，属于 ${kind}：${safeLine(text)}\n` }),
    )
    .join('');

/** What a consolidation changes: lines of L1 and of the page. Ends with a newline. */
export function consolidationText(view: ConsolidationView, paint: Paint): string {
  const minus = (line: string) => paint.removed(`- ${safeLine(withoutComment(line))}`);
  const plus = (line: string) => paint.added(`+ ${safeLine(withoutComment(line))}`);
  const isEmpty = view.added.length + view.aside.length + view.gone.length + view.come.length === 0;
  if (isEmpty) return localize({ en: 'Nothing to consolidate: the page is up to date.\n', zh: '没有可整理的内容：页面已是最新。\n' });
  return `${[
    localize({ en: `Consolidation by ${view.by}`, zh: `整理方式：${view.by}` }),
    ...(view.added.length + view.aside.length === 0
      ? []
      : [localize({ en: 'extracted:', zh: '提取：' }), ...view.aside.map(minus), ...view.added.map(plus)]),
    ...(view.gone.length + view.come.length === 0
      ? []
      : [`${safeLine(view.path)}${localize({ en: ':', zh: '：' })}`, ...view.gone.map(minus), ...view.come.map(plus)]),
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
