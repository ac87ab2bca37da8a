import type { AgentDeps } from '../../agent/deps.ts';
import { noMemoryStore, type RecordedActs, type Snapshots } from '../../agent/ports/disk.ts';
import type { Emit } from '../../agent/ports/effects.ts';
import type { Session } from '../../agent/session/session.ts';
import { narrower } from '../../domain/agent/agent.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { HookEvent } from '../../domain/hook/hook.ts';
import type { HelperStart } from '../../domain/session/record.ts';
import { formatDollars } from '../../terminal/text/format.ts';
import { helperTexts } from './helper-text.ts';

/** Hooks around calls hold for those of helpers too; those of a session and of what the person says have no place in one. */
const CALL_HOOKS: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse', 'Notification']);

/**
 * What a helper works with: model, rules, hooks and the person of the session that it works for. It writes nothing but its record: its
 * compactions take no snapshot, since that record holds what they replace, and nothing of it becomes a memory.
 */
export function helperDeps(
  deps: AgentDeps,
  helper: { readonly id: string; readonly session: Session },
  emit: Emit,
  limits: Pick<HelperStart, 'maxCostUsd' | 'agent'>,
): AgentDeps {
  const { person, model, prompts, disk } = deps;
  const { runHooks } = person;
  const { id, session } = helper;
  return {
    ...deps,
    model: {
      ...model,
      canSummarise: model.canSummarise,
      checkBudget: () => {
        model.checkBudget?.();
        checkCost(session, limits);
      },
    },
    report: { emit },
    person: {
      ...person,
      get mode() {
        return narrower(person.mode, limits.agent?.mode);
      },
      askPermission: (request, signal) => person.askPermission({ ...request, helper: id }, signal),
      confirm: async () => true,
      ...(runHooks !== undefined && {
        runHooks: async (event, payload, signal) => (CALL_HOOKS.has(event) ? runHooks(event, payload, signal) : {}),
      }),
    },
    disk: {
      ...{ snapshots: noSnapshots(session.id), past: () => [], archive: { write: () => '' }, memories: noMemoryStore },
      ...(disk.acts !== undefined && { acts: actsOf(id, disk.acts) }),
    },
    prompts: {
      summary: () => ({ ...prompts.summary(), memories: '' }),
      base: () => session.context,
      ...(prompts.folder !== undefined && { folder: prompts.folder }),
    },
  };
}

/** It acts in the session that it works for, under its own name. */
const actsOf = (helper: string, { begin, ...acts }: RecordedActs): RecordedActs => ({
  begin: ({ id, title, ...act }) => begin({ ...act, id: `${helper}-${id}`, title: `${helper}: ${title}` }),
  ...acts,
});

function checkCost({ usage }: Session, { maxCostUsd }: Pick<HelperStart, 'maxCostUsd'>): void {
  const spent = usage.total.costUsd ?? 0;
  if (maxCostUsd !== null && spent >= maxCostUsd)
    throw new SanbotError('cost_exhausted', helperTexts.outOfBudget(formatDollars(spent), formatDollars(maxCostUsd)));
}

const noSnapshots = (sessionId: string): Snapshots => ({
  write: ({ group, reason, model, tokens, context, bodies }) => ({
    ...{ v: 1, id: '', sessionId, group, at: '', reason, model, tokens, bytes: 0, sha256: '' },
    messages: context.messages.length,
    bodies: bodies.length,
  }),
  read: () => ({ kind: 'missing', nearest: [] }),
  recordOutcome: () => undefined,
});

/** What every helper has, as far as the session has it. */
export const READING_TOOLS: ReadonlySet<string> = new Set([
  ...['read_file', 'list_files', 'search', 'recall', 'fetch_url', 'skill', 'read_output', 'tool_search'],
]);
/** What belongs to the conversation with the person, and what would make helpers of helpers. */
const OWN_TOOLS: ReadonlySet<string> = new Set(['task', 'ask_user', 'todo', 'remember']);
/** What is of no use without another. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = { run_command: ['read_output', 'stop_command'] };

/** What a helper can be given beyond reading, of the tools that a session has. */
export const grantableTools = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !OWN_TOOLS.has(name) && !READING_TOOLS.has(name));

/** The tools of a helper that is given these beyond reading, or only these, in the order of the session's. */
export function helperTools<Named extends { readonly name: string }>(
  all: readonly Named[],
  given: readonly string[],
  base: Iterable<string> = READING_TOOLS,
): readonly Named[] {
  const wanted = new Set([...base, ...given, ...given.flatMap((name) => COMPANIONS[name] ?? [])]);
  return all.filter(({ name }) => wanted.has(name) && !OWN_TOOLS.has(name));
}

/** Lets as many in at once as there are slots. */
export function createSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    /** Resolves, in the order of the calls, when there is room; what it resolves to makes room again. Rejects with AbortedError when aborted. */
    enter: (signal: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(new AbortedError('Interrupted'));
        if (free > 0) {
          free -= 1;
          return resolve(leave);
        }
        const begin = (): void => {
          signal.removeEventListener('abort', give);
          resolve(leave);
        };
        const give = (): void => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(new AbortedError('Interrupted'));
        };
        waiting.push(begin);
        signal.addEventListener('abort', give, { once: true });
      }),
  };
}
