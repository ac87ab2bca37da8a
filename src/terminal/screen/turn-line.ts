import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { formatCount, formatDollars, formatDuration, formatPercent, pluralize } from '../text/format.ts';
import { textWidth } from '../text/text-width.ts';
import { type EventLine, type EventOf, quiet } from './line.ts';

/** What the context holds at the end of a turn, and where its commands ran. */
type TurnState = { readonly contextTokens: number; readonly windowTokens: number; readonly sandboxed: boolean | undefined };

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

/** What a turn took and left behind, in one row of `columns` where that can be: what is told elsewhere too is shortened or left out. */
export function turnLine(event: EventOf<'turn_ended'>, state: TurnState, columns: number): EventLine {
  const percent = formatPercent(state.contextTokens, state.windowTokens);
  const used = formatCount(state.contextTokens);
  const window = formatCount(state.windowTokens);
  const contexts =
    state.windowTokens > 0
      ? localize({
          en: [`context ${used} of ${window} tokens (${percent})`, `context ${used} (${percent})`, `context ${percent}`],
          zh: [`上下文 ${used} / ${window} token（${percent}）`, `上下文 ${used}（${percent}）`, `上下文 ${percent}`],
        })
      : [''];
  const tokens = formatCount(event.usage.outputTokens);
  const output = event.usage.outputTokens > 0 ? localize({ en: `${tokens} tokens out`, zh: `输出 ${tokens} token` }) : '';
  const cost = event.costUsd === undefined || event.costUsd === 0 ? '' : formatDollars(event.costUsd);
  const steps = localize({ en: pluralize(event.steps, 'step'), zh: `${formatCount(event.steps)} 步` });
  const what = [localize(stopReasonTexts[event.stopReason]), formatDuration(event.ms), steps];
  const [whole = '', short = '', shortest = ''] = contexts;
  const forms = [
    [...what, output, cost, placeText(state.sandboxed), whole],
    [...what, output, cost, placeText(state.sandboxed), short],
    [...what, cost, short],
    [...what, cost, shortest],
    [...what, cost],
    what,
  ].map((parts) => `[${parts.filter((part) => part !== '').join(' · ')}]`);
  return quiet(forms.find((form) => textWidth(form) <= columns) ?? forms.at(-1) ?? '');
}

function placeText(sandboxed: boolean | undefined): string {
  if (sandboxed === undefined) return '';
  return sandboxed ? localize({ en: 'sandbox', zh: '沙箱' }) : localize({ en: 'no sandbox', zh: '无沙箱' });
}
