/**
 * Helpers: conversations that the model gives a task to, each with a context of its own. What a helper reads stays with it; its last
 * message is the result of the call that began it.
 *
 * A helper is a session like any other, run by the same turn: its records are a branch of its session's log (`branch-log`), its calls ask
 * under its name, it can begin no other (`helper-deps`), and what it costs is booked where it works (`helper-events`). Bodies are shared.
 *
 * Only a line of a helper enters a checkpoint; one whose process was killed is told at the next opening, and goes on when asked to.
 */

import type { AgentDeps } from '../../agent/deps.ts';
import type { Bodies } from '../../agent/ports/disk.ts';
import type { Helpers, HelperTask, Tool, ToolOutcome } from '../../agent/ports/tools.ts';
import { besideConversation } from '../../agent/request.ts';
import { taskLine } from '../../agent/session/helper-list.ts';
import { Session } from '../../agent/session/session.ts';
import { runTurn } from '../../agent/turn/turn.ts';
import type { AgentFile } from '../../domain/agent/agent.ts';
import { withEffort } from '../../domain/config/effort.ts';
import { AbortedError, errorReason, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, isBilingual } from '../../domain/language.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import { textOf } from '../../domain/session/message.ts';
import { type HelperStart, type HelperWorktree, type LogRecord, RECORD_VERSION } from '../../domain/session/record.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { askableName } from '../models/cost-limit.ts';
import type { Runtime } from '../runtime.ts';
import { agentRecord, agentTools, ownPrompt, smaller, withCallable } from './agent-tools.ts';
import { createSlots, grantableTools, helperDeps, helperTools } from './helper-deps.ts';
import { createBranch, createHelperEvents, readBranch, type Spent } from './helper-events.ts';
import { helperTexts, spentText, spentTextZh, unfinishedText } from './helper-text.ts';
import type { WorktreeRuntime } from './worktree.ts';

/** The session that helpers work for, and what theirs are made of. */
export type HelperOwner = {
  readonly session: Session;
  readonly deps: AgentDeps;
  /** What a session that begins now would be told of its tools. */
  readonly specs: () => readonly ToolSpec[];
  readonly createTools: (helper: Session, id: string) => readonly Tool[];
  readonly runtime: WorktreeRuntime & Pick<Runtime, 'prompt' | 'agents' | 'models' | 'costLimited'>;
};

const MAX_AT_WORK = 4;
const MAX_AT_WORK_ON_ONE_PREFIX = 1; // those that take turns throw out each other's prefix

export function createHelpers(owner: HelperOwner): Helpers {
  const [slots, single] = [createSlots(MAX_AT_WORK), createSlots(MAX_AT_WORK_ON_ONE_PREFIX)];
  return {
    problem: (task) => problemOf(task, owner),
    run: async (task, signal) => {
      const { keepsOnePrefix } = owner.deps.model.facts(owner.session.model);
      const leave = await (keepsOnePrefix ? single : slots).enter(signal);
      try {
        return await work(task, owner, signal);
      } finally {
        leave();
      }
    },
  };
}

function problemOf({ tools, helper: id, agent }: HelperTask, { session, specs, runtime }: HelperOwner): Bilingual | undefined {
  const { agents } = runtime.agents;
  if (agent !== undefined) {
    if (tools.length > 0 || id !== undefined) return helperTexts.hasItsOwn;
    return agents.some(({ name }) => name === agent) ? undefined : helperTexts.noAgent(agent, agents);
  }
  const names = specs().map(({ name }) => name);
  const unknown = tools.find((name) => helperTools([{ name }], tools).length === 0 || !names.includes(name));
  if (unknown !== undefined) return helperTexts.noTool(unknown, grantableTools(names));
  if (id === undefined) return undefined;
  if (tools.length > 0) return helperTexts.keepsTools;
  const helper = session.helpers.all().find((each) => each.id === id);
  if (helper === undefined) return helperTexts.noHelper(id, session.helpers.all());
  return helper.end === undefined && session.aliveHelpers.has(id) ? helperTexts.isAtWork(id) : undefined;
}

