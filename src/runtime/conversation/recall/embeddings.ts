import { AbortedError, SanbotError } from '../../../domain/errors.ts';
import type { Bilingual, Warn } from '../../../domain/language.ts';
import { redact } from '../../../domain/value/redact.ts';
import type { Embed, Vector } from '../../../model/embeddings.ts';
import type { ProcessState, TimeAndChance } from '../../environment.ts';
import { isOfflineChosen, type Settings } from '../../settings.ts';

type EmbedOptions = { readonly signal: AbortSignal; readonly timeoutMs: number; readonly warn: Warn };

/** The endpoint that turns texts into vectors. */
export type Embeddings = NonNullable<ReturnType<typeof openEmbeddings>>;

/** After a failure, words alone must do for so long. */
const REST_MS = 5 * 60_000;

/** Undefined where none is set, and for whoever works offline by a setting of their own: then nothing is sent anywhere. */
export function openEmbeddings({ env, now, deadline }: ProcessState & TimeAndChance, chosen: Pick<Settings, 'config' | 'origins'>) {
  const settings = chosen.config.recall.embeddings;
  if (settings === null || isOfflineChosen(chosen)) return undefined;
  let restsUntil = 0;
  let opened: Promise<Embed> | undefined;
  return {
    /** Names where vectors come from. Only those of one space and one length can be compared. */
    space: JSON.stringify([settings.baseUrl, settings.model, settings.dimensions]),
    /**
     * Returns a vector for each text, which leave this machine without what looks like a secret. Undefined where none came, or not in time:
     * that is said once, and then nothing is sent for a while. Rejects only with AbortedError.
     */
    embed: async (texts: readonly string[], { signal, timeoutMs, warn }: EmbedOptions): Promise<readonly Vector[] | undefined> => {
      if (now().getTime() < restsUntil) return undefined;
      const timeout = deadline(timeoutMs);
      try {
        opened ??= import('../../../model/embeddings.ts').then(({ createEmbed }) => createEmbed(env, settings));
        const embed = await opened;
        return await embed(texts.map(redact), AbortSignal.any([signal, timeout]));
      } catch (error) {
        if (signal.aborted) throw new AbortedError();
        if (!(error instanceof SanbotError) && !timeout.aborted) throw error;
        restsUntil = now().getTime() + REST_MS;
        warn(
          restingText(error instanceof SanbotError ? error.shown.message : undefined, {
            seconds: timeoutMs / 1_000,
            minutes: REST_MS / 60_000,
          }),
        );
        return undefined;
      }
    },
  };
}

/** `why`: undefined where it took too long. */
function restingText(why: Bilingual | undefined, { seconds, minutes }: { readonly seconds: number; readonly minutes: number }): Bilingual {
  const reason = why ?? { en: `no answer within ${seconds} s`, zh: `${seconds} 秒内没有回答` };
  return {
    en: `No vectors (${reason.en.replace(/\.$/, '')}): for ${minutes} minutes recall goes by words alone.`,
    zh: `没有取得向量（${reason.zh.replace(/[.。]$/, '')}）：${minutes} 分钟内只按词语查找。`,
  };
}
