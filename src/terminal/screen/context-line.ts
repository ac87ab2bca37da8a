import type { PressureReason } from '../../domain/event.ts';
import { type Bilingual, joinTexts, localize } from '../../domain/language.ts';
import { MESSAGE_BODY } from '../../domain/session/message.ts';
import { formatCount, formatSize, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { type EventLine, type EventLines, type EventOf, lineOf, quiet, undoByCommand } from './line.ts';

export const contextLines = {
  offloaded: (event) => quiet(offloadText(event)),
  pruned: (event) => quiet(prunedText(event)),
  context_high: (event, { state }) => (state.highShown ? undefined : contextHighLine(event)),
  trimmed: (event, { undo }) =>
    lineOf('notice', {
      en: `Trimmed ${pluralize(event.messages, 'long message')} to fit the window, ${tokenChange(event)}. ${undo(event.snapshotId)}`,
      zh: `为适应窗口，已截短 ${formatCount(event.messages)} 条长消息，${tokenChange(event)}。${undo(event.snapshotId)}`,
    }),
  window_slid: (event, { undo }) =>
    lineOf('notice', {
      en: `Left out the ${pluralize(event.dropped, 'oldest message')} to fit the window, ${tokenChange(event)}. ${undo(event.snapshotId)}`,
      zh: `为适应窗口，已省去最早的 ${formatCount(event.dropped)} 条消息，${tokenChange(event)}。${undo(event.snapshotId)}`,
    }),
  overflow: (event) => overflowLine(event),
  rolled_back: (event, { undo }) =>
    lineOf('good', {
      en: `Rolled back${undo === undoByCommand ? '' : ` to ${safeLine(event.snapshotId)}`}: ${pluralize(event.messages, 'message')}, ${tokenChange(event)}. ${undo(event.undoId)}`,
      zh: `已回滚${undo === undoByCommand ? '' : `到 ${safeLine(event.snapshotId)}`}：${formatCount(event.messages)} 条消息，${tokenChange(event)}。${undo(event.undoId)}`,
    }),
  rewound: (event, { undo }) =>
    lineOf('good', {
      en: `Rewound to before that message: ${pluralize(event.messages, 'message')}, ${tokenChange(event)}. ${undo(event.undoId)}`,
      zh: `已回退到该消息之前：${formatCount(event.messages)} 条消息，${tokenChange(event)}。${undo(event.undoId)}`,
    }),
  cleared: ({ messages, snapshotId }, { undo }) =>
    lineOf('good', {
      en: `Cleared ${pluralize(messages, 'message')} from the context. ${undo(snapshotId)}`,
      zh: `已从上下文清除 ${formatCount(messages)} 条消息。${undo(snapshotId)}`,
    }),
  memory_superseded: (event) => quiet(supersededText(event)),
} satisfies Partial<EventLines>;

export const tokenChange = ({ tokensBefore, tokensAfter }: Pick<EventOf<'compacted'>, 'tokensBefore' | 'tokensAfter'>): string =>
  localize({
    en: `${formatCount(tokensBefore)} -> ${formatCount(tokensAfter)} tokens`,
    zh: `${formatCount(tokensBefore)} -> ${formatCount(tokensAfter)} token`,
  });

function offloadText(event: EventOf<'offloaded'>): string {
  const bytes = event.results.reduce((sum, result) => sum + result.bytes, 0);
  if (event.results[0]?.tool === MESSAGE_BODY)
    return localize({
      en: `Your message is long: the model gets its beginning and end, and reads the rest of it (${formatSize(bytes)}) in a file, ${tokenChange(event)}`,
      zh: `消息很长：模型得到开头和结尾，其余部分（${formatSize(bytes)}）在文件中读取，${tokenChange(event)}`,
    });
  if (event.results.length === 0)
    return localize({
      en: `Shortened what stands for results in files, ${tokenChange(event)}`,
      zh: `已缩短文件中结果的占位文字，${tokenChange(event)}`,
    });
  const what = `Offloaded ${pluralize(event.results.length, 'result')} (${formatSize(bytes)}) to ${event.results.length === 1 ? 'a file' : 'files'}`;
  return localize({
    en: `${what}, ${tokenChange(event)}`,
    zh: `已将 ${formatCount(event.results.length)} 个结果（${formatSize(bytes)}）转存到文件，${tokenChange(event)}`,
  });
}

function prunedText({ trimmed, cleared, ...event }: EventOf<'pruned'>): string {
  const actions = [
    { count: trimmed, en: `cut ${pluralize(trimmed, 'old result')} to head and tail`, zh: `将 ${formatCount(trimmed)} 个旧结果截短为首尾` },
    { count: cleared, en: `left ${pluralize(cleared, 'old result')} out`, zh: `省去 ${formatCount(cleared)} 个旧结果` },
  ];
  const { en, zh } = joinTexts(actions.filter(isCounted), comma);
  return localize({
    en: `Cache cold: ${en} of what is sent, ${tokenChange(event)}; history and files are unchanged`,
    zh: `缓存已失效：发送时${zh}，${tokenChange(event)}；历史和文件未改变`,
  });
}

export function supersededText({ superseded, restored }: Pick<EventOf<'memory_superseded'>, 'superseded' | 'restored'>): string {
  const marked = `${pluralize(superseded, 'memory', 'memories')} extracted since marked as superseded`;
  const changes = [
    { count: superseded, en: marked, zh: `此后提取的 ${formatCount(superseded)} 条记忆已标为被取代` },
    { count: restored, en: `${pluralize(restored, 'memory', 'memories')} current again`, zh: `${formatCount(restored)} 条记忆重新有效` },
  ];
  const { en, zh } = joinTexts(changes.filter(isCounted), comma);
  return localize({ en: `${en}.`, zh: `${zh}。` });
}

const isCounted = ({ count }: { readonly count: number }): boolean => count > 0;
export const comma: Bilingual = { en: ', ', zh: '，' };

const reasonNames: Bilingual<Readonly<Record<PressureReason, string>>> = {
  en: { messages: 'a long conversation', tokens: '', tool_output: 'mostly tool output', overflow: 'over the window' },
  zh: { messages: '对话很长', tokens: '', tool_output: '主要是工具输出', overflow: '超出窗口' },
};

function contextHighLine(event: EventOf<'context_high'>): EventLine {
  const reasons = event.reasons.map((reason) => localize(reasonNames)[reason]).filter((reason) => reason !== '');
  const [tokens, limit] = [formatCount(event.tokens), formatCount(event.hardTokens)];
  return lineOf('notice', {
    en: `The context is filling up (${tokens} of ${limit} tokens${reasons.length === 0 ? '' : `; ${reasons.join(', ')}`}). /compact makes room.`,
    zh: `上下文快满了（${tokens} / ${limit} token${reasons.length === 0 ? '' : `；${reasons.join('、')}`}）。/compact 可腾出空间。`,
  });
}

function overflowLine({ attempt, limitTokens, sentTokens }: EventOf<'overflow'>): EventLine {
  const sent = sentTokens === undefined ? '' : ` of ${formatCount(sentTokens)} tokens`;
  const limit = limitTokens === undefined ? '' : ` (its limit: ${formatCount(limitTokens)})`;
  const sentZh = sentTokens === undefined ? '' : `（${formatCount(sentTokens)} token）`;
  const limitZh = limitTokens === undefined ? '' : `（上限 ${formatCount(limitTokens)}）`;
  return lineOf('quiet', {
    en: `The request${sent} was too long for the model${limit}; making room, attempt ${attempt}.`,
    zh: `请求${sentZh}超出了模型的长度${limitZh}；正在腾出空间，第 ${attempt} 次尝试。`,
  });
}
