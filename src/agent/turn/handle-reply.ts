import { addStep, newestStep, type Repeats } from '../../context/rules/repeated-steps.ts';
import type { StopReason } from '../../domain/event.ts';
import type { Bilingual, UiLanguage } from '../../domain/language.ts';
import { admitReply } from '../../domain/session/admit-reply.ts';
import { withoutRepeatedCalls } from '../../domain/session/called-tool.ts';
import { isToolUse, type Message, textOf, usageTotal } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type Earlier, memoizeGrowing } from '../../domain/value/memoize.ts';
import { type AgentDeps, modelFacts, warn } from '../deps.ts';
import { hookTexts } from '../hooks/hooks.ts';
import type { Tool } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import { withNoArguments } from './arguments-fault.ts';
import { believedUsage, warnIfTruncated } from './recover.ts';
import { withPlainName } from './run-call.ts';
import { type RunToolsDeps, runTools } from './run-tools.ts';

/** A reply cut off in the middle of a call, or empty, is asked for again this often in one turn. */
const MAX_BROKEN_REPLIES = 3;

export type TurnState = {
  steps: number;
  lastText: string;
  brokenReplies: number;
  repeats: Repeats;
  /** How often a Stop hook has sent the model back to work. */
  continued: number;
  /** By a hook, or by the answer of a call: no Stop hook sends the model back. */
  isEnded: boolean;
  /** What the user said while the turn ran. */
  readonly steered: string[];
};

/**
 * With these a reply ended before it was done: a call in it may look whole and is not. With any other, known or not, what is there is what
 * the model wrote, and a call of which the arguments are no object is answered with what is wrong with them.
 */
const cutReasons: ReadonlySet<string> = new Set([
  ...['max_tokens', 'length', 'max_output_tokens', 'model_length', 'model_context_window_exceeded'],
  ...['refusal', 'content_filter', 'interrupted'],
]);

/** Stores the reply and does what it asks for; says how the turn ends, or undefined when it goes on. */
export async function handleReply(
  rawReply: ModelReply,
  session: Session,
  deps: RunToolsDeps,
  { signal, tools, state }: { readonly signal: AbortSignal; readonly tools: readonly Tool[]; readonly state: TurnState },
): Promise<StopReason | undefined> {
  const reply = storeReply(rawReply, session, deps, tools);
  await session.settled(signal);
  const calls = reply.content.filter(isToolUse);
  const text = textOf(reply.content);
  if (text !== '') state.lastText = text;
  const { stopReason, usage } = reply;
  const prefix = session.prefix.answered(reply);
  session.usage.recordMiss(prefix);
  deps.report.emit({ type: 'reply', text, stopReason, usage, costUsd: costOf(reply, session, deps), ...(prefix && { prefix }) });
  if (calls.length > 0 && !cutReasons.has(reply.stopReason)) {
    const end = await runTools(calls, session, deps, { tools, signal });
    state.repeats = addStep(state.repeats, newestStep(session.context.messages));
    if (end === undefined) return undefined;
    state.isEnded = true;
    if ('why' in end) warn(deps.report.emit, hookTexts.ended(end.why));
    else {
      state.lastText = end.answer;
      deps.report.emit({ type: 'reply', text: end.answer, stopReason: 'end_turn', usage: undefined, costUsd: undefined });
    }
    return 'end_turn';
  }
  if (calls.length > 0) return handleCutCalls(session, deps, state);
  return stopReasonOf(reply, deps);
}

/** Stores what a server sent, and learns from what it counted as far as that can be so. Returns the reply as it is stored. */
export function storeReply(
  rawReply: ModelReply,
  session: Session,
  deps: Pick<AgentDeps, 'model' | 'report'>,
  tools: readonly Tool[],
): ModelReply {
  const reply = admit(rawReply, session, deps, tools);
  session.usage.record('turn', reply.usage, costOf(reply, session, deps));
  const isTruncated = warnIfTruncated(reply, session, deps);
  const usage = believedUsage(reply, session, deps);
  if (reply.content.length > 0) session.append({ type: 'message', message: replyMessage({ ...reply, usage }, session) });
  if (isTruncated) session.estimate.distrustUsage();
  else if (usage !== undefined && usageTotal(usage) > 0 && reply.content.length > 0) session.estimate.calibrate(usageTotal(usage));
  return reply;
}

