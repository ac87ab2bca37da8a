import { compact, prepareCompaction } from '../../../agent/compaction/compact.ts';
import { type AgentDeps, limitsOf, modelFacts, withWish } from '../../../agent/deps.ts';
import { pinCost, pinMessage, unpinMessage } from '../../../agent/memory/pins.ts';
import { endPlan } from '../../../agent/memory/plan.ts';
import type { Session } from '../../../agent/session/session.ts';
import { addRequest, addSessionUsage, noSessionUsage, type SessionUsage } from '../../../agent/session/usage.ts';
import { acceptedPlan, pinOf } from '../../../context/history/pins.ts';
import { splitEffort } from '../../../domain/config/effort.ts';
import { SanbotError } from '../../../domain/errors.ts';
import type { readCost } from '../../../domain/event/read-event.ts';
import type { AuditRecord } from '../../../domain/event.ts';
import type { CompactionWish, Pin } from '../../../domain/session/context.ts';
import { noUsage, usageTotal } from '../../../domain/session/message.ts';
import { addMiss } from '../../../domain/session/model-answer.ts';
import { OFFLINE_MODEL } from '../../../model/catalog.ts';
import type { Conversation } from '../../../runtime/conversation/types.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import type { EventLog } from '../../../store/events.ts';
import type { CompactionPort, CostView, ModelPort, ModelView, PinLine, PinsPort, PinsView } from '../../../terminal/chat/context-port.ts';
import { contextView } from '../../context/context-view.ts';
import { pendingCompaction } from '../pending-compaction.ts';
import type { Current } from './current.ts';

export const createModelPort = ({ conversation, compactions, runtime }: Current): ModelPort => ({
  current: () => modelView(conversation(), runtime),
  change: async (name, signal) => {
    refuseUnavailable(name, runtime);
    const full = runtime.models.fullName(name);
    await runtime.models.requireListed(full, signal);
    await conversation().changeModel(full, signal);
  },
  choices: async (signal) => {
    const { name } = splitEffort(conversation().session.model);
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
  limitTokens: () => limitsOf(conversation().session, conversation().deps).hardTokens,
  rereadCost: () => {
    const { session, deps } = conversation();
    if (!session.context.messages.some(({ origin }) => origin === 'model')) return undefined;
    const { tokens } = session.estimate.count();
    return { tokens, costUsd: modelFacts(session, deps).costUsd({ ...noUsage, cacheWriteTokens: tokens }) };
  },
  costSinceOpened: () => conversation().session.usage.total.costUsd,
  cost: async () => {
    const { id, usage } = conversation().session;
    return sessionCost(runtime.store.events, id, { ...usage.total, compactions: compactions() });
  },
});

function modelView({ session, deps }: Conversation, { models }: Runtime): ModelView {
  const { windowTokens, assumed, takesEffort } = modelFacts(session, deps);
  const [offline, missing] = [models.isOffline(session.model), models.isMissing(session.model)];
  return { takesEffort, name: session.model, offline, missing, windowTokens, windowAssumed: assumed };
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
          en: `Exit, choose a model with sanbot setup, then run: sanbot --continue --model ${name}`,
          zh: `请退出，用 sanbot setup 选择模型，然后运行：sanbot --continue --model ${name}`,
        },
      )
    : new SanbotError(
        'usage',
        { en: 'You cannot switch to the offline model here, so the model is unchanged', zh: '此处不能切换到离线模型，模型没有变化' },
        {
          en: 'Exit, then run: SANBOT_PROVIDER=offline sanbot --continue',
          zh: '请退出，然后运行：SANBOT_PROVIDER=offline sanbot --continue',
        },
      );
}

export const createCompactionPort = ({ conversation, runtime }: Current): CompactionPort => ({
  compact: async (wish, signal) => {
    const { session, deps } = wished(wish, conversation(), runtime);
    await compact({ ...requestOf(session, deps), instructions: wish.instructions, signal }, session, deps);
  },
  preview: async (wish, signal) => {
    const { session, deps } = wished(wish, conversation(), runtime);
    const preparation = await prepareCompaction({ ...requestOf(session, deps), instructions: wish.instructions, signal }, session, deps);
    return preparation.kind === 'prepared' ? pendingCompaction(preparation, session, deps) : undefined;
  },
  clear: () => conversation().clear(),
});

