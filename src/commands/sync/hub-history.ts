import { SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import type { HubCompaction, HubSession } from '../../sync/postgres/postgres.ts';
import type { RetainRules } from '../../sync/postgres/retain.ts';
import { formatCount, formatDollars, formatSize, pluralize, timeAgo } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';
import type { CommandContext } from '../command.ts';
import { eachHub, type JsonOptions } from './hub.ts';
import { openSync } from './open-sync.ts';

type View = { readonly now: Date; readonly columns: number };

/** What each hub has: its sessions with what they cost, or the compactions of one of them. */
export async function showHubHistory(options: JsonOptions & { readonly session?: string }, context: CommandContext): Promise<void> {
  const view = { now: context.environment.now(), columns: context.io.columns };
  await eachHub(openSync(options, context), options, context, {
    first: ({ folder }) => (options.json ? '' : `${safeLine(folder)}\n`),
    ask: async ({ sessions, compactions, find }, { folder }) => {
      if (options.session === undefined) {
        const rows = await sessions();
        return { json: { folder, sessions: rows }, text: sessionsText(rows, view) };
      }
      const session = await find({ part: options.session });
      if (session === undefined) throw noSession(options.session);
      const rows = await compactions(session);
      return { json: { folder, session, compactions: rows }, text: compactionsText(rows, view) };
    },
  });
}

const noSession = (part: string): SanbotError =>
  new SanbotError(
    'not_found',
    { en: `The hub has no one session ${safeLine(part)}`, zh: `hub 中没有唯一的会话 ${safeLine(part)}` },
    { en: 'sanbot history --hub lists them.', zh: 'sanbot history --hub 列出它们。' },
  );

const at = (time: Date | null, now: Date): string => (time === null ? '' : timeAgo(time.toISOString(), now));
/** What has no known price is not told to be free. */
const cost = ({ usd, requests, unpriced }: Pick<HubSession, 'usd' | 'requests' | 'unpriced'>): string =>
  requests === unpriced ? '' : `${formatDollars(usd)}${unpriced > 0 ? '+' : ''}`;

function sessionsText(rows: readonly HubSession[], { now, columns }: View): string {
  if (rows.length === 0) return `${localize({ en: 'No sessions.', zh: '没有会话。' })}\n`;
  const head = [
    { title: 'id' },
    { title: { en: 'last written', zh: '上次写入' } },
    { title: { en: 'machine', zh: '机器' } },
    { title: { en: 'messages', zh: '消息' }, align: 'right' },
    { title: 'token', align: 'right' },
    { title: { en: 'cost', zh: '费用' }, align: 'right' },
    { title: { en: 'compactions', zh: '压缩' }, align: 'right' },
    { title: { en: 'name', zh: '名称' }, minWidth: 12 },
  ] as const;
  const cells = rows.map((row) => [
    safeLine(row.session),
    row.open_on === null ? at(row.written, now) : localize({ en: 'open now', zh: '正在使用' }),
    safeLine(row.machine ?? ''),
    formatCount(row.messages),
    formatCount(row.tokens),
    cost(row),
    formatCount(row.compactions),
    safeLine(row.name ?? ''),
  ]);
  const unknown = rows.some(({ unpriced }) => unpriced > 0);
  const note = localize({ en: 'Of some requests the price is not known.\n', zh: '部分请求的价格未知。\n' });
  return `${table(head, cells, columns)}${unknown ? note : ''}`;
}

function compactionsText(rows: readonly HubCompaction[], { now, columns }: View): string {
  if (rows.length === 0) return `${localize({ en: 'No compactions.', zh: '没有压缩。' })}\n`;
  const head = [
    { title: { en: 'when', zh: '时间' } },
    { title: { en: 'machine', zh: '机器' } },
    { title: { en: 'why', zh: '原因' } },
    { title: { en: 'how', zh: '方式' } },
    { title: { en: 'tokens', zh: 'token' }, align: 'right' },
    { title: { en: 'cost', zh: '费用' }, align: 'right' },
    { title: { en: 'snapshot', zh: '快照' }, minWidth: 12 },
  ] as const;
  const cells = rows.map((row) => [
    ...[at(row.at, now), safeLine(row.machine), safeLine(row.trigger), safeLine(row.method)],
    `${formatCount(row.tokens_before)} -> ${formatCount(row.tokens_after)}`,
    ...[row.usd === null ? '' : formatDollars(row.usd), safeLine(row.snapshot)],
  ]);
  return table(head, cells, columns);
}

/** Only as far as the user says in so many words: what goes from the hub, and is on no disk any more, is gone. */
export async function retainInHubs(
  options: JsonOptions & Omit<RetainRules, 'isTried'> & { readonly dryRun?: boolean },
  context: CommandContext,
) {
  const { days, logDays, maxBytes, dryRun = false } = options;
  if (days === undefined && logDays === undefined && maxBytes === undefined) throw noRule();
  await eachHub(openSync(options, context), options, context, {
    first: () => '',
    ask: async ({ retain }, { folder }) => {
      const gone = await retain({ days, logDays, maxBytes, isTried: dryRun });
      if (gone === undefined) throw atIt(folder);
      const { objects, sessions, bytes } = gone;
      const did = dryRun ? { en: 'would remove', zh: '将移除' } : { en: 'removed', zh: '已移除' };
      const text = localize({
        en: `${safeLine(folder)}: ${did.en} ${pluralize(objects, 'result')} and snapshots and the logs of ${pluralize(sessions, 'session')} (${formatSize(bytes)})`,
        zh: `${safeLine(folder)}：${did.zh} ${formatCount(objects)} 个结果和快照以及 ${formatCount(sessions)} 个会话的日志（${formatSize(bytes)}）`,
      });
      return { json: { folder, ...gone }, text: `${text}\n` };
    },
  });
}

const noRule = (): SanbotError =>
  new SanbotError(
    'usage',
    { en: 'Nothing says what is to go', zh: '没有说明要移除什么' },
    { en: 'Give --days, --log-days or --max-mb.', zh: '请给出 --days、--log-days 或 --max-mb。' },
  );

const atIt = (folder: string): SanbotError =>
  new SanbotError(
    'session_locked',
    { en: `${safeLine(folder)}: another machine is clearing this hub`, zh: `${safeLine(folder)}：另一台机器正在清理此 hub` },
    { en: 'Wait until it is done.', zh: '请等它结束。' },
  );
