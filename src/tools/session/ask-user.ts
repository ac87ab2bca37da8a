import { z } from 'zod';
import type { PersonAnswer, Plans, ToolOutcome } from '../../agent/ports/tools.ts';
import { type Bilingual, sameInBoth } from '../../domain/language.ts';
import { PLAN_TOOL } from '../../domain/session/called-tool.ts';
import { visibleLine } from '../place/visible.ts';
import { defineTool, failure, readPlan } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';

const inputSchema = z.strictObject({
  question: z.string().min(1).max(1_000),
  choices: z.array(z.string().min(1).max(200)).min(2).max(9),
});

/** Puts a question to the person. What they answer is the person's word; nothing is allowed by it. */
export const askUserTool = defineTool(
  'ask_user',
  inputSchema,
  async ({ question, choices }, { askPerson: ask }: Pick<ToolContext, 'askPerson'>) => {
    if (question.trim() === '' || choices.some((choice) => choice.trim() === ''))
      return { en: 'a question and its choices need words', zh: '问题及其选项需要有文字' };
    if (new Set(choices).size < choices.length) return { en: 'two of the choices are the same', zh: '有两个选项相同' };
    return readPlan(`ask_user ${visibleLine(question, 200)}`, async (signal) => outcomeOf(await ask({ question, choices }, signal)));
  },
);

function outcomeOf(answer: PersonAnswer): ToolOutcome {
  switch (answer.kind) {
    case 'chosen':
      return { ok: true, content: `The user chose: ${answer.text}`, note: sameInBoth(visibleLine(answer.text, 60)) };
    case 'typed':
      return { ok: true, content: `The user chose none of these and says: ${answer.text}`, note: sameInBoth(visibleLine(answer.text, 60)) };
    case 'dismissed':
      return failure(NO_ANSWER, { en: 'no answer', zh: '没有回答' });
    case 'nobody':
      return failure(NOBODY, { en: 'nobody to ask', zh: '无人可问' });
  }
}

const NO_ANSWER: Bilingual = {
  en: 'The user gave no answer. Do what needs no answer, or say in words what you need to know.',
  zh: '用户没有回答。模型会做无需回答的事，或说明需要知道什么。',
};
const NOBODY: Bilingual = {
  en: 'There is nobody to ask. Decide by what was asked for, and say what you chose and why.',
  zh: '没有人可以询问。模型会按要求自行决定，并说明选择及理由。',
};

const planSchema = z.strictObject({ plan: z.string().trim().min(1).max(50_000) });

/** Hands in a plan. It changes nothing by itself: what a person accepts is done by other calls. */
export const presentPlanTool = defineTool(
  PLAN_TOOL,
  planSchema,
  async ({ plan }, plans: Plans) =>
    (await plans.problem(plan)) ??
    readPlan(`${PLAN_TOOL} ${visibleLine(titleOf(plan), 120)}`.trimEnd(), (signal) => plans.present(plan, signal)),
);

/** Its first line, without the word that the row of the call begins with. */
const titleOf = (plan: string): string => (plan.split('\n', 1)[0] ?? '').replace(/^[#\s]+/, '').replace(/^(?:plan\b|计划)[\s:：]*/i, '');