/** What a helper begins with: new, or as it stood when it ended. */
type Beginning = { readonly id: string; readonly start: HelperStart; readonly records: readonly LogRecord[]; readonly before: Spent };

async function work(task: HelperTask, owner: HelperOwner, signal: AbortSignal): Promise<ToolOutcome> {
  const { session, deps } = owner;
  const worktree = await worktreeFor(task.agent, owner);
  // From here on nothing is waited for until the record has the beginning: two that begin at once have two names.
  const beginning = isBilingual(worktree)
    ? worktree
    : task.helper === undefined
      ? newHelper(task, owner, worktree)
      : earlierHelper(task.helper, task, owner);
  if (isBilingual(beginning)) return { ok: false, content: beginning.en, shown: beginning, note: { en: 'not begun', zh: '未开始' } };
  const { id, start } = beginning;
  const startedAt = deps.clock.now().getTime();
  const { helper, branch } = openHelper(beginning, owner);
  session.aliveHelpers.add(id);
  if (task.helper === undefined) branch.append(start);
  else if (start.agent === undefined) helper.switchModel(besideConversation(session.model, deps), session.endpoint);
  const { emit } = deps.report;
  emit({ type: 'helper_started', helper: id, task: taskLine(task.task), continued: task.helper !== undefined });
  const events = createHelperEvents(id, session, emit);
  const said = await runHelper(task, { id, start, helper, branch, events }, owner, signal);
  const place = start.agent?.worktree;
  const outcome = place === undefined ? said : await (await import('./worktree.ts')).endWorktree(said, place, owner.runtime);
  const ms = Math.max(0, deps.clock.now().getTime() - startedAt);
  const { steps, costUsd } = branch.spent();
  emit({ type: 'helper_ended', helper: id, stopReason: events.stopReason(), steps, totalUsd: costUsd ?? undefined, ms });
  if (signal.aborted) throw new AbortedError('Interrupted');
  return outcome;
}

type RunningHelper = {
  readonly id: string;
  readonly start: HelperStart;
  readonly helper: Session;
  readonly branch: ReturnType<typeof createBranch>;
  readonly events: ReturnType<typeof createHelperEvents>;
};

/** One turn of the helper. However it ends, its end is in the log, as far as the disk takes it. */
async function runHelper(
  { task }: HelperTask,
  { id, start, helper, branch, events }: RunningHelper,
  { session, deps, createTools }: HelperOwner,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const names = new Set(start.context.tools.map(({ name }) => name));
  const tools = createTools(helper, id)
    .filter(({ name }) => names.has(name))
    .map((tool) => withCallable(tool, start.agent?.mcp));
  let text = '';
  let why: Bilingual | undefined;
  try {
    const result = await runTurn(task, helper, helperDeps(deps, { id, session: helper }, events.emit, start), {
      ...{ maxSteps: start.maxSteps, signal, tools },
    });
    text = result.text;
  } catch (error) {
    if (!(error instanceof SanbotError)) throw error;
    if (events.stopReason() === 'failed' || events.stopReason() === 'max_cost') why = errorReason(error);
    text = lastText(helper);
  } finally {
    // A disk that takes nothing has said so already.
    orUndefined(() => branch.append({ type: 'end', how: events.stopReason() }));
    helper.close();
  }
  const how = events.stopReason();
  const spent = branch.spent();
  const note = { en: `${id}, ${spentText(spent)}`, zh: `${id}，${spentTextZh(spent)}` };
  if (how === 'end_turn' && text.trim() !== '') return { ok: true, content: text, note };
  const last = session.helpers.all().find((each) => each.id === id)?.last ?? '';
  const unfinished = {
    id,
    how,
    why: why ?? (how === 'end_turn' ? { en: 'it said nothing', zh: '它什么也没说' } : undefined),
    said: text.trim(),
  };
  const shown = unfinishedText({ ...unfinished, reference: `${session.id}:${last}` });
  return { ok: false, content: shown.en, shown, note };
}

