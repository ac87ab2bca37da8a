import { calledTool } from '../../domain/session/called-tool.ts';
import { isToolResult, isToolUse, type Message, resultText } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';

/** A question that the model put by a tool, and what the user chose or wrote. */
export type AnsweredQuestion = { readonly question: string; readonly answer: string };

/**
 * Returns a function that reads the answers in a message with results. They are the user's words although they stand in a result; which
 * tool was called decides, never the text alone, so nothing that a program prints counts as an answer.
 */
export function questionReader(messages: readonly Message[]): (message: Message) => readonly AnsweredQuestion[] {
  const asked = new Map<string, string>();
  for (const block of messages.flatMap(({ content }) => content.filter(isToolUse))) {
    const { name, input } = calledTool(block);
    if (name === 'ask_user' && isObject(input) && isString(input.question)) asked.set(block.id, input.question);
    else if (name === 'AskUserQuestion') asked.set(block.id, '');
  }
  return (message) =>
    message.origin !== 'tools' || asked.size === 0
      ? []
      : message.content.filter(isToolResult).flatMap((block) => {
          const question = asked.get(block.tool_use_id);
          if (question === undefined || block.is_error === true) return [];
          return question === '' ? answerPairs(resultText(block)) : ownAnswer(question, resultText(block));
        });
}

const ownAnswer = (question: string, result: string): readonly AnsweredQuestion[] => {
  const answer = /^The user chose(?: none of these and says)?: ([\s\S]+)$/.exec(result)?.[1]?.trim();
  return answer === undefined ? [] : [{ question, answer }];
};

/** As other agents record the answers to several questions: `"question"="answer"`. */
const answerPairs = (result: string): readonly AnsweredQuestion[] =>
  [...result.slice(0, MAX_RESULT_CHARS).matchAll(/"([^"\n]{1,500})"="([^"\n]{1,500})"/g)].map(([, question = '', answer = '']) => ({
    question,
    answer,
  }));

const MAX_RESULT_CHARS = 20_000;
