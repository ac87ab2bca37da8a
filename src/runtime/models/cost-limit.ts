import type { Model } from '../../agent/ports/model.ts';
import { SanbotError } from '../../domain/errors.ts';
import { noUsage, textOf, type Usage } from '../../domain/session/message.ts';
import { roughRequestTokens, roughTokens } from '../../model/rough-tokens.ts';
import { formatDollars } from '../../terminal/text/format.ts';

/**
 * The same model until its replies have cost `maxUsd`; whatever a reply was for, a turn, a summary or a memory, it counts. The request that
 * crosses the limit is still answered, so that what was paid for is not lost.
 */
export function withCostLimit(model: Model, maxUsd: number): Model {
  let spentUsd = 0;
  const checkBudget = (): void => {
    if (spentUsd >= maxUsd)
      throw new SanbotError('cost_exhausted', {
        en: `No more requests: ${formatDollars(spentUsd)} of the ${formatDollars(maxUsd)} of --max-cost is spent`,
        zh: `不再发送请求：--max-cost 的 ${formatDollars(maxUsd)} 已用去 ${formatDollars(spentUsd)}`,
      });
  };
  return {
    ...model,
    checkBudget,
    ask: async (request, stream) => {
      checkBudget();
      const answer = await model.ask(request, stream);
      // Some servers report no usage: an estimate at full price keeps the limit a limit.
      const estimate = (text: string): Usage => ({ ...noUsage, inputTokens: roughRequestTokens(request), outputTokens: roughTokens(text) });
      if (answer.kind === 'reply') spentUsd += model.facts(request.model).costUsd(answer.usage ?? estimate(textOf(answer.content))) ?? 0;
      return answer;
    },
  };
}

/** Throws usage when the price of one of the models is not known: a limit in dollars could not be kept. */
export function requirePrices(names: readonly (string | null | undefined)[], { facts }: Pick<Model, 'facts'>): void {
  const name = names.find((each) => typeof each === 'string' && facts(each).costUsd(noUsage) === undefined);
  if (typeof name !== 'string') return;
  throw new SanbotError(
    'usage',
    {
      en: `--max-cost needs a price, and that of the model ${name} is not known`,
      zh: `--max-cost 需要价格，而模型 ${name} 的价格未知`,
    },
    {
      en: 'Set it in dollars per million tokens: {"model": {"price": {"input": 3, "cacheRead": 0.3, "cacheWrite": 3.75, "output": 15}}} in config.json (sanbot config path names the file), or leave --max-cost out.',
      zh: '请在 config.json 中按每百万 token 的美元数设置：{"model": {"price": {"input": 3, "cacheRead": 0.3, "cacheWrite": 3.75, "output": 15}}}（sanbot config path 显示文件），或不用 --max-cost。',
    },
  );
}

/** What a name of a model stands for where one is asked beside the conversation; throws as `requirePrices` does. */
export const askableName =
  (
    model: Pick<Model, 'facts'>,
    { models, costLimited }: { readonly models: { readonly fullName: (name: string) => string }; readonly costLimited: boolean },
  ) =>
  (name: string): string => {
    const full = models.fullName(name);
    if (costLimited) requirePrices([full], model);
    return full;
  };
