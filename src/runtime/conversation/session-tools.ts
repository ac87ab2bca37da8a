import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AgentDeps } from '../../agent/deps.ts';
import { notify } from '../../agent/hooks/hooks.ts';
import type { KeptFiles, RecordFileChange } from '../../agent/ports/disk.ts';
import type { Helpers, Plans, Tool } from '../../agent/ports/tools.ts';
import { limitsFor } from '../../context/measure/limits.ts';
import { hostMatches, rulesAbout, ruleTouches } from '../../context/permission/rules.ts';
import { viewedCommand } from '../../context/permission/viewed-command.ts';
import { searchableTexts } from '../../context/search/search-snippet.ts';
import { environmentRules } from '../../domain/config/command-environment.ts';
import type { Config } from '../../domain/config/config.ts';
import type { ServerSetting } from '../../domain/config/mcp-server.ts';
import { commandsIn, type HookEvent } from '../../domain/hook/hook.ts';
import { CALL_TOOL } from '../../domain/session/called-tool.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import type { HeaderRecord } from '../../domain/session/record.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { resolveName } from '../../net/addresses.ts';
import { proxyFor } from '../../net/proxy.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { describeFor, findShell } from '../../tools/command/find-shell.ts';
import { createJobs, type Jobs } from '../../tools/command/jobs/jobs.ts';
import type { PathRules } from '../../tools/place/ruled-paths.ts';
import type { Recall } from '../../tools/session/recall.ts';
import type { Remember } from '../../tools/session/remember.ts';
import { createTools, toolSpecs } from '../../tools/tools.ts';
import type { Web } from '../../tools/web/download.ts';
import { withAgents } from '../agents/find-agents.ts';
import type { Environment } from '../environment.ts';
import { programFile } from '../home.ts';
import type { Runtime } from '../runtime.ts';
import { recallContextOf } from '../runtime.ts';
import { projectRootOf } from '../trust/repository.ts';

/** What a model is told of a session's tools; the session itself comes later, and lists them in its header. */
export function sessionToolSpecs({
  prompt,
  config,
  skills,
  agents,
  mcp,
  environment,
  ownTools,
}: Pick<Runtime, 'prompt' | 'config' | 'skills' | 'agents' | 'mcp' | 'environment' | 'ownTools'>): readonly ToolSpec[] {
  const shell = shellOf(environment);
  const specs = toolSpecs({
    describe: (name) => describeFor(shell, prompt(`tools/${name}`)),
    recall: true,
    remember: config.memory.enabled,
    skills: skills.skills.length > 0,
    mcp: mcp.views().length === 0 ? undefined : mcp.loaded(),
  });
  return [...withAgents(specs, agents.agents), ...ownTools.map(({ spec }) => spec)];
}

const shellOf = ({ env, cwd }: Environment): string => findShell({ cwd: cwd(), path: env.PATH });

export type ToolOwner = {
  readonly header: Pick<HeaderRecord, 'sessionId' | 'group' | 'model' | 'context'>;
  /** The model that answers now. */
  readonly model: () => string;
  /** The messages that a request would have now. */
  readonly sentMessages: () => readonly Message[];
  readonly remember: Remember;
  readonly fileChangeRecorder: () => Promise<RecordFileChange>;
  readonly jobs: Jobs;
  readonly acts: { readonly keptIn: (cwd: string) => Promise<KeptFiles> };
  /** Where it works, when that is not the working folder. */
  readonly cwd?: string | undefined;
  /** Left out for a helper, which has none. */
  readonly helpers?: Helpers;
  readonly plans?: Plans;
  readonly person: AgentDeps['person'];
};

/** The commands of a session in the background, also those that an earlier process of it left running. */
export const createSessionJobs = (sessionId: string, { environment, home }: Runtime): Jobs =>
  createJobs({
    folder: pathsOf(home).jobs(sessionId),
    temporary: pathsOf(home).temporary(sessionId),
    supervisor: { node: environment.node, file: programFile('job-supervisor', environment) },
    env: environment.env,
    ...{ platform: environment.platform, pid: environment.pid, now: environment.now },
    kill: (pid, signal) => environment.kill(pid, signal),
  });

