import { stoppedMidway, stoppedResults } from '../../context/history/pairing.ts';
import { AbortedError, errorReason } from '../../domain/errors.ts';
import { type Bilingual, because, sameInBoth } from '../../domain/language.ts';
import { callMarks } from '../../domain/session/called-tool.ts';
import { type ContentBlock, isToolUse, type ToolUseBlock } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { redact } from '../../domain/value/redact.ts';
import { type AgentDeps, workMs } from '../deps.ts';
import { askToolHooks, type HookedCall, tellToolHooks } from '../hooks/tool-hooks.ts';
import type { Tool, ToolOutcome, ToolPlan } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import { argumentsFault } from './arguments-fault.ts';
import { permissionRefusal } from './ask-permission.ts';
import { recordChanges } from './record-changes.ts';

export type PlannedCall = { readonly call: ToolUseBlock; readonly plan: ToolPlan; readonly tool: Tool | undefined };

/** What the session keeps of a call that was made. */
export type StoredOutcome = ToolOutcome & {
  readonly denied: boolean;
  readonly ms: number;
  /** What hooks said of the call, beside its result. */
  readonly remarks?: readonly string[];
  /** The input that ran, where a hook changed it. */
  readonly ranInput?: unknown;
  /** The user's words with which the call was refused. */
  readonly said?: string;
};

export type CallOutcome = StoredOutcome & {
  /** What ran or would have run. */
  readonly plan: ToolPlan;
  /** Why a hook ended the turn. */
  readonly ends?: string;
};

