import { realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CommandPlan, ToolOutcome } from '../../agent/ports/tools.ts';
import type { PermissionRule } from '../../domain/config/permission-rule.ts';
import { type SandboxNeeds, sandboxNeeds } from '../../domain/config/sandbox-mode.ts';
import { type Bilingual, because, isBilingual, localize, sameInBoth } from '../../domain/language.ts';
import type { ParsedCommand } from '../../domain/permission.ts';
import { callMarks } from '../../domain/session/called-tool.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { changeReasonOf } from '../place/place.ts';
import { type HiddenPaths, hiddenPaths } from '../place/ruled-paths.ts';
import { visibleCommand, visibleLine, visibleText } from '../place/visible.ts';
import { defineTool, failure } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { commandFault } from './command-fault.ts';
import { shellLanguage } from './find-shell.ts';
import { isLive } from './jobs/job-state.ts';
import { jobStatusText, shellNotStarted, startedText } from './jobs/jobs-text.ts';
import { waitForCommand } from './jobs/wait-for-command.ts';
import { commandOutcome, NOT_STARTED } from './output/command-outcome.ts';
import { parseShell } from './parse-command.ts';
import type { CommandLimits } from './processes/limits.ts';
import { cautionOf, neededBy } from './sandbox/needs.ts';
import type { SandboxRun } from './sandbox/sandbox.ts';
import type { SandboxOptions, SandboxPlace } from './sandbox/sandbox-place.ts';
import { isFull, roomIn } from './sandbox/temporary/session-temporary.ts';
import { commandView, freeToRead } from './sandbox/view.ts';
import { scriptDigests } from './scripts/script-digests.ts';
import { scrubEnv } from './scrub-env.ts';
import { runShell } from './shell.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;

const inputSchema = z.strictObject({
  command: z.string().min(1),
  needs: z.enum(sandboxNeeds).optional().describe('What it needs beyond the sandbox; the user is asked.'),
  timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe('When to stop it.'),
  background: z.boolean().default(false).describe('Returns at once, and it goes on.'),
  keep: z.boolean().default(false).describe('With background: it outlives the session.'),
});

/** Runs a command in the working folder. It gets no input and no credentials, and nothing of it outlives a timeout or an abort. */
export const runCommandTool = defineTool(
  'run_command',
  inputSchema,
  async ({ command, needs, timeout_ms: timeoutMs, background, keep }, context: ToolContext) => {
    const fault = await commandFault({ command, background, keep }, context.shell);
    if (fault !== undefined) return fault;
    const cwd = await realpath(context.cwd).catch(() => undefined);
    const sandbox = await context.sandbox();
    const parsed = await parsedWithFiles(command, context);
    const needed = sandbox && neededBy(parsed, needs, cwd ?? context.cwd);
    const viewed = sandbox === undefined || needed !== undefined || background ? undefined : await commandView(parsed, context);
    const options = { ...optionsOf(needed), isView: viewed !== undefined };
    // Where no sandbox can be made it runs outside, once a person has said so.
    const hidden = (): HiddenPaths => (sandbox === undefined ? { paths: [] } : hiddenFrom(context, command, parsed));
    const isFree = sandbox === undefined || needed === 'everything';
    const problem = isFree ? undefined : (hidden().problem ?? sandbox.problem(placeOf(context), options));
    const planned = await planCommand(
      { text: command, parsed },
      context,
      sandbox && { needs: problem === undefined ? needed : 'everything' },
    );
    const plan = { ...planned, ...(viewed !== undefined && planned.isHeld && { viewed: viewed.paths }) };
    return {
      kind: 'ready',
      access: 'run',
      path: undefined,
      place: 'none',
      title: `run_command ${background ? `${callMarks.background.en} ` : ''}${visibleLine(command.trim(), 200)}`,
      preview: `${visibleCommand(command)}${background ? `\n${localize(keep ? KEPT_PREVIEW : BACKGROUND_PREVIEW)}` : ''}`,
      command: plan,
      ...(plan.needs === undefined
        ? {}
        : { caution: { why: cautionOf(plan.needs, { cwd: cwd ?? context.cwd, problem }), eachTime: false } }),
      ...(cwd === undefined ? {} : { cwd }),
      run: async (signal) => {
        if ((await stat(context.cwd).catch(() => undefined))?.isDirectory() !== true) return failure(noFolder(context.cwd), NO_FOLDER);
        const temporary = sandbox === undefined || plan.needs === 'everything' ? undefined : temporaryFor(command, cwd, context);
        let runsOn = background;
        try {
          const { paths: denied, problem: why } = plan.needs === 'everything' ? { paths: [] } : hidden();
          // What it may show may have come meanwhile.
          const covered = plan.viewed === undefined ? [] : (await commandView(parsed, context))?.covered;
          const place = { ...placeOf(context), denied: [...denied, ...(covered ?? [])], temporary: temporary?.mounts };
          const inside = () =>
            covered === undefined ? NOT_VIEWED : (why ?? sandbox?.wrap(place, { ...options, ...optionsOf(plan.needs) }));
          const wrapped = plan.needs === 'everything' ? undefined : inside();
          if (isBilingual(wrapped)) return failure(because(NO_SANDBOX_NOW, wrapped), NOT_STARTED);
          const room = temporary === undefined || context.temporary === undefined ? undefined : await roomIn(context.temporary);
          const run = { command, timeoutMs, limits: { ...context.limits, temporary: room }, isHeld: plan.isHeld, signal };
          const start = (sandbox: SandboxRun | undefined): Promise<ToolOutcome> =>
            background ? startJob({ ...run, sandbox, keep }, context) : runToEnd({ ...run, sandbox }, context);
          const first = await start(wrapped);
          // What was there to be mounted may have gone meanwhile, as a socket does with its program.
          const again = first.note === NOT_STARTED && wrapped !== undefined ? inside() : undefined;
          const outcome = again === undefined || isBilingual(again) ? first : await start(again);
          runsOn ||= outcome.job !== undefined;
          return outcome;
        } finally {
          temporary?.done(runsOn);
        }
      },
    };
  },
);

