import type { CompactedEvent, CompactionTrigger } from '../../domain/event.ts';
import { type Bilingual, joinTexts, localize } from '../../domain/language.ts';
import { formatCount, formatDollars, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { comma, tokenChange } from './context-line.ts';
import { type EventLines, type EventOf, lineOf, type UndoHint } from './line.ts';

export const compactionLines = {
  compacted: (event, { undo }) => ({ tone: 'notice', text: compactedText(event, undo) }),
  nothing_to_compact: ({ messages, tokens }) =>
    lineOf('plain', {
      en: `Nothing to compact: ${pluralize(messages, 'message')}, ${formatCount(tokens)} tokens.`,
      zh: `没有可压缩的内容：${formatCount(messages)} 条消息，${formatCount(tokens)} token。`,
    }),
  compaction_failed: (event) =>
    lineOf('bad', {
      en: `Compaction${triggerText(event.trigger)} failed; the history is unchanged: ${reasonAndCost(event)}`,
      zh: `${triggerText(event.trigger)}压缩失败，历史未改变：${reasonAndCost(event)}`,
    }),
  compaction_cancelled: (event) =>
    lineOf('notice', {
      en: `Compaction${triggerText(event.trigger)} cancelled; the history is unchanged.${summaryCostText(event)}`,
      zh: `${triggerText(event.trigger)}压缩已取消，历史未改变。${summaryCostText(event)}`,
    }),
  compaction_discarded: (event) => {
    const cost = summaryCostText(event);
    if (event.why === undefined)
      return lineOf('plain', { en: `Discarded; the context is unchanged.${cost}`, zh: `已丢弃，上下文未改变。${cost}` });
    return lineOf('bad', {
      en: `Discarded because ${safeLine(event.why.en)}. The context is unchanged.${cost}`,
      zh: `已丢弃，原因：${safeLine(event.why.zh)}。上下文未改变。${cost}`,
    });
  },
  summary_prepared: (event) =>
    lineOf('quiet', {
      en: `Summarised ${pluralize(event.messages, 'message')} in the background, ready for when room is needed.${summaryCostText(event)}`,
      zh: `已在后台为 ${formatCount(event.messages)} 条消息写好摘要，需要空间时使用。${summaryCostText(event)}`,
    }),
} satisfies Partial<EventLines>;

function compactedText(event: CompactedEvent, undo: UndoHint): string {
  const freed = Math.max(0, event.tokensBefore - event.tokensAfter);
  const parts = joinTexts(
    [
      { n: 1, en: `${formatCount(freed)} freed`, zh: `释放 ${formatCount(freed)}` },
      { n: 1, en: `${pluralize(event.messagesKept, 'message')} kept`, zh: `保留 ${formatCount(event.messagesKept)} 条消息` },
      {
        n: event.bodiesRetired,
        en: `${pluralize(event.bodiesRetired, 'result file')} removed`,
        zh: `删除 ${formatCount(event.bodiesRetired)} 个结果文件`,
      },
      {
        n: event.memoriesAdded,
        en: pluralize(event.memoriesAdded, 'memory', 'memories'),
        zh: `${formatCount(event.memoriesAdded)} 条记忆`,
      },
    ].filter(({ n }) => n > 0),
    comma,
  );
  const line = localize({
    en: `Compacted ${tokenChange(event)} (${parts.en}). ${undo(event.snapshotId)}`,
    zh: `已压缩 ${tokenChange(event)}（${parts.zh}）。${undo(event.snapshotId)}`,
  });
  const notes = [event.method === 'rules_degraded' ? localize(degraded) : '', summaryCostText(event).trim()].filter((note) => note !== '');
  return [line, ...notes.map((note) => `  ${note}`)].join('\n');
}

const degraded = {
  en: 'Degraded: the summary was made by rule instead. Nothing is lost, but read it over.',
  zh: '降级：摘要改由规则生成。没有丢失任何内容，但请检查一遍。',
};

const summaryCostText = ({ costUsd }: { readonly costUsd?: number | undefined }): string =>
  costUsd === undefined || costUsd === 0
    ? ''
    : localize({ en: ` The summary cost ${formatDollars(costUsd)}.`, zh: `摘要费用 ${formatDollars(costUsd)}。` });

/** A reason alone ends without a stop, or as it was given; before the sentence of the cost it is one of its own. */
function reasonAndCost(event: EventOf<'compaction_failed'>): string {
  const [reason, cost] = [safeLine(localize(event.why)), summaryCostText(event)];
  if (cost === '') return reason;
  const why = reason.replace(/[.。]$/, '');
  return localize({ en: `${why}.`, zh: `${why}。` }) + cost;
}

const triggerNames: Readonly<Record<CompactionTrigger, Bilingual>> = {
  auto: { en: ' before this request', zh: '本次请求前的' },
  manual: { en: '', zh: '' },
  overflow: { en: ' after an overflow', zh: '超出窗口后的' },
};
const triggerText = (trigger: CompactionTrigger): string => localize(triggerNames[trigger]);
