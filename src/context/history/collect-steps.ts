import { type Bilingual, localize } from '../../domain/language.ts';
import { admitInput } from '../../domain/session/admit-reply.ts';
import {
  type ContentBlock,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ReadBody,
  resultText,
  stubOf,
  type ToolUseBlock,
  textOf,
} from '../../domain/session/message.ts';
import type { Format, RecordedResult, Step, Transcript } from '../../domain/session/transcript.ts';
import { isString } from '../../domain/value/json.ts';

export type StepCollector = Readonly<ReturnType<typeof collectSteps>>;

const MAX_DAMAGE_NOTES = 20;
const MAX_ID_CHARS = 100;
export const EMPTY: Bilingual = { en: 'empty message', zh: '空消息' };
export const REWOUND: Bilingual = { en: 'rewound', zh: '已回退' };
const WITHOUT_CALL: Bilingual = { en: 'result without its call', zh: '没有对应调用的结果' };
const NO_RESULT = '(no result of this call was recorded)';

type OpenReply = {
  readonly at?: string;
  readonly replyId: string;
  readonly content: ContentBlock[];
  readonly results: Map<string, RecordedResult>;
};
type OpenStep = { readonly at?: string; readonly type: 'user' | 'notice'; readonly text: string } | OpenReply;

export function collectSteps() {
  const openSteps: OpenStep[] = [];
  const byCall = new Map<string, OpenReply>();
  /** Results that came before their calls. */
  const early = new Map<string, RecordedResult>();
  const leftOut = new Map<string, number>();
  const damage: string[] = [];
  let system: string | undefined;
  let cwd: string | undefined;
  let time = timeIn('');
  const leaveOut = (what: Bilingual | string): void => countOne(leftOut, isString(what) ? what : localize(what));
  const addText = (type: 'user' | 'notice', text: string): void => {
    if (text.trim() === '') leaveOut(EMPTY);
    else openSteps.push({ ...time, type, text });
  };
  const addReply = (content: readonly ContentBlock[], replyId: string): void => {
    const last = openSteps.findLast((step) => 'replyId' in step);
    const target = last?.replyId === replyId ? last : { ...time, replyId, content: [], results: new Map<string, RecordedResult>() };
    for (const block of content) addBlock(block, target.content, leaveOut);
    if (target.content.length === 0) return;
    if (target !== last) openSteps.push(target);
    linkCalls(content, target, { byCall, early });
  };
  return {
    user: (text: string): void => addText('user', text),
    notice: (text: string): void => addText('notice', text),
    system: (text: string): void => {
      system = system === undefined ? text : `${system}\n\n${text}`;
    },
    /** That of the entries that follow; what is no time in ISO 8601 says nothing. */
    time: (text: string): void => {
      time = timeIn(text);
    },
    cwd: (path: string): void => {
      cwd ??= path === '' ? undefined : path;
    },
    /** Blocks of one reply may come in several entries: those with the same `replyId` are joined, even with results between them. */
    reply: addReply,
    result: (result: RecordedResult): void => {
      const reply = byCall.get(result.toolUseId);
      if (reply === undefined && !early.has(result.toolUseId)) early.set(result.toolUseId, result);
      else if (reply === undefined) leaveOut(WITHOUT_CALL);
      else if (reply.results.has(result.toolUseId)) leaveOut({ en: 'second result of a call', zh: '同一调用的第二个结果' });
      else reply.results.set(result.toolUseId, result);
    },
    mark: (): number => openSteps.length,
    /** Takes away what came behind a mark, and counts it: the program went back to there. */
    rewind: (mark: number): void => takeAway(openSteps.splice(mark), byCall, leaveOut),
    leaveOut,
    damage: (what: Bilingual): void => {
      if (damage.length < MAX_DAMAGE_NOTES) damage.push(localize(what));
      else leaveOut({ en: 'more damage', zh: '更多损坏' });
    },
    finish: (format: Format, part = ''): Transcript => {
      for (const _ of early) leaveOut(WITHOUT_CALL);
      const steps = joinReplies(withUniqueIds(openSteps.map((step) => closeStep(step, leaveOut))));
      return { format, part, system, cwd, steps, damaged: damage, leftOut: [...leftOut].map(([kind, count]) => ({ kind, count })) };
    },
  };
}

type Links = { readonly byCall: Map<string, OpenReply>; readonly early: Map<string, RecordedResult> };

function linkCalls(content: readonly ContentBlock[], reply: OpenReply, { byCall, early }: Links): void {
  for (const { id } of content.filter(isToolUse)) {
    byCall.set(id, reply);
    const result = early.get(id);
    if (result !== undefined && early.delete(id)) reply.results.set(id, result);
  }
}