/** Scripts on the disk are read only where a rule forbids commands or asks about them. */
async function parsedWithFiles(text: string, { shell, cwd, pathRules }: ToolContext): Promise<ParsedCommand> {
  const parsed = await parseShell(text, shellLanguage(shell));
  const { deny = [], ask = [] } = pathRules?.() ?? {};
  if ([...deny, ...ask].length === 0) return parsed;
  const inFiles = await (await import('./scripts/scripts.ts')).commandsInFiles(parsed, cwd);
  return inFiles.length === 0 ? parsed : { ...parsed, inFiles };
}

/** What it has at /tmp, in the sandbox. */
const temporaryFor = (command: string, cwd: string | undefined, { temporary, home, userHome = home, ...context }: ToolContext) =>
  orUndefined(() => temporary?.prepare(command, [cwd ?? context.cwd, ...(context.folders?.() ?? []), home, userHome]));

const noFolder = (cwd: string): Bilingual => ({
  en: `the working folder ${visibleLine(cwd, 300)} no longer exists, so no command can run in it`,
  zh: `当前文件夹 ${visibleLine(cwd, 300)} 已不存在，因此无法在其中运行命令`,
});
const NO_FOLDER: Bilingual = { en: 'no working folder', zh: '没有当前文件夹' };

const NOT_VIEWED: Bilingual = { en: 'it no longer only reads', zh: '它不再只是读取' };

/** What there is to know of a command before it runs; `sandbox` is what it needs beyond one, where there is one. Never rejects. */
async function planCommand(
  { text, parsed }: Pick<CommandPlan, 'text' | 'parsed'>,
  context: ToolContext,
  sandbox: { readonly needs: SandboxNeeds | undefined } | undefined,
): Promise<CommandPlan> {
  const needs = sandbox?.needs;
  const place = { needs, isHeld: sandbox !== undefined && needs === undefined };
  const confinement = sandbox === undefined || needs === 'everything' ? 'none' : needs === 'network' ? 'network' : 'held';
  return {
    ...{ text, parsed, ...place },
    scripts: await scriptDigests(parsed, context.cwd),
    runsLater: (path) => changeReasonOf(path, context) !== undefined,
    freeToRead: (paths) => freeToRead(paths, parsed, context),
    irreversible: async (losses) => (await import('./lost/find-irreversible.ts')).findIrreversible(losses, confinement, context),
  };
}

