import { localize } from '../../domain/language.ts';
import { auditedSession } from '../../store/files/paths.ts';
import type { ExchangeReport, Fork } from '../../sync/exchange-state.ts';
import type { Holder } from '../../sync/port.ts';
import { formatCount, formatSize, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';

/** `keepsVersions`: versions of files were to go along, but it is not encrypted. */
type Kept = { readonly keepsVersions?: true };
type Report = Omit<ExchangeReport, 'forks'> & Kept & { readonly forks: readonly (Fork & { readonly at: string | undefined })[] };

const names = (ids: ReadonlySet<string>): string => [...new Set([...ids].map((id) => safeLine(auditedSession(id) ?? id)))].join(', ');

/** One line for the folder, and one for each thing that a person should know of. */
export function reportText(folder: string, report: Report): string {
  const { sent, sentBytes, received, replaced, obeyed, deletedThere, deleted, kept, waiting, busy, unpurged, forks, elsewhere } = report;
  const did = [
    ...(sent > 0
      ? [
          {
            en: `sent ${pluralize(sent, 'update')} (${formatSize(sentBytes)})`,
            zh: `送出 ${formatCount(sent)} 项更新（${formatSize(sentBytes)}）`,
          },
        ]
      : []),
    ...(received > 0 ? [{ en: `received ${pluralize(received, 'update')}`, zh: `收到 ${formatCount(received)} 项更新` }] : []),
    ...(replaced > 0 ? [{ en: `purged there in ${pluralize(replaced, 'place')}`, zh: `在那里清除 ${formatCount(replaced)} 处` }] : []),
    ...(obeyed > 0 ? [{ en: 'purged here what was purged elsewhere', zh: '已在这里清除其他机器清除过的内容' }] : []),
    ...(deletedThere > 0
      ? [{ en: `deleted ${pluralize(deletedThere, 'session')} there`, zh: `在那里删除 ${formatCount(deletedThere)} 个会话` }]
      : []),
    ...(deleted.size > 0
      ? [{ en: `deleted here what was deleted elsewhere: ${names(deleted)}`, zh: `已在这里删除其他机器删除过的会话：${names(deleted)}` }]
      : []),
  ];
  const text = localize({
    en: did.map(({ en }) => en).join(', ') || 'nothing new',
    zh: did.map(({ zh }) => zh).join('，') || '没有新内容',
  });
  const notes = [
    ...forks.map(forkText),
    ...(waiting.size > 0
      ? [
          localize({
            en: `not all there yet, the next exchange goes on: ${names(waiting)}`,
            zh: `尚未全部到达，下次交换继续：${names(waiting)}`,
          }),
        ]
      : []),
    ...(busy.size > 0
      ? [localize({ en: `open here, the next exchange goes on: ${names(busy)}`, zh: `正在这里使用，下次交换继续：${names(busy)}` })]
      : []),
    ...elsewhere.map(elsewhereText),
    ...(unpurged.size > 0
      ? [
          localize({
            en: `purged elsewhere, but not here; purge the same text here with sanbot purge: ${names(unpurged)}`,
            zh: `已在其他机器清除，但这里没有；请在这里用 sanbot purge 清除同样的文本：${names(unpurged)}`,
          }),
        ]
      : []),
    ...(kept.size > 0
      ? [
          localize({
            en: `deleted elsewhere, but went on here, so it stays on this machine only: ${names(kept)}`,
            zh: `已在其他机器删除，但在这里继续了，因此只留在本机：${names(kept)}`,
          }),
        ]
      : []),
    ...(report.keepsVersions ? [keptText()] : []),
  ];
  return [lineOf(folder, text), ...notes.map((note) => `  ${note}`)].map((line) => `${line}\n`).join('');
}

/** The same for programs, without the times of forks. */
export const reportJson = (folder: string, report: ExchangeReport & Kept) => ({
  folder,
  ...Object.fromEntries(Object.entries(report).map(([name, value]) => [name, value instanceof Set ? [...value] : value])),
});

const lineOf = (folder: string, text: string): string => `${safeLine(folder)}${localize({ en: ': ', zh: '：' })}${text}`;

function forkText({ session, of, writer, at, first }: Report['forks'][number]): string {
  const [id, other, machine] = [session, of, writer].map(safeLine);
  const when = at === undefined ? '' : localize({ en: `, ${safeLine(at)}`, zh: `，${safeLine(at)}` });
  return localize({
    en: `session ${other} went on on ${machine} too (from record ${first}${when}): that state is here as session ${id}`,
    zh: `会话 ${other} 也在 ${machine} 上继续了（自第 ${first} 条记录${when}）：那个状态在这里是会话 ${id}`,
  });
}

function elsewhereText({ session, ...by }: Report['elsewhere'][number]): string {
  const [id, machine] = [safeLine(session), machineOf(by)];
  const since = safeLine(by.since.toISOString());
  return localize({
    en: `session ${id} is open on ${machine} since ${since}: what was said here is sent once it is closed there`,
    zh: `会话 ${id} 自 ${since} 起在 ${machine} 上打开：那里关闭后再送出这里的内容`,
  });
}

/** A holder is a machine, and what tells apart those of its name. */
export const machineOf = ({ holder }: Holder): string => safeLine(holder.split('/')[0] || '?');

const keptText = (): string =>
  localize({
    en: 'versions of files stay here: it is not encrypted, and sync.files sends them to encrypted folders only',
    zh: '文件版本留在本机：它未加密，而 sync.files 只将其送到加密的文件夹',
  });

type Leaving = Kept & {
  readonly sessions: readonly { readonly session: string; readonly bytes: number; readonly files?: number }[];
  readonly memories: number;
};

const isNothing = ({ sessions, memories }: Leaving): boolean => sessions.length === 0 && memories === 0;

const totalText = ({ sessions, memories }: Leaving): string => {
  const bytes = sessions.reduce((sum, each) => sum + each.bytes, 0);
  return localize({
    en: `${pluralize(sessions.length, 'session')} (${formatSize(bytes)}) and ${pluralize(memories, 'change')} of memories`,
    zh: `${formatCount(sessions.length)} 个会话（${formatSize(bytes)}）和 ${formatCount(memories)} 处记忆更改`,
  });
};

const filesText = (bytes: number): string =>
  localize({ en: ` (${formatSize(bytes)} of it versions of files)`, zh: `（其中文件版本 ${formatSize(bytes)}）` });

/** Sizes are those before gzip. */
export const leavingText = (folder: string, leaving: Leaving): string =>
  [
    lineOf(
      folder,
      isNothing(leaving)
        ? localize({ en: 'nothing to send', zh: '没有待送出的内容' })
        : localize({ en: `would send ${totalText(leaving)}`, zh: `将送出 ${totalText(leaving)}` }),
    ),
    ...leaving.sessions.map(
      ({ session, bytes, files }) =>
        `  ${formatSize(bytes).padStart(10)}  ${safeLine(session)}${files === undefined ? '' : filesText(files)}`,
    ),
    ...(leaving.keepsVersions ? [`  ${keptText()}`] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');

type StatusRow = {
  readonly folder: string;
  readonly isEncrypted: boolean;
  readonly last: string | undefined;
  readonly waiting: Leaving;
  readonly isBehind: boolean;
  readonly unconfirmed: readonly string[];
};

export function statusText(rows: readonly StatusRow[], never: readonly string[]): string {
  const lines = rows.flatMap(({ folder, isEncrypted, last, waiting, isBehind, unconfirmed }) => {
    const when =
      last === undefined
        ? localize({ en: 'no exchange yet', zh: '尚未交换' })
        : localize({ en: `last exchange ${last}`, zh: `上次交换于${last}` });
    const rest = isNothing(waiting)
      ? localize({ en: 'nothing to send', zh: '没有待送出的内容' })
      : localize({ en: `to send: ${totalText(waiting)}`, zh: `待送出：${totalText(waiting)}` });
    return [
      lineOf(
        folder,
        [...(isEncrypted ? [localize({ en: 'encrypted', zh: '已加密' })] : []), when, rest].join(localize({ en: '; ', zh: '；' })),
      ),
      ...(isBehind ? [`  ${behindText()}`] : []),
      ...(unconfirmed.length === 0 ? [] : [`  ${unconfirmedText(unconfirmed)}`]),
    ];
  });
  const kept = never.map(safeLine).join(', ');
  const stays = localize({ en: `stays on this machine: ${kept}`, zh: `只留在本机：${kept}` });
  return [...lines, ...(never.length === 0 ? [] : [stays])].map((line) => `${line}\n`).join('');
}

const behindText = (): string =>
  localize({
    en: 'still has what was purged or deleted here: run sanbot sync',
    zh: '仍有在这里清除或删除过的内容：请运行 sanbot sync',
  });

export const unconfirmedText = (machines: readonly string[]): string =>
  localize({
    en: `not confirmed yet that it has what was purged or deleted no more: ${machines.map(safeLine).join(', ')} (its next sanbot sync does; if it is gone for ever: sanbot sync forget MACHINE)`,
    zh: `尚未确认已清除或删除：${machines.map(safeLine).join('、')}（它下次运行 sanbot sync 时确认；若永远不会回来：sanbot sync forget 机器名）`,
  });
