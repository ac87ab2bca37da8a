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
import { type Fields, isObject, isString } from '../../../domain/value/json.ts';
import { linesInTree } from './branch.ts';
import {
  arrayAt,
  callBlock,
  leaveOutMessage,
  objectAt,
  objectLines,
  objectsIn,
  REWOUND,
  type Recording,
  SIDE_CONVERSATION,
  stringAt,
  textBlock,
  UNKNOWN,
} from './recorded-content.ts';

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

/** Older files have calls without an id: the results follow in the order of the calls, by name, before the next reply. */
export function callIds() {
  let open: { readonly id: string; readonly name: string }[] = [];
  let count = 0;
  let isOver = false;
  return {
    heard: (): void => {
      isOver = true;
    },
    called: (id: string, name: string): string => {
      const own = id === '' ? `call_${++count}` : id;
      if (isOver && id === '') open = [];
      isOver = false;
      open.push({ id: own, name });
      return own;
    },
    answered: (id: string, name: string): string => {
      const at = open.findIndex((call) => (id === '' ? call.name === name : call.id === id));
      return at === -1 ? id : (open.splice(at, 1)[0]?.id ?? id);
    },
  };
}

const SET_UP = /^\s*(?:This is the (?:Gemini CLI|Qwen Code)\b|<session_context>|<system-reminder>)/;

export function takeUserParts(parts: unknown, { collector, ids }: PartsContext, isTyped = true): void {
  const texts: string[] = [];
  ids.heard();
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

/**
 * The session log of Qwen Code, one JSON object a line, in a tree (`uuid`, `parentUuid`).
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `user` | what the user typed, also while a tool ran; a notice where the program sets up its context, for a hook, a job or a timer |
 * | `assistant` | a reply; `functionCall` as calls |
 * | `tool_result` | the results of calls |
 * | lines of branches that do not end with the last line | left out, counted |
 * | `isSidechain`: what a helper said, but in a file of its own | left out, counted |
 * | lines of one `uuid` | one message with the parts of all; what was written twice is left out, counted |
 * | thoughts, `system` (commands, compressions, going back, figures) | left out, counted |
 */

export const isQwenLine = (entry: Fields): boolean => 'uuid' in entry && isObject(entry.message) && Array.isArray(entry.message.parts);

export function readQwenCode(recording: Recording, collector: StepCollector): void {
  const isHelpers = (entry: Fields): boolean => entry.isSidechain === true;
  const hasMain = [...objectLines(recording)].some((entry) => isQwenLine(entry) && !isHelpers(entry));
  const isSide = (entry: Fields): boolean => hasMain && isHelpers(entry);
  const { left, inOrder } = linesInTree(objectLines(recording), {
    isMain: (entry) => !(isSide(entry) || (entry.type === 'system' && BESIDE.test(stringAt(entry, 'subtype')))),
    begins: () => true,
    isLeaf: () => true,
    isAside: () => false,
  });
  const context = { collector, ids: callIds() };
  for (const entry of inOrder(objectLines(recording, collector, withAllParts))) {
    if ('message' in entry && left.has(stringAt(entry, 'uuid'))) collector.leaveOut(REWOUND);
    else if ('message' in entry && isSide(entry)) collector.leaveOut(SIDE_CONVERSATION);
    else takeEntry(entry, context);
  }
}

/** What the program keeps beside the conversation in the same file, and does not follow. */
const BESIDE = /^(?:session_artifact_|session_sources_snapshot$|managed_session_)/;

/** The program reads what it wrote under one id in several lines as one message. */
const withAllParts = (first: Fields, later: readonly Fields[]): Fields => {
  const parts = [first, ...later].flatMap(({ message }) => arrayAt(message, 'parts'));
  return isObject(first.message) ? { ...first, message: { ...first.message, parts } } : first;
};

function takeEntry(entry: Fields, context: PartsContext): void {
  const { collector } = context;
  const type = stringAt(entry, 'type');
  const { parts } = objectAt(entry, 'message');
  collector.cwd(stringAt(entry, 'cwd'));
  if (parts === undefined) collector.leaveOut([type, stringAt(entry, 'subtype')].join(' ').trim() || UNKNOWN);
  else if (type === 'assistant') collector.reply(replyParts(parts, context), stringAt(entry, 'uuid'));
  else if (type === 'user') takeUser(arrayAt(entry.message, 'parts'), stringAt(entry, 'subtype'), context);
  else if (type === 'tool_result') takeUserParts(parts, context, false);
  else collector.leaveOut(type || UNKNOWN);
}

/** Before what was typed while a tool ran. */
const MEANWHILE = /^\s*\[User message received during tool execution\]: ?/;
/** What a hook of the user adds to a prompt, as its last part. */
const ADDED = /^\s*<qwen:user-prompt-submit-context>\n/;

function takeUser(parts: readonly unknown[], subtype: string, context: PartsContext): void {
  const isMeanwhile = subtype === 'mid_turn_user_message';
  const added = parts
    .slice(1)
    .slice(-1)
    .filter((part) => ADDED.test(stringAt(part, 'text')));
  const said = parts.slice(0, parts.length - added.length).map((part) => {
    const text = stringAt(part, 'text');
    return isMeanwhile && MEANWHILE.test(text) ? { text: text.replace(MEANWHILE, '') } : part;
  });
  takeUserParts(said, context, isMeanwhile || subtype === '');
  if (added.length > 0) takeUserParts(added, context, false);
}