const BACKGROUND_PREVIEW: Bilingual = {
  en: '[in the background, until it ends or the session is left]',
  zh: '[在后台运行，直到它结束或离开会话]',
};
const KEPT_PREVIEW: Bilingual = {
  en: '[in the background, and it goes on when the session is left]',
  zh: '[在后台运行，离开会话后继续]',
};

type Start = Run & { readonly keep: boolean };

/** What fails at once is told at once. */
const FIRST_LOOK_MS = 300;

async function startJob({ isHeld, sandbox, timeoutMs, signal, ...order }: Start, context: ToolContext): Promise<ToolOutcome> {
  const { cwd, shell, redactSecrets, environmentRules, jobs } = context;
  const started = await jobs.start({
    ...{ ...order, cwd, shell, redactSecrets, environmentRules },
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(sandbox !== undefined && { sandbox }),
  });
  if (isBilingual(started)) return failure(because(NOT_STARTED, visibleText(started, 300)), NOT_STARTED);
  const job = (await jobs.waitFor(started.name, FIRST_LOOK_MS, signal)) ?? started;
  if (isLive(job)) return { ok: true, content: startedText(job, { isHeld, keep: order.keep }), note: sameInBoth(job.name), job: job.name };
  jobs.markTold(job.name);
  if (job.status.kind === 'ended' && job.status.how.kind === 'not_started')
    return failure(shellNotStarted(job.status.how.why), NOT_STARTED);
  const status = jobStatusText(job, context.now());
  const text = jobs.output(job.name, 0).pieces.map((piece) => piece.text);
  const ok = job.status.kind === 'ended' && job.status.how.kind === 'exited' && job.status.how.code === 0;
  return { ok, content: `${job.name} has ended already: ${status.en}\n${text.join('')}`.trimEnd(), note: status };
}

type Run = {
  readonly command: string;
  readonly timeoutMs: number | undefined;
  readonly limits: CommandLimits;
  readonly sandbox: SandboxRun | undefined;
  readonly signal: AbortSignal;
  readonly isHeld: boolean;
};

async function runToEnd(
  { command, sandbox, isHeld, timeoutMs = DEFAULT_TIMEOUT_MS, ...run }: Run,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { jobs } = context;
  const waiting = waitForCommand({ command, startedAt: context.now().toISOString() }, isHeld, jobs);
  const ended = runShell(command, {
    ...{ context: { ...context, limits: run.limits }, ...run, timeoutMs, sandbox },
    onStart: (running) => waiting.begin(running, () => ended),
  });
  const result = await Promise.race([ended, waiting.moved]).finally(waiting.end);
  if ('content' in result) return result;
  const { withheld } = scrubEnv(context.env, context.environmentRules);
  const missing = withheld.filter((name) => command.includes(name) || result.output.text.includes(name));
  const tooFull = sandbox !== undefined && (await isFull(context.temporary));
  return commandOutcome(result, { timeoutMs, limits: run.limits, missing, isHeld: sandbox !== undefined, isFull: tooFull });
}

const NO_SANDBOX_NOW: Bilingual = {
  en: 'not started: since it was allowed, something has changed with which no sandbox can be made',
  zh: '未启动：在允许之后情况有变，无法建立沙箱',
};

/** What rules hide of a command, but for what it was asked about since it names it. */
function hiddenFrom({ pathRules, cwd, folders }: ToolContext, text: string, parsed: CommandPlan['parsed']): HiddenPaths {
  const rules = pathRules?.();
  const folder = orUndefined(() => realpathSync(cwd)) ?? cwd;
  const isNamed = (rule: PermissionRule): boolean => rules?.touches?.(rule, { text, parsed }, folder) === true;
  return rules === undefined ? { paths: [] } : hiddenPaths(rules, cwd, { isNamed, ...(folders && { folders: folders() }) });
}

const optionsOf = (needs: SandboxNeeds | undefined): SandboxOptions => ({
  network: needs === 'network',
  repository: needs === 'repository',
});

const placeOf = ({ cwd, home, userHome, sessionFolder, env, ...context }: ToolContext): SandboxPlace => ({
  ...{
    cwd,
    folders: context.folders?.() ?? [],
    home,
    userHome,
    env,
    runFiles: context.pathRules?.().runFiles ?? [],
    shown: context.readableInHome ?? [],
  },
  readable: [join(sessionFolder, 'offloaded')],
});