const wished = ({ model, ...wish }: CompactionWish, { session, deps }: Conversation, { models }: Runtime) => ({
  session,
  deps: withWish(deps, { ...wish, model: model === undefined ? undefined : models.fullName(model) }),
});

/** Once --max-cost is spent, a summary would be made by rules only because no model may be asked: that is not what was wished for. */
function requestOf(session: Session, deps: AgentDeps) {
  if (deps.config.compaction.useLLMSummary) deps.model.checkBudget?.();
  return { trigger: 'manual', reasons: [], limits: limitsOf(session, deps) } as const;
}

export const createPinsPort = ({ conversation }: Current): PinsPort => ({
  choices: () => pinnableLines(conversation().session),
  view: async () => {
    const { session, deps } = conversation();
    return { pins: pinnedLines(session), ...pinCost(session, deps) };
  },
  pin: async (number) => {
    const { session, deps } = conversation();
    pinMessage(number - 1, session, deps);
  },
  unpin: async (messageId) => unpinMessage(messageId, conversation().session),
  plan: () => acceptedPlan(conversation().session.context)?.text,
  endPlan: async () => endPlan(conversation().session),
});

/** The messages of a session's context that can be pinned, as a person picks from them. */
function pinnableLines({ context: { messages, pins = [] } }: Session): readonly PinLine[] {
  const pinned = new Set(pins.map(({ messageId }) => messageId));
  return messages.flatMap((message, index): readonly PinLine[] => {
    const pin = pinOf(message, () => undefined);
    if (pin === undefined) return [];
    return [{ number: index + 1, messageId: message.id, who: speakers[pin.who], text: lineOf(pin.text), pinned: pinned.has(message.id) }];
  });
}

/** What is pinned, in the order it was pinned in. */
const pinnedLines = ({ context: { pins = [] } }: Session): PinsView['pins'] =>
  pins.map(({ messageId, who, kind, text }) => ({ messageId, who: kind ?? speakers[who], text: lineOf(text) }));

const speakers: Readonly<Record<Pin['who'], PinLine['who']>> = { user: 'you', model: 'assistant', tool: 'tool' };

const lineOf = (text: string): string => text.slice(0, 800).replaceAll(/\s+/g, ' ').trim().slice(0, 400).toWellFormed();

type Used = SessionUsage & { readonly compactions: number };

/**
 * What a session used: what was counted since it was opened, and what the audit log has of it before. Events that the log has dropped are
 * not in the sum. Rejects as reading the log throws.
 */
export async function sessionCost(events: EventLog, sessionId: string, sinceOpened: Used): Promise<CostView> {
  const earlier = usedBefore(events, sessionId, (await import('../../../domain/event/read-event.ts')).readCost);
  const all = { ...addSessionUsage(earlier, sinceOpened), compactions: earlier.compactions + sinceOpened.compactions };
  return earlier.requests === 0 ? all : { ...all, earlier };
}

/** By the events before the newest that opened it. */
function usedBefore(events: EventLog, sessionId: string, costOf: typeof readCost): Used {
  let all: Used = { ...noSessionUsage, compactions: 0 };
  let before = all;
  events.read({ sessionId }, (record) => {
    if (record.type === 'session_started') before = all;
    all = addRecord(all, record, costOf);
  });
  return before;
}

const OF_TURNS: ReadonlySet<unknown> = new Set(['reply', 'helper_step']);

/** The end of a turn tells the sum of what was told before it. */
function addRecord(all: Used, record: AuditRecord, costOf: typeof readCost): Used {
  const compactions = all.compactions + (record.type === 'compacted' ? 1 : 0);
  const cost = record.type === 'turn_ended' ? undefined : costOf(record);
  if (cost === undefined || usageTotal(cost.usage) === 0) return { ...all, compactions };
  const purpose = OF_TURNS.has(record.type) ? 'turn' : 'compaction';
  const sum = addRequest(all, purpose, { usage: cost.usage, costUsd: cost.costUsd });
  return { ...sum, compactions, ...(cost.prefix && { misses: addMiss(all.misses, cost.prefix) }) };
}
