import { type Bilingual, joinTexts } from '../../domain/language.ts';
import type { Miss } from '../../domain/session/model-answer.ts';
import { formatCount } from './format.ts';
import { safeLine } from './safe-text.ts';

/** What the provider had to read anew and why; undefined where that is nothing. */
export function missText(misses: readonly Miss[]): Bilingual | undefined {
  const texts = misses.map(({ changed, missedTokens }, at): Bilingual => {
    const [tokens, what] = [formatCount(missedTokens), changes[changed] ?? { en: safeLine(changed), zh: safeLine(changed) }];
    return {
      en: `${tokens}${at === 0 ? ' tokens missed' : ''}: ${what.en} changed`,
      zh: `${tokens}${at === 0 ? ' token 未命中缓存' : ''}：${what.zh}有变化`,
    };
  });
  return texts.length === 0 ? undefined : joinTexts(texts, { en: ', ', zh: '，' });
}

export const unplanned = (misses: readonly Miss[]): readonly Miss[] => misses.filter(({ planned }) => !planned);

const changes: Readonly<Record<string, Bilingual>> = {
  model: { en: 'model', zh: '模型' },
  system: { en: 'system prompt', zh: '系统提示词' },
  tools: { en: 'tools', zh: '工具' },
  messages: { en: 'messages', zh: '消息' },
};