function takeAway(steps: readonly OpenStep[], byCall: Map<string, OpenReply>, leaveOut: (kind: Bilingual) => void): void {
  for (const step of steps) {
    for (let n = 0; n <= ('replyId' in step ? step.results.size : 0); n++) leaveOut(REWOUND);
    for (const [id, reply] of byCall) if (reply === step) byCall.delete(id);
  }
}

function addBlock(block: ContentBlock, content: ContentBlock[], leaveOut: (kind: Bilingual) => void): void {
  if (isText(block) && block.text.trim() === '') leaveOut({ en: 'empty text', zh: '空文本' });
  else if (isToolUse(block) && content.some((existing) => isToolUse(existing) && existing.id === block.id))
    leaveOut({ en: 'repeated call', zh: '重复的调用' });
  else content.push(isToolUse(block) ? admitCall(block, leaveOut) : block);
}

function admitCall(call: ToolUseBlock, leaveOut: (kind: Bilingual) => void): ToolUseBlock {
  const input = admitInput(call.input);
  if (input === call.input) return call;
  leaveOut({ en: 'arguments that cannot be sent', zh: '无法发送的参数' });
  return { ...call, input };
}

const countOne = (counts: Map<string, number>, kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);

function timeIn(text: string): { readonly at?: string } {
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? {} : { at: new Date(at).toISOString() };
}

function closeStep(step: OpenStep, leaveOut: (kind: Bilingual) => void): Step {
  if (!('replyId' in step)) return step;
  const results = step.content.filter(isToolUse).map((call): RecordedResult => {
    const result = step.results.get(call.id);
    if (result === undefined) leaveOut({ en: 'call without a result', zh: '没有结果的调用' });
    return result ?? { toolUseId: call.id, content: NO_RESULT, ok: false };
  });
  return { ...(step.at === undefined ? {} : { at: step.at }), type: 'reply', content: step.content, results };
}

/** Some programs reuse call ids in each reply. Within a conversation an id must be unique, and one that the API accepts. */
function withUniqueIds(steps: readonly Step[]): readonly Step[] {
  const used = new Set<string>();
  return steps.map((step) => {
    if (step.type !== 'reply') return step;
    const names = new Map<string, string>();
    for (const call of step.content.filter(isToolUse)) {
      const plain = call.id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_ID_CHARS) || 'call';
      let id = plain;
      for (let n = 2; used.has(id); n++) id = `${plain}_${n}`;
      used.add(id);
      names.set(call.id, id);
    }
    if ([...names].every(([from, to]) => from === to)) return step;
    return {
      ...step,
      content: step.content.map((block) => (isToolUse(block) ? { ...block, id: names.get(block.id) ?? block.id } : block)),
      results: step.results.map((result) => ({ ...result, toolUseId: names.get(result.toolUseId) ?? result.toolUseId })),
    };
  });
}

/** A reply without calls ends the model's turn, so a reply directly after it belongs to the same answer and is joined with it. */
function joinReplies(steps: readonly Step[]): readonly Step[] {
  const merged: Step[] = steps[0]?.type === 'reply' ? [{ type: 'notice', text: '(The recording begins here.)' }] : [];
  for (const step of steps) {
    const last = merged.at(-1);
    if (step.type === 'reply' && last?.type === 'reply' && last.results.length === 0)
      merged[merged.length - 1] = { ...last, content: [...last.content, ...step.content], results: step.results };
    else merged.push(step);
  }
  return merged;
}

/** Adds a message of a session of SanBot. When `bodyOf` does not have a body, the stub is used instead, and counted. */
export function takeMessage(message: Message, collector: StepCollector, bodyOf: ReadBody): void {
  collector.time(message.at);
  if (message.role === 'assistant') {
    collector.reply(message.content, message.id);
    return;
  }
  for (const result of message.content.filter(isToolResult)) {
    const stub = stubOf(message, result);
    const body = stub === undefined ? undefined : bodyOf(stub.body);
    if (stub !== undefined && body === undefined)
      collector.leaveOut({ en: 'body that the log has only the stub of', zh: '日志中只有占位文本的正文' });
    const said = message.refusals?.find(({ toolUseId }) => toolUseId === result.tool_use_id)?.said;
    collector.result({
      toolUseId: result.tool_use_id,
      content: body ?? resultText(result),
      ok: result.is_error !== true,
      ...(said === undefined ? {} : { said }),
    });
  }
  const text = textOf(message.content);
  if (message.origin === 'user') collector.user(text);
  else if (message.origin === 'notice') collector.notice(text);
  else if (message.origin === 'summary') collector.leaveOut({ en: 'summary', zh: '摘要' });
}
