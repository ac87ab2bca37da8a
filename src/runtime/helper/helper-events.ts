import { warn } from '../../agent/deps.ts';
import type { Emit } from '../../agent/ports/effects.ts';
import type { Session } from '../../agent/session/session.ts';
import type { SanbotEvent, StopReason } from '../../domain/event.ts';
import { type Usage, usageTotal } from '../../domain/session/message.ts';
import type { Miss } from '../../domain/session/model-answer.ts';
import { READING_TOOLS } from './helper-deps.ts';
import { helperTexts } from './helper-text.ts';

/** Books what a helper costs with its session, and tells there under its name what it does; what it says is nobody's but its own. */
export function createHelperEvents(id: string, session: Session, emit: Emit) {
  const titles = new Map<string, string>();
  let stopReason: StopReason = 'failed';
  const book = (purpose: 'turn' | 'compaction', { usage, costUsd, prefix }: Cost): void => {
    if (usage === undefined || usageTotal(usage) === 0) return;
    session.usage.record(purpose, usage, costUsd);
    session.usage.recordMiss(prefix);
    emit({ type: 'helper_step', helper: id, usage, costUsd, ...(prefix && { prefix }) });
  };
  return {
    /** How its newest turn ended. */
    stopReason: () => stopReason,
    emit: (event: SanbotEvent) => {
      switch (event.type) {
        case 'reply':
          return book('turn', event);
        case 'compacted':
        case 'compaction_failed':
        case 'compaction_cancelled':
        case 'compaction_discarded':
        case 'summary_prepared':
        case 'summary_dropped':
          return book('compaction', event);
        case 'request':
          return emit({ type: 'tool_progress', tool: id, text: event.purpose === 'turn' ? 'thinking' : 'summarising' });
        case 'tool_started':
          titles.set(event.toolUseId, event.title);
          return emit({ type: 'tool_progress', tool: id, text: event.title });
        case 'tool_progress':
          return emit({ type: 'tool_progress', tool: `${id}: ${event.tool}`, text: event.text });
        case 'tool_ended':
          return emit(calledEvent(id, event, titles.get(event.toolUseId)));
        case 'warning':
          return warn(emit, helperTexts.warning(id, event.message));
        case 'retrying':
        case 'hook_ran':
        case 'sandbox':
          return emit(event);
        case 'turn_ended':
          stopReason = event.stopReason;
      }
    },
  };
}

type Cost = { readonly usage?: Usage | undefined; readonly costUsd?: number | undefined; readonly prefix?: Miss | undefined };

function calledEvent(helper: string, event: Extract<SanbotEvent, { type: 'tool_ended' }>, title: string | undefined): SanbotEvent {
  const { toolUseId: _id, type: _type, ...call } = event;
  return { type: 'helper_called', helper, ...call, title: title ?? event.tool, reads: READING_TOOLS.has(event.tool) };
}