/** The tools of a session that is open. */
export function createSessionTools(owner: ToolOwner, runtime: Runtime): readonly Tool[] {
  const { environment, home, store, config, model } = runtime;
  const { sessionId, model: modelName } = owner.header;
  const startedAt = environment.now().getTime();
  const tools = createTools({
    cwd: owner.cwd ?? environment.cwd(),
    folders: runtime.folders,
    home,
    sessionFolder: pathsOf(home).session(sessionId),
    env: environment.env,
    environmentRules: environmentRules(config),
    redactSecrets: config.agent.redactSecrets,
    limits: { processes: config.commands.maxProcesses, memoryBytes: config.commands.maxMemoryBytes ?? undefined },
    userHome: environment.homedir() || undefined,
    sandbox: () => sandboxOf(owner, runtime),
    temporary: owner.jobs.temporary,
    readableInHome: config.commands.readable.map((path) => path.replace(/^~(?=\/)/, () => environment.homedir())),
    pathRules: () => {
      const servers = runtime.mcp.views().map(({ setting }) => setting);
      const runFiles = namedFiles(config, servers, environment.cwd(), runtime.folders());
      return { ...runtime.permissions.current(), runFiles, about: rulesAbout, touches, viewed: viewedCommand };
    },
    pageChars: limitsFor(config, model.facts(modelName).windowTokens).resultChars,
    readBody: store.bodies(sessionId).readPath,
    parser: runtime.parser,
    platform: environment.platform,
    shell: shellOf(environment),
    jobs: owner.jobs,
    ...(owner.helpers !== undefined && { helpers: owner.helpers }),
    ...(owner.plans !== undefined && { plans: owner.plans }),
    askPerson: (question, signal) => {
      notify({ type: 'elicitation_dialog', title: 'A question', message: 'SanBot has a question for you' }, owner.person);
      return runtime.askPerson(question, signal);
    },
    // A session that was told of them can still call them when all servers are gone, and learns that.
    ...(runtime.mcp.views().length > 0 || owner.header.context.tools.some(({ name }) => name === CALL_TOOL) ? { mcp: runtime.mcp } : {}),
    web: sessionWeb(runtime),
    deadline: environment.deadline,
    recall: recallOf(owner, runtime),
    ...(config.memory.enabled ? { remember: owner.remember } : {}),
    sees: () => model.facts(owner.model()).seesImages === true,
    skills: { skills: runtime.skills.skills, noteUse: store.usedSkills.note },
    fileChangeRecorder: owner.fileChangeRecorder,
    reachOf: async (cwd) => {
      const { enabled, fileBytes, sessionBytes, homeBytes } = config.changes;
      const most = enabled ? Math.min(fileBytes, sessionBytes, homeBytes) : 0;
      const keeps = enabled ? await owner.acts.keptIn(cwd) : undefined;
      return store.reachOf(cwd, { ...gitPlaces(environment), beside: runtime.folders(), fileBytes: most, keeps });
    },
    startedAt,
    now: environment.now,
    newId: environment.newId,
    kill: (pid, signal) => environment.kill(pid, signal),
  });
  return [...tools, ...runtime.ownTools.map(({ tool }) => tool)];
}

/** What other sessions have not used for a week goes when this one begins to use its own. */
async function sandboxOf({ jobs: { temporary } }: ToolOwner, { sandbox, store }: Runtime): ReturnType<Runtime['sandbox']> {
  const found = await sandbox();
  if (found !== undefined && !temporary.isUsed()) await store.expireTemporary();
  temporary.use(found !== undefined);
  return found;
}

