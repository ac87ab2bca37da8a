import type { StopReason } from '../../domain/event.ts';
import { type Bilingual, because } from '../../domain/language.ts';
import { type Helper, KILLED } from '../../domain/session/record.ts';
import { formatDollars, pluralize } from '../../terminal/text/format.ts';

const endTexts: Readonly<Record<string, string>> = {
  end_turn: 'done',
  max_tokens: 'its answer was cut off at the output limit',
  refusal: 'its model declined',
  interrupted: 'stopped by the user',
  max_steps: 'stopped at its limit of steps',
  loop: 'stopped: it did the same again and again',
  max_cost: 'stopped at its limit of cost',
  max_seconds: 'stopped at the time limit',
  failed: 'failed',
  [KILLED]: 'killed in the middle; it does not go on by itself',
};

/** "3 steps, $0.02". */
export const spentText = ({ steps, costUsd }: Pick<Helper, 'steps' | 'costUsd'>): string =>
  `${pluralize(steps, 'step')}${costUsd === null || costUsd === 0 ? '' : `, ${formatDollars(costUsd)}`}`;

export const spentTextZh = ({ steps, costUsd }: Pick<Helper, 'steps' | 'costUsd'>): string =>
  `${steps} 步${costUsd === null || costUsd === 0 ? '' : `，${formatDollars(costUsd)}`}`;

/** One line for the model: what became of a helper, and where to look. */
export const helperLine = (helper: Helper, sessionId: string): string =>
  `- helper ${helper.id}: ${helper.task} (${helper.end === undefined ? 'at work' : (endTexts[helper.end] ?? helper.end)}; ${spentText(helper)}; its last step: recall with ref ${sessionId}:${helper.last})`;

export type Unfinished = {
  readonly id: string;
  readonly how: StopReason;
  /** Why it failed. */
  readonly why: string | undefined;
  readonly said: string;
  readonly reference: string;
};

/** What the model is told in the place of an answer. */
export const unfinishedText = ({ id, how, why, said, reference }: Unfinished): string =>
  [
    `Helper ${id} gave no whole answer: ${endTexts[how] ?? how}${why === undefined ? '' : ` (${why})`}.`,
    said === '' ? 'It had said nothing yet.' : `What it said last:\n\n${said}\n`,
    `Its last step: recall with ref ${reference}. It goes on when you call task with helper ${id}.`,
  ].join('\n');

export const helperTexts = {
  noTool: (name: string, others: readonly string[]): string =>
    `a helper cannot be given ${JSON.stringify(name)}; beyond reading it can be given ${others.join(', ')}`,
  noHelper: (name: string, helpers: readonly Helper[]): string =>
    `there is no helper ${JSON.stringify(name)} to go on with; ${helpers.length === 0 ? 'this session has had none' : `there are ${helpers.map(({ id }) => id).join(', ')}`}`,
  isAtWork: (name: string): string => `helper ${name} is still at work`,
  keepsTools: 'a helper that goes on keeps the tools that it had; leave tools out, or begin with a new one',
  noRecord: (name: string): string => `the beginning of the record of helper ${name} cannot be read; give the task to a new one`,
  warning: (id: string, message: Bilingual): Bilingual => because({ en: `Helper ${id}`, zh: `子代理 ${id}` }, message),
  outOfBudget: (spent: string, limit: string): Bilingual => ({
    en: `the helper has spent ${spent} of the ${limit} it may (agent.helperMaxCostUsd)`,
    zh: `子代理已用去 ${spent}，上限 ${limit}（agent.helperMaxCostUsd）`,
  }),
};
