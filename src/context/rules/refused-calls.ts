import { calledTool } from '../../domain/session/called-tool.ts';
import { isToolResult, isToolUse, type Message, resultText } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { quoteLine } from '../text/sentences.ts';

/** What became of a call that needed the user: the answer to a question, a "no" with words, or the answer to a plan that was shown. */
export type UserVerdict =
  | ({ readonly kind: 'answered' } & AnsweredQuestion)
  | { readonly kind: 'refused'; readonly call: string; readonly said: string; readonly isPlan: boolean }
  | { readonly kind: 'plan rejected' }
  | { readonly kind: 'plan accepted'; readonly plan: string }
  | { readonly kind: 'plans' };

export type AnsweredQuestion = { readonly question: string; readonly answer: string };

/**
 * Reads the user's verdicts in messages with results. Words of a "no" count only by the field that holds them: a result any program can
 * print.
 */
export function verdictReader(messages: readonly Message[]): (message: Message) => readonly UserVerdict[] {
  const called = new Map<string, { readonly name: string; readonly input: unknown }>();
  for (const block of messages.flatMap(({ content }) => content.filter(isToolUse))) {
    const { name, input } = calledTool(block);
    called.set(block.id, { name: String(name), input });
  }
  return (message) => {
    if (message.origin !== 'tools') return [];
    return message.content.filter(isToolResult).flatMap((block): readonly UserVerdict[] => {
      const call = called.get(block.tool_use_id);
      const said = message.refusals?.find(({ toolUseId }) => toolUseId === block.tool_use_id)?.said.trim();
      const isPlan = call?.name === 'ExitPlanMode';
      if (said !== undefined && said !== '') return [{ kind: 'refused', call: callText(call), said, isPlan }];
      if (block.is_error !== true) {
        const answers = answersIn(call, resultText(block));
        if (answers.length > 0) return answers.map((answer) => ({ kind: 'answered', ...answer }));
      }
      if (call?.name === 'EnterPlanMode' && block.is_error !== true) return [{ kind: 'plans' }];
      if (!isPlan) return [];
      const plan = isObject(call?.input) && isString(call.input.plan) ? call.input.plan : planIn(resultText(block));
      return [block.is_error === true ? { kind: 'plan rejected' } : { kind: 'plan accepted', plan: planLine(plan) }];
    });
  };
}

function callText(call: { readonly name: string; readonly input: unknown } | undefined): string {
  if (call === undefined) return '';
  const fields = isObject(call.input) ? call.input : {};
  const subject = [fields.command, fields.path, fields.file_path, fields.url].find(isString);
  return quoteLine(subject === undefined ? call.name : fields.command === subject ? subject : `${call.name} ${subject}`, CALL_CHARS);
}

const CALL_CHARS = 120;
const PLAN_CHARS = 360;

const planIn = (result: string): string => /^## Approved Plan:\n([\s\S]{1,4000})/m.exec(result)?.[1] ?? '';

const planLine = (plan: string): string =>
  quoteLine(
    plan
      .slice(0, 4_000)
      .split('\n')
      .map((line) => line.replace(/^#{1,6} /, '').trim())
      .filter((line) => line !== '' && !/^(?:context|summary|overview|plan|背景|概述|计划)[:：]?$/i.test(line) && !/^[-=`]{3}/.test(line))
      .slice(0, 3)
      .join(' – '),
    PLAN_CHARS,
  );

function answersIn(call: { readonly name: string; readonly input: unknown } | undefined, result: string): readonly AnsweredQuestion[] {
  if (call?.name === 'AskUserQuestion') return answerPairs(result);
  if (call?.name !== 'ask_user' || !isObject(call.input) || !isString(call.input.question)) return [];
  const { question } = call.input;
  const answer = /^The user chose(?: none of these and says)?: ([\s\S]+)$/.exec(result)?.[1]?.trim();
  return answer === undefined ? [] : [{ question, answer }];
}

/** As other agents record the answers to several questions: `"question"="answer"`. */
const answerPairs = (result: string): readonly AnsweredQuestion[] =>
  [...result.slice(0, MAX_RESULT_CHARS).matchAll(/"([^"\n]{1,500})"="([^"\n]{1,500})"/g)].map(([, question = '', answer = '']) => ({
    question,
    answer,
  }));

const MAX_RESULT_CHARS = 20_000;