/** The database is loaded when something is looked up, and not before. */
function recallOf({ header, sentMessages }: ToolOwner, runtime: Runtime): Recall {
  const { sessionId, group } = header;
  const context = recallContextOf(runtime, group);
  return {
    search: async (request, signal) => {
      const beside = { sessionId, texts: searchableTexts(sentMessages()) };
      const project = projectRootOf(runtime.environment);
      return (await import('./recall/recall.ts')).search(context, { ...request, beside, project }, signal);
    },
    open: async (ref, signal) => (await import('./recall/recall.ts')).openRef(context, ref, signal),
  };
}

/** How the tools of a session reach the web. */
const sessionWeb = ({ environment, permissions }: Pick<Runtime, 'environment' | 'permissions'>): Web => ({
  resolve: resolveName,
  dial: (target) => target,
  // Nothing goes round the proxy unchecked, whatever NO_PROXY says.
  proxyFor: (url) => proxyFor(url, { ...environment.env, NO_PROXY: '', no_proxy: '' }),
  allowsLocal: (host) =>
    permissions
      .current()
      .allow.some(
        (rule) => rule.tool === 'fetch_url' && rule.host !== undefined && !rule.host.includes('*') && hostMatches(rule.host, host),
      ),
});

/**
 * The files of the working folder and of `added` ones that hooks and MCP servers of the settings name: they run outside of the sandbox, and nobody is asked
 * each time. Read widely: a word that only looks like a path makes a change of that file ask. Both as written and with links resolved.
 */
export function namedFiles(
  { hooks }: Pick<Config, 'hooks'>,
  servers: readonly ServerSetting[],
  cwd: string,
  added: readonly string[] = [],
): readonly string[] {
  const events = Object.keys(hooks) as readonly HookEvent[];
  const words = [
    ...events
      .flatMap((event) => commandsIn(hooks[event], event))
      .flatMap(({ command }) => wordsOf(command).map((word) => resolve(cwd, word))),
    ...servers.flatMap(({ config: { command = '', args = [], cwd: folder = '.' } }) =>
      [command, ...args].flatMap(wordsOf).map((word) => resolve(cwd, folder, word)),
    ),
  ];
  const real = orUndefined(() => realpathSync(cwd)) ?? cwd;
  const isOneOf = (path: string): boolean =>
    [cwd, ...added].some((folder) => isWithin(path, folder) || isWithin(orUndefined(() => realpathSync(path)) ?? path, folder));
  const paths = words.filter((path) => isOneOf(path) && orUndefined(() => statSync(path).isDirectory()) !== true);
  const inReal = (path: string): string => (isWithin(path, cwd) ? resolve(real, path.slice(cwd.length + 1)) : path);
  return [...new Set(paths.flatMap((path) => [inReal(path), orUndefined(() => realpathSync(path)) ?? path]))];
}

/** A variable before the first slash stands for the working folder, as hooks write it. What is in quotes may have blanks in it. */
const wordsOf = (command: string): readonly string[] =>
  [
    ...command.replace(/["']/g, '').split(/[\s;&|()<>`=]+/),
    ...(command.match(/"[^"]+"|'[^']+'/g) ?? []).map((quoted) => quoted.slice(1, -1)),
  ]
    .map((word) => word.replace(/^\$\{?\w{1,100}\}?\//, ''))
    .filter((word) => word !== '' && !word.startsWith('-') && !word.includes('$') && /[./]/.test(word) && !/^\.+$/.test(word));

const touches: NonNullable<PathRules['touches']> = (rule, command, cwd) =>
  ruleTouches(rule, { tool: 'run_command', cwd, paths: [], command });

/** Where a person's own configuration of git stands, where git is, and folders that are no work tree even where they hold one. */
export function gitPlaces({ env, homedir }: Environment): {
  readonly gitConfigs: readonly string[];
  readonly notBeyond: readonly string[];
  readonly searchPath: string;
} {
  const home = homedir();
  const folder = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git');
  return {
    gitConfigs: ['/etc/gitconfig', join(home, '.gitconfig'), join(folder, 'config'), join(folder, 'attributes')],
    notBeyond: home === '' ? ['/'] : [home, '/'],
    searchPath: env.PATH ?? '',
  };
}
