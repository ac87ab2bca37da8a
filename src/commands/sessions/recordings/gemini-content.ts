/**
 * A conversation as `Content` of Google's API, in which Gemini CLI saves checkpoints: in a list, or beside other things as `history` or
 * `clientHistory`.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `user` with texts | what the user typed; a notice where the program sets up its context |
 * | `user` with `functionResponse` | the results of calls |
 * | `model` | a reply; `functionCall` as calls |
 * | thoughts, files, code that ran at the server, other roles | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import type { ContentBlock } from '../../../domain/session/message.ts';
import { isObject, isString } from '../../../domain/value/json.ts';
import { callBlock, leaveOutMessage, objectsIn, textBlock } from './recorded-content.ts';
import { objectAt, stringAt } from './recording.ts';

export const isGeminiContent = (value: unknown): boolean =>
  isObject(value) && Array.isArray(value.parts) && (value.role === 'user' || value.role === 'model');

export function readGeminiContent(contents: readonly unknown[], collector: StepCollector): void {
  const ids = callIds();
  for (const [index, content] of objectsIn(contents, { en: 'message', zh: '消息' }, collector)) {
    const role = stringAt(content, 'role');
    if (role === 'user') takeUserParts(content.parts, { collector, ids });
    else if (role === 'model') collector.reply(replyParts(content.parts, { collector, ids }), `reply ${index}`);
    else leaveOutMessage(role, collector);
  }
}

export type PartsContext = { readonly collector: StepCollector; readonly ids: ReturnType<typeof callIds> };

/** Older files have calls without an id: the results follow in the order of the calls, by name. */
export function callIds() {
  const open: { readonly id: string; readonly name: string }[] = [];
  let count = 0;
  return {
    called: (id: string, name: string): string => {
      const own = id === '' ? `call_${++count}` : id;
      open.push({ id: own, name });
      return own;
    },
    answered: (id: string, name: string): string => {
      const at = open.findIndex((call) => (id === '' ? call.name === name : call.id === id));
      return at === -1 ? id : (open.splice(at, 1)[0]?.id ?? id);
    },
  };
}

/** What the program says to the model in the user's name. */
const SET_UP = /^\s*(?:This is the (?:Gemini CLI|Qwen Code)\b|<session_context>|<system-reminder>)/;

export function takeUserParts(parts: unknown, { collector, ids }: PartsContext, isTyped = true): void {
  const texts: string[] = [];
  for (const part of Array.isArray(parts) ? parts : [parts]) {
    const answer = objectAt(part, 'functionResponse');
    if (Object.keys(answer).length === 0) texts.push(textOf(part, collector));
    else {
      const response = objectAt(answer, 'response');
      const said = [response.output, response.error, response.content].find((each) => isString(each));
      collector.result({
        toolUseId: ids.answered(stringAt(answer, 'id'), stringAt(answer, 'name')),
        content: isString(said) ? said : JSON.stringify(response),
        ok: response.error === undefined,
      });
    }
  }
  const text = texts.filter((each) => each !== '').join('\n');
  if (texts.length > 0) (isTyped && !SET_UP.test(text) ? collector.user : collector.notice)(text);
}

export function replyParts(parts: unknown, { collector, ids }: PartsContext): readonly ContentBlock[] {
  return (Array.isArray(parts) ? parts : [parts]).flatMap((part): readonly ContentBlock[] => {
    const call = objectAt(part, 'functionCall');
    const name = stringAt(call, 'name');
    if (Object.keys(call).length > 0) return [callBlock(ids.called(stringAt(call, 'id'), name), name, call.args)];
    const text = textOf(part, collector);
    return text === '' ? [] : [textBlock(text)];
  });
}

function textOf(part: unknown, { leaveOut }: StepCollector): string {
  if (isString(part)) return part;
  const fields = isObject(part) ? part : {};
  if (fields.thought === true || isString(fields.thought)) {
    leaveOut({ en: 'thought', zh: '思考' });
    return '';
  }
  if (isString(fields.text)) return fields.text;
  const type = Object.keys(fields).find((key) => key !== 'thoughtSignature') ?? 'unknown';
  leaveOut({ en: `${type} in a message`, zh: `消息中的 ${type}` });
  return `[${type}]`;
}