/** The calls that may run side by side: as many reads as come first, or else a single call. */
export async function nextGroup(
  calls: readonly ToolUseBlock[],
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<readonly PlannedCall[]> {
  const group: PlannedCall[] = [];
  for (const call of calls) {
    const planned = await planCall(call, tools, signal);
    const isRead = planned.plan.kind === 'invalid' || planned.plan.access === 'read';
    if (!isRead && group.length > 0) break;
    group.push(planned);
    if (!isRead) break;
  }
  return group;
}

async function planCall(call: ToolUseBlock, tools: readonly Tool[], signal: AbortSignal): Promise<PlannedCall> {
  const tool = findTool(call.name, tools);
  if (tool !== undefined) return { call, plan: argumentsFault(call) ?? (await tool.plan(call.input, signal)), tool };
  const names = tools.map((candidate) => candidate.name).join(', ');
  return {
    ...{ call, tool },
    plan: {
      kind: 'invalid',
      message: `There is no tool named ${JSON.stringify(call.name)}. The tools are: ${names}.`,
      shown: {
        en: `There is no tool named ${JSON.stringify(call.name)}. The tools are: ${names}.`,
        zh: `没有名为 ${JSON.stringify(call.name)} 的工具。现有工具：${names}。`,
      },
    },
  };
}

type RunDeps = Pick<AgentDeps, 'config' | 'clock' | 'report' | 'person' | 'disk'>;

/** Nothing begins once a hook or an answer has ended the turn. */
type Stop = { readonly signal: AbortSignal; readonly hasEnded: boolean };

/** Runs one call, if hooks, rules and the person let it. Never rejects: whatever becomes of it is its outcome. */
export async function runCall(planned: PlannedCall, session: Session, deps: RunDeps, stop: Stop): Promise<CallOutcome> {
  const { call, plan, tool } = planned;
  const { clock, report } = deps;
  let startedAt = workMs(clock);
  let hasStarted = false;
  let hooked: HookedCall | undefined;
  const start = (title: string): void => {
    if (!hasStarted) report.emit({ type: 'tool_started', toolUseId: call.id, tool: call.name, title });
    hasStarted = true;
    startedAt = workMs(clock);
  };
  const finish = (outcome: ToolOutcome & Pick<StoredOutcome, 'said'>, denied = false): CallOutcome => ({
    ...outcome,
    ...{ denied, plan: hooked?.plan ?? plan, remarks: hooked?.remarks ?? [] },
    ...(hooked?.isChanged === true && { ranInput: hooked.input }),
    ...(hooked?.ends !== undefined && { ends: hooked.ends }),
    ms: Math.max(0, workMs(clock) - startedAt),
  });
  if (plan.kind === 'invalid' || tool === undefined) {
    const problem = problemOf(call, plan.kind === 'invalid' ? plan.shown : sameInBoth(''));
    start(masked({ ok: false, content: problem.title, note: problem.note }, deps).content);
    return finish({ ok: false, content: problem.message.en, shown: problem.message, note: problem.note });
  }
  let isRunning = false;
  try {
    if (stop.signal.aborted) throw new AbortedError();
    if (stop.hasEnded) return notBegun();
    hooked = await askToolHooks(call, { plan, tool }, deps, stop.signal);
    let isAllowed = false;
    const onYes = (): void => {
      isAllowed = true;
    };
    const asked = { ...hooked, onYes, toolUseId: call.id };
    const refusal = hooked.refusal ?? (await permissionRefusal(call.name, asked, session, deps, stop.signal));
    start(hooked.isChanged ? `${hooked.plan.title} ${callMarks.changed.en}` : hooked.plan.title);
    if (refusal !== undefined) return finish({ ok: false, ...refusal }, true);
    isRunning = true;
    const { plan: ready } = hooked;
    const { signal } = stop;
    const act = { id: call.id, title: ready.title, plan: ready, isAllowed, input: hooked.input, session, signal };
    const outcome = await recordChanges(act, deps, () =>
      ready.run(stop.signal, (text) => report.emit({ type: 'tool_progress', tool: call.name, text })),
    );
    hooked = withRemarks(hooked, await tellToolHooks(call, hooked, masked(outcome, deps), deps, stop.signal).catch(unlessAborted));
    return finish(outcome);
  } catch (error) {
    if (error instanceof AbortedError && !isRunning) return notBegun();
    if (error instanceof AbortedError) return stopped(stoppedMidway(error.printed), { en: 'interrupted', zh: '已中断' });
    const shown = because({ en: 'The tool failed', zh: '工具失败' }, errorReason(error));
    return finish({ ok: false, content: shown.en, shown, note: { en: 'failed', zh: '失败' } });
  }
  function notBegun(): CallOutcome {
    start(hooked?.plan.title ?? (plan.kind === 'ready' ? plan.title : call.name));
    return stopped(stoppedResults.before, { en: 'not run', zh: '未运行' });
  }
  /** These texts are known by heart: nothing may stand beside them. */
  function stopped(content: string, note: Bilingual): CallOutcome {
    return { ...finish({ ok: false, content, note }), remarks: [] };
  }
}

const MAX_PATH_CHARS = 200;
const MAX_NOTE_CHARS = 80;

/** What a person is shown of a call that cannot be made: the tool, the file that it names, and why, where that is short. */
function problemOf({ name, input }: ToolUseBlock, message: Bilingual) {
  const path = isObject(input) && isString(input.path) ? input.path.slice(0, MAX_PATH_CHARS).toWellFormed() : '';
  const why = { en: withoutStarts(message.en, [`${name}: `, `${path}: `]), zh: withoutStarts(message.zh, [`${name}：`, `${path}：`]) };
  const isShort = why.en !== '' && why.en.length <= MAX_NOTE_CHARS && !why.en.includes('\n');
  return {
    message,
    title: path === '' ? name : `${name} ${path}`,
    note: isShort ? why : { en: 'invalid call', zh: '无效调用' },
  };
}

const withoutStarts = (text: string, starts: readonly string[]): string =>
  starts.reduce((rest, start) => (rest.startsWith(start) ? rest.slice(start.length) : rest), text);

/** What hooks are told of a result is what the model is told of it. */
const masked = (outcome: ToolOutcome, { config }: RunDeps): ToolOutcome =>
  config.agent.redactSecrets ? { ...outcome, content: redact(outcome.content) } : outcome;

/** Stopped while hooks looked at it, a call has run all the same. */
function unlessAborted(error: unknown): Pick<HookedCall, 'remarks'> {
  if (error instanceof AbortedError) return { remarks: [] };
  throw error;
}

const withRemarks = (hooked: HookedCall, { remarks, ends }: Pick<HookedCall, 'remarks' | 'ends'>): HookedCall => {
  const endsTurn = hooked.ends ?? ends;
  return { ...hooked, remarks: [...hooked.remarks, ...remarks], ...(endsTurn !== undefined && { ends: endsTurn }) };
};

/** The tool of this very name, in the list or called through one that is. */
export const findTool = (name: string, tools: readonly Tool[]): Tool | undefined =>
  tools.find((tool) => tool.name === name) ?? tools.map(({ find }) => find?.(name)).find((found) => found !== undefined);

/**
 * Some models and servers dress up the names of tools: with the namespace that a template puts them in, in another case, with a mark of
 * their format behind them. Returns a call of the tool that is meant, where only one fits; else the same block.
 */
export function withPlainName(block: ContentBlock, tools: readonly Tool[]): ContentBlock {
  if (!isToolUse(block) || typeof block.name !== 'string' || findTool(block.name, tools) !== undefined) return block;
  const names = plainNames(block.name);
  const exact = names.find((name) => findTool(name, tools) !== undefined);
  if (exact !== undefined) return { ...block, name: exact };
  const folded = new Set(names.map(fold));
  const [only, ...others] = tools.filter(({ name }) => folded.has(fold(name)));
  return only === undefined || others.length > 0 ? block : { ...block, name: only.name };
}

const MAX_NAME_CHARS = 300;
const NAMESPACE = /^(?:functions?|tools?|default_api|multi_tool_use|namespace|api)(?:[.:/]+|_+)/i;

/** What is left of a name without its dressing, the most of it first. */
function plainNames(name: string): readonly string[] {
  const whole = name.slice(0, MAX_NAME_CHARS);
  const [bare = ''] = [/\bto=([\w.-]+)/.exec(whole)?.[1] ?? whole.split('<|')[0]];
  // Some have the number of the call behind it.
  const trimmed = bare.replace(/:\d+$/, '').replace(/^\W+|[^\w-]+$/g, '');
  return [trimmed, trimmed.replace(NAMESPACE, ''), trimmed.split(/[.:/=]/).at(-1) ?? ''].filter((each) => each !== '');
}

const fold = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
