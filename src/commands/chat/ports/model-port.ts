import { modelFacts } from '../../../agent/deps.ts';
import { SanbotError } from '../../../domain/errors.ts';
import { OFFLINE_MODEL } from '../../../model/catalog.ts';
import type { Conversation } from '../../../runtime/conversation/types.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import type { ModelPort, ModelView } from '../../../terminal/chat/model-port.ts';
import { contextView } from '../../context/context-view.ts';
import type { Current } from './current.ts';

export const createModelPort = ({ conversation, compactions, runtime }: Current): ModelPort => ({
  current: () => modelView(conversation(), runtime),
  change: async (name, signal) => {
    refuseUnavailable(name, runtime);
    await conversation().changeModel(runtime.models.fullName(name), signal);
  },
  choices: async (signal) => {
    const { name } = modelView(conversation(), runtime);
    const endpoints = await runtime.models.known(signal);
    const names = [...new Set([name, ...endpoints.flatMap((endpoint) => endpoint.names)])];
    return names.map((one) => {
      const { windowTokens, assumed } = runtime.model.facts(one);
      return { name: one, isCurrent: one === name, windowTokens: assumed ? undefined : windowTokens };
    });
  },
  context: async () => {
    const { session, deps } = conversation();
    return contextView(session, deps, modelView(conversation(), runtime));
  },
  contextTokens: () => conversation().session.estimate.count().tokens,
  costSinceOpened: () => conversation().session.usage.total.costUsd,
  cost: async () => {
    const { sessionCost } = await import('./session-cost.ts');
    const { id, usage } = conversation().session;
    return sessionCost(runtime.store.events, id, { ...usage.total, compactions: compactions() });
  },
});

function modelView({ session, deps }: Conversation, { models }: Runtime): ModelView {
  const { windowTokens, assumed } = modelFacts(session, deps);
  return { name: session.model, offline: models.isOffline(session.model), windowTokens, windowAssumed: assumed };
}

/** The offline model and others do not take turns; where nothing is configured, only it answers. */
function refuseUnavailable(name: string, { offline, models }: Runtime): void {
  const wantsOffline = models.isOffline(models.fullName(name));
  if (!wantsOffline || (offline && name === OFFLINE_MODEL)) return;
  throw offline && name !== OFFLINE_MODEL
    ? new SanbotError(
        'usage',
        {
          en: `The offline model is in use here, and the model is unchanged: ${name} is at no endpoint that is set`,
          zh: `当前使用离线模型，模型没有变化：已设置的端点中没有 ${name}`,
        },
        {
          hint: {
            en: `Exit, choose a model with sanbot setup, then run: sanbot --continue --model ${name}`,
            zh: `请退出，用 sanbot setup 选择模型，然后运行：sanbot --continue --model ${name}`,
          },
        },
      )
    : new SanbotError(
        'usage',
        { en: 'You cannot switch to the offline model here, so the model is unchanged', zh: '此处不能切换到离线模型，模型没有变化' },
        {
          hint: {
            en: 'Exit, then run: SANBOT_PROVIDER=offline sanbot --continue',
            zh: '请退出，然后运行：SANBOT_PROVIDER=offline sanbot --continue',
          },
        },
      );
}
