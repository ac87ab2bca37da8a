import type { Bilingual } from '../../../domain/language.ts';

/** `why`: undefined where it took too long. */
export function restingText(
  why: Bilingual | undefined,
  { seconds, minutes }: { readonly seconds: number; readonly minutes: number },
): Bilingual {
  const reason = why ?? { en: `no answer within ${seconds} s`, zh: `${seconds} 秒内没有回答` };
  return {
    en: `No vectors (${reason.en.replace(/\.$/, '')}): for ${minutes} minutes recall goes by words alone.`,
    zh: `没有取得向量（${reason.zh.replace(/[.。]$/, '')}）：${minutes} 分钟内只按词语查找。`,
  };
}
