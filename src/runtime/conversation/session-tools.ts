import { join } from 'node:path';
import type { AgentDeps } from '../../agent/deps.ts';
import type { RecordFileChange } from '../../agent/ports/disk.ts';
import type { Helpers, Tool } from '../../agent/ports/tools.ts';
import { limitsFor } from '../../context/measure/limits.ts';
import { searchableTexts } from '../../context/search/search-documents.ts';
import { environmentRules } from '../../domain/config/command-environment.ts';
import { CALL_TOOL } from '../../domain/session/called-tool.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import type { HeaderRecord } from '../../domain/session/record.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { createJobs, type Jobs } from '../../tools/command/jobs/jobs.ts';
import type { Recall } from '../../tools/session/recall.ts';
import type { Remember } from '../../tools/session/remember.ts';
import { createTools, toolSpecs } from '../../tools/tools.ts';
import type { Environment } from '../environment.ts';
import type { Runtime } from '../runtime.ts';
import { namedFiles } from '../trust/named-files.ts';
import { projectRootOf } from '../trust/repository.ts';
import { notify } from './hooks/session-hooks.ts';
import { recallContextOf } from './recall/recall-context.ts';
import { sessionWeb } from './session-web.ts';

/** What a model is told of a session's tools; the session itself comes later, and lists them in its header. */
export const sessionToolSpecs = ({
  prompt,
  config,
  skills,
  mcp,
}: Pick<Runtime, 'prompt' | 'config' | 'skills' | 'mcp'>): readonly ToolSpec[] =>
  toolSpecs({
    describe: (name) => prompt(`tools/${name}`),
    recall: true,
    remember: config.memory.enabled,
    skills: skills.skills.length > 0,
    mcp: mcp.views().length === 0 ? undefined : mcp.loaded(),
  });

export type ToolOwner = {
  readonly header: Pick<HeaderRecord, 'sessionId' | 'group' | 'model' | 'context'>;
  /** The model that answers now. */
  readonly model: () => string;
  /** The messages that a request would have now. */
  readonly sentMessages: () => readonly Message[];
  readonly remember: Remember;
  readonly recordFileChange: RecordFileChange;
  readonly jobs: Jobs;
  /** Left out for a helper, which has none. */
  readonly helpers?: Helpers;
  readonly person: AgentDeps['person'];
};

/** The commands of a session in the background, also those that an earlier process of it left running. */
export const createSessionJobs = (sessionId: string, { environment, home }: Runtime): Jobs =>
  createJobs({
    folder: pathsOf(home).jobs(sessionId),
    supervisor: { node: environment.node, file: programFile('job-supervisor', environment) },
    env: environment.env,
    platform: environment.platform,
    kill: (pid, signal) => environment.kill(pid, signal),
    now: environment.now,
  });

const programFile = (name: string, { packageRoot }: Pick<Environment, 'packageRoot'>): string =>
  join(packageRoot, 'dist', 'bundle', `${name}.js`);

/** The tools of a session that is open. */
export function createSessionTools(owner: ToolOwner, runtime: Runtime): readonly Tool[] {
  const { environment, home, store, config, model } = runtime;
  const { sessionId, model: modelName } = owner.header;
  return createTools({
    cwd: environment.cwd(),
    home,
    sessionFolder: pathsOf(home).session(sessionId),
    env: environment.env,
    environmentRules: environmentRules(config),
    redactSecrets: config.agent.redactSecrets,
    userHome: environment.homedir() || undefined,
    sandbox: runtime.sandbox,
    runFiles: namedFiles(
      config,
      runtime.mcp.views().map(({ setting }) => setting),
      environment.cwd(),
    ),
    pageChars: limitsFor(config, model.facts(modelName).windowTokens).resultChars,
    readBody: store.bodies(sessionId).readPath,
    pdfReader: { node: environment.node, file: programFile('pdf-reader', environment), workerFile: programFile('pdf-worker', environment) },
    platform: environment.platform,
    shell: '/bin/sh',
    jobs: owner.jobs,
    ...(owner.helpers !== undefined && { helpers: owner.helpers }),
    askPerson: (question, signal) => {
      notify('elicitation_dialog', owner.person);
      return runtime.askPerson(question, signal);
    },
    // A session that was told of them can still call them when all servers are gone, and learns that.
    ...(runtime.mcp.views().length > 0 || owner.header.context.tools.some(({ name }) => name === CALL_TOOL) ? { mcp: runtime.mcp } : {}),
    web: sessionWeb(runtime),
    deadline: environment.deadline,
    recall: recallOf(owner, runtime),
    ...(config.memory.enabled ? { remember: owner.remember } : {}),
    sees: () => model.facts(owner.model()).seesImages === true,
    skills: runtime.skills.skills,
    recordFileChange: owner.recordFileChange,
    now: environment.now,
    newId: environment.newId,
    kill: (pid, signal) => environment.kill(pid, signal),
  });
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
