import type { Bilingual, UiLanguage } from '../../domain/language.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import { judgePressure, type Limits } from './limits.ts';
import type { ContextCount } from './measure.ts';

type Base = Pick<ContextCount, 'systemTokens' | 'toolsTokens'>;

/** Why no conversation fits beside the system prompt and the tools, of which the first three are named; undefined when one fits. */
export function windowProblem(
  count: Base,
  limits: Limits,
  tools: () => readonly { readonly name: string; readonly tokens: number }[] = () => [],
): Bilingual | undefined {
  const base = count.systemTokens + count.toolsTokens;
  const minTokens = Math.ceil(limits.hardTokens * MIN_CONVERSATION_SHARE);
  if (base + minTokens <= limits.hardTokens) return undefined;
  const parts = [
    { en: 'the system prompt takes', zh: '系统提示词占', tokens: count.systemTokens },
    { en: 'the tool descriptions take', zh: '工具说明占', tokens: count.toolsTokens },
  ].sort((a, b) => b.tokens - a.tokens);
  const partsIn = (language: UiLanguage, comma: string): string =>
    parts.map((part) => `${part[language]} ${groupDigits(part.tokens)}`).join(comma);
  const named = tools().slice(0, MAX_NAMED_TOOLS);
  const largest = named.map(({ name, tokens }) => `${name} ${groupDigits(tokens)}`).join(', ');
  const minWindowTokens = (base / (1 - MIN_CONVERSATION_SHARE)) * (limits.windowTokens / limits.hardTokens);
  const enough = groupDigits(Math.ceil(minWindowTokens / 500) * 500);
  const [window, hard, reserve] = [limits.windowTokens, limits.hardTokens, limits.reserveTokens].map(groupDigits);
  return {
    en:
      `The window is too small for this session: of its ${window} tokens a request may have ${hard} ` +
      `(${reserve} are kept for the reply). Of these ${partsIn('en', ', ')}${largest === '' ? '' : ` (largest tools: ${largest})`}, and the conversation needs at least ${groupDigits(minTokens)}. ` +
      `A window of about ${enough} tokens would do.`,
    zh:
      `窗口对本会话太小：${window} token 中，请求可用 ${hard}（${reserve} 预留给回复）。` +
      `其中${partsIn('zh', '，')}${largest === '' ? '' : `（最大的工具：${largest}）`}，而会话内容至少需要 ${groupDigits(minTokens)}。约 ${enough} token 的窗口就够。`,
  };
}

const MIN_CONVERSATION_SHARE = 1 / 3;

const MAX_NAMED_TOOLS = 3;

/** Says so where few steps fit between two compactions: 3 at the fewest with so much room, 6 with a third more. */
export function tightWindowNotice(count: Base, limits: Limits): Bilingual | undefined {
  if (limits.hardTokens - count.systemTokens - count.toolsTokens > TIGHT_TOKENS) return undefined;
  const window = groupDigits(limits.windowTokens);
  return {
    en: `The window of ${window} tokens is small: a compaction is due every few steps, and each leaves less of the conversation. A model with a larger window goes further.`,
    zh: `${window} token 的窗口很小：每隔几步就要压缩，每次留下的会话内容都更少。窗口更大的模型能工作得更久。`,
  };
}

const TIGHT_TOKENS = 4_200;

/** True where so many tokens are below every threshold and nothing is to be said of the window. False says nothing. */
export function hasAmpleRoom(most: ContextCount, limits: Limits): boolean {
  const base = { systemTokens: most.tokens, toolsTokens: 0 };
  const isTold = windowProblem(base, limits) !== undefined || tightWindowNotice(base, limits) !== undefined;
  return !isTold && most.tokens <= limits.batchTokens && judgePressure(most, limits).level === 'none';
}