/** What a server sent, as it may be stored. Some name calls anew in each reply; an id used before would pair with the wrong result. */
function admit(reply: ModelReply, session: Session, { report }: Pick<AgentDeps, 'report'>, tools: readonly Tool[]): ModelReply {
  const named = reply.content.map((block) => withNoArguments(withPlainName(block, tools)));
  const blocks = withoutRepeatedCalls(named, ({ type, id, name, input }) => (type === 'tool_use' ? { id, name, input } : undefined));
  const { content, changes } = admitReply(blocks, callIdsOf(session.context.messages));
  if (changes.length > 0)
    warn(report.emit, {
      en: `The reply held what cannot be sent back to a model: ${changesIn('en', changes).join('; ')}.`,
      zh: `回答中有不能发回给模型的内容：${changesIn('zh', changes).join('；')}。`,
    });
  return { ...reply, content };
}

const changesIn = (language: UiLanguage, changes: readonly Bilingual[]): readonly string[] => [
  ...new Set(changes.map((change) => change[language])),
];

/** The ids of all calls. Of a conversation that only grew, it looks at what was added, and its set is the one that it gave out before. */
const callIdsOf = memoizeGrowing((messages: readonly Message[], earlier: Earlier<Message, Set<string>> | undefined): Set<string> => {
  const onlyGrew = earlier !== undefined && earlier.shared === earlier.list.length;
  const ids = onlyGrew ? earlier.value : new Set<string>();
  for (const { content } of onlyGrew ? messages.slice(earlier.shared) : messages)
    for (const block of content) if (isToolUse(block)) ids.add(block.id);
  return ids;
});

/** A call in a reply that was cut off may look whole and is not: it is never run. */
function handleCutCalls(session: Session, { report }: Pick<AgentDeps, 'report'>, state: TurnState): StopReason | undefined {
  session.closeOpenCalls();
  state.brokenReplies += 1;
  if (state.brokenReplies <= MAX_BROKEN_REPLIES) return undefined;
  warn(report.emit, CUT_CALLS);
  return 'max_tokens';
}

function stopReasonOf(reply: ModelReply, { report }: Pick<AgentDeps, 'report'>): StopReason {
  if (reply.stopReason === 'refusal') return 'refusal';
  if (reply.stopReason === 'max_tokens') {
    warn(report.emit, CUT_REPLY);
    return 'max_tokens';
  }
  if (textOf(reply.content).trim() === '') warn(report.emit, SAID_NOTHING);
  return 'end_turn';
}

const CUT_CALLS: Bilingual = {
  en: 'The reply was cut off in the middle of a tool call again and again; the turn ends here.',
  zh: '回答一再在工具调用中途被截断；本轮到此结束。',
};
const CUT_REPLY: Bilingual = {
  en: 'The reply reached the output limit and is cut off there. Say "go on" to get the rest.',
  zh: '回答达到输出上限，在此截断。说“继续”可得到其余部分。',
};
const SAID_NOTHING: Bilingual = { en: 'The model ended its turn without saying anything.', zh: '模型结束了本轮，没有说任何内容。' };

function replyMessage(reply: ModelReply, session: Session): Message {
  const { content, model, stopReason, usage } = reply;
  return session.message({ role: 'assistant', origin: 'model', content, model, stopReason, ...(usage === undefined ? {} : { usage }) });
}

const costOf = (reply: ModelReply, session: Session, deps: Pick<AgentDeps, 'model'>): number | undefined =>
  reply.usage === undefined ? undefined : modelFacts(session, deps).costUsd(reply.usage);