/** What it said last before it was stopped. */
function lastText({ context }: Session): string {
  const replies = context.messages.filter(({ origin }) => origin === 'model');
  return replies.map(({ content }) => textOf(content)).findLast((text) => text.trim() !== '') ?? '';
}

function newHelper(
  { task, tools, maxSteps, agent: name }: HelperTask,
  owner: HelperOwner,
  worktree: HelperWorktree | undefined,
): Beginning {
  const { session, deps, specs, runtime } = owner;
  const agent = runtime.agents.agents.find((each) => each.name === name);
  const { model, endpoint } = modelOf(agent, owner);
  const start: HelperStart = {
    type: 'start',
    task,
    at: deps.clock.now().toISOString(),
    model,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...limitsFor(smaller(maxSteps, agent?.maxSteps), deps),
    ...(agent !== undefined && { agent: { ...agentRecord(agent), ...(worktree && { worktree }) } }),
    context: {
      system: [session.context.system, runtime.prompt('helper').trim(), ...ownPrompt(agent, worktree)].join('\n\n'),
      shortTermSummary: '',
      tools: agent === undefined ? helperTools(specs(), tools) : agentTools(specs(), agent),
      messages: [],
      anchorFloor: 0,
    },
  };
  return { id: session.helpers.nextId(), start, records: [], before: { steps: 0, costUsd: 0 } };
}

/** The git worktree of an agent that works in one; a text says why that is not to be had. */
async function worktreeFor(
  name: string | undefined,
  { session, deps, runtime }: HelperOwner,
): Promise<HelperWorktree | Bilingual | undefined> {
  if (runtime.agents.agents.find((each) => each.name === name)?.worktree !== true) return undefined;
  return (await import('./worktree.ts')).beginWorktree(`${session.id}-${deps.clock.newId().slice(0, 8)}`, runtime);
}

/** As the agent's file says, else as for every helper. */
function modelOf(agent: AgentFile | undefined, { session, deps, runtime }: HelperOwner) {
  const own = agent?.model;
  const model = own === undefined ? besideConversation(session.model, deps) : askableName(deps.model, runtime)(own);
  const endpoint = own === undefined ? session.endpoint : deps.model.endpointOf?.(model);
  return { model: agent?.effort === undefined ? model : withEffort(model, agent.effort), endpoint };
}

/** Limits are counted anew. */
function earlierHelper(id: string, { maxSteps }: HelperTask, { session, deps }: HelperOwner): Beginning | Bilingual {
  const known = session.helpers.all().find((each) => each.id === id);
  const branch = readBranch(deps.disk.past(session.id), id);
  if (known === undefined || branch === undefined) return helperTexts.noRecord(id);
  return { id, start: { ...branch.start, ...limitsFor(maxSteps, deps) }, records: branch.records, before: known };
}

function limitsFor(maxSteps: number | undefined, { config }: Pick<AgentDeps, 'config'>) {
  const { helperMaxSteps, helperMaxCostUsd } = config.agent;
  return { maxSteps: Math.min(helperMaxSteps, maxSteps ?? helperMaxSteps), maxCostUsd: helperMaxCostUsd };
}

function openHelper({ id, start, records, before }: Beginning, { session, deps }: HelperOwner) {
  let helper: Session | undefined;
  const branch = createBranch(session, id, { before, costUsd: () => (helper === undefined ? 0 : helper.usage.total.costUsd) });
  const { model, endpoint, context } = start;
  const header = {
    ...({
      type: 'header',
      v: RECORD_VERSION,
      sessionId: session.id,
      group: session.group,
      cwd: start.agent?.worktree?.cwd ?? session.cwd,
      model,
      context,
    } as const),
    ...(endpoint === undefined ? {} : { endpoint }),
  };
  const { clock, measure } = deps;
  helper = new Session({ log: branch.log, header, records, warnings: [] }, sharedBodies(session.bodies), {
    ...{ now: clock.now, newId: clock.newId, measure, consent: session.consent },
  });
  return { helper, branch };
}

/** What leaves the context of a helper may stand in that of the session. */
const sharedBodies = (bodies: Bodies): Bodies => ({ ...bodies, retire: () => ({ retired: 0, failed: [] }) });
