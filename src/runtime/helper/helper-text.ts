import type { AgentFile } from '../../domain/agent/agent.ts';
import type { StopReason } from '../../domain/event.ts';
import { type Bilingual, because, sameInBoth } from '../../domain/language.ts';
import { type Helper, KILLED } from '../../domain/session/record.ts';
import { formatDollars, pluralize } from '../../terminal/text/format.ts';

const endTexts: Readonly<Record<string, Bilingual>> = {
  end_turn: { en: 'done', zh: '已完成' },
  max_tokens: { en: 'its answer was cut off at the output limit', zh: '回答达到输出上限，被截断' },
  refusal: { en: 'its model declined', zh: '其模型拒绝回答' },
  interrupted: { en: 'stopped by the user', zh: '被用户停止' },
  max_steps: { en: 'stopped at its limit of steps', zh: '达到步数上限而停止' },
  loop: { en: 'stopped: it did the same again and again', zh: '已停止：它反复做同样的事' },
  max_cost: { en: 'stopped at its limit of cost', zh: '达到费用上限而停止' },
  max_seconds: { en: 'stopped at the time limit', zh: '达到时间上限而停止' },
  failed: { en: 'failed', zh: '失败' },
  [KILLED]: { en: 'killed in the middle; it does not go on by itself', zh: '中途被终止；不会自行继续' },
};

/** "3 steps, $0.02". */
export const spentText = ({ steps, costUsd }: Pick<Helper, 'steps' | 'costUsd'>): string =>
  `${pluralize(steps, 'step')}${costUsd === null || costUsd === 0 ? '' : `, ${formatDollars(costUsd)}`}`;

export const spentTextZh = ({ steps, costUsd }: Pick<Helper, 'steps' | 'costUsd'>): string =>
  `${steps} 步${costUsd === null || costUsd === 0 ? '' : `，${formatDollars(costUsd)}`}`;

/** One line for the model: what became of a helper, and where to look. */
export const helperLine = (helper: Helper, sessionId: string): string =>
  `- helper ${helper.id}: ${helper.task} (${helper.end === undefined ? 'at work' : (endTexts[helper.end]?.en ?? helper.end)}; ${spentText(helper)}; its last step: recall with ref ${sessionId}:${helper.last})`;

export type Unfinished = {
  readonly id: string;
  readonly how: StopReason;
  /** Why it failed. */
  readonly why: Bilingual | undefined;
  readonly said: string;
  readonly reference: string;
};

/** What the model is told in the place of an answer, and a person of it the first line. */
export function unfinishedText({ id, how, why, said, reference }: Unfinished): Bilingual {
  const { en, zh } = endTexts[how] ?? sameInBoth(how);
  const advice = [
    said === '' ? 'It had said nothing yet.' : `What it said last:\n\n${said}\n`,
    `Its last step: recall with ref ${reference}. It goes on when you call task with helper ${id}.`,
  ];
  return {
    en: [`Helper ${id} gave no whole answer: ${en}${why === undefined ? '' : ` (${why.en})`}.`, ...advice].join('\n'),
    zh: `子代理 ${id} 没有给出完整的回答：${zh}${why === undefined ? '' : `（${why.zh}）`}。`,
  };
}

export const helperTexts = {
  noTool: (name: string, others: readonly string[]): Bilingual => ({
    en: `a helper cannot be given ${JSON.stringify(name)}; beyond reading it can be given ${others.join(', ')}`,
    zh: `不能给子代理 ${JSON.stringify(name)}；除读取之外可以给它 ${others.join('、')}`,
  }),
  noHelper: (name: string, helpers: readonly Helper[]): Bilingual => ({
    en: `there is no helper ${JSON.stringify(name)} to go on with; ${helpers.length === 0 ? 'this session has had none' : `there are ${helpers.map(({ id }) => id).join(', ')}`}`,
    zh: `没有可以继续的子代理 ${JSON.stringify(name)}；${helpers.length === 0 ? '本会话还没有过子代理' : `现有 ${helpers.map(({ id }) => id).join('、')}`}`,
  }),
  noAgent: (name: string, agents: readonly AgentFile[]): Bilingual => ({
    en: `there is no agent ${JSON.stringify(name)}; ${agents.length === 0 ? 'there are none' : `there are ${agents.map((each) => each.name).join(', ')}`}`,
    zh: `没有代理 ${JSON.stringify(name)}；${agents.length === 0 ? '没有任何代理' : `现有 ${agents.map((each) => each.name).join('、')}`}`,
  }),
  hasItsOwn: {
    en: 'an agent has tools of its own and begins anew; leave tools and helper out',
    zh: '代理有自己的工具，且总是重新开始；请不要给 tools 和 helper',
  },
  isAtWork: (name: string): Bilingual => ({ en: `helper ${name} is still at work`, zh: `子代理 ${name} 仍在工作` }),
  keepsTools: {
    en: 'a helper that goes on keeps the tools that it had; leave tools out, or begin with a new one',
    zh: '继续的子代理保留原有的工具；请不要给 tools，或另起一个新的',
  },
  noRecord: (name: string): Bilingual => ({
    en: `the beginning of the record of helper ${name} cannot be read; give the task to a new one`,
    zh: `无法读取子代理 ${name} 记录的开头；请把任务交给新的子代理`,
  }),
  warning: (id: string, message: Bilingual): Bilingual => because({ en: `Helper ${id}`, zh: `子代理 ${id}` }, message),
  outOfBudget: (spent: string, limit: string): Bilingual => ({
    en: `the helper has spent ${spent} of the ${limit} it may (agent.helperMaxCostUsd)`,
    zh: `子代理已用去 ${spent}，上限 ${limit}（agent.helperMaxCostUsd）`,
  }),
};
