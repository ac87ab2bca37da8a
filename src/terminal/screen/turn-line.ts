import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { formatCount, formatDollars, formatDuration, pluralize } from '../text/format.ts';
import { type EventLine, type EventOf, quiet } from './line.ts';

const stopReasonTexts: Readonly<Record<EventOf<'turn_ended'>['stopReason'], Bilingual>> = {
  end_turn: sameInBoth(''),
  max_tokens: { en: 'cut off at the output limit', zh: '达到输出上限，被截断' },
  refusal: { en: 'the model declined', zh: '模型拒绝回答' },
  interrupted: { en: 'interrupted', zh: '已中断' },
  max_steps: { en: 'stopped at the step limit', zh: '达到步数上限，已停止' },
  loop: { en: 'stopped: the same steps again and again', zh: '已停止：不断重复相同的步骤' },
  max_cost: { en: 'stopped at the cost limit', zh: '达到费用上限，已停止' },
  max_seconds: { en: 'stopped at the time limit', zh: '达到时间上限，已停止' },
  failed: { en: 'failed', zh: '失败' },
};

/** How a turn ended and what it took, in one row; how full the context is stands in the status. */
export function turnLine({ stopReason, ms, steps, costUsd }: EventOf<'turn_ended'>): EventLine {
  const parts = [
    localize(stopReasonTexts[stopReason]),
    formatDuration(ms),
    localize({ en: pluralize(steps, 'step'), zh: `${formatCount(steps)} 步` }),
    costUsd === undefined || costUsd === 0 ? '' : formatDollars(costUsd),
  ];
  return quiet(parts.filter((part) => part !== '').join(' · '));
}
