import { join } from 'node:path';
import { withoutArguments } from '../../context/prompt/system-prompt.ts';
import { cutAt } from '../../context/text/sentences.ts';
import type { AgentFile } from '../../domain/agent/agent.ts';
import { type Bilingual, isBilingual } from '../../domain/language.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import type { Environment } from '../environment.ts';
import { filesIn, leftOutBehind, MAX_COMMANDS, type MarkdownFile, projectFilesIn, readOwn } from '../prompt/find-skills.ts';
import type { IsLeftOut } from '../prompt/project-context.ts';

const PROJECT_FOLDERS = ['.sanbot/agents', '.claude/agents'];
const MAX_BYTES = 64 * 1024;

export type FoundAgents = { readonly agents: readonly AgentFile[]; readonly problems: readonly Bilingual[] };

/**
 * The agents of the user, and then those of the project where it is trusted: Markdown files; of a name that two have, the first. Never
 * rejects: what is wrong is a line in `problems`, and the rest works. Where there is no file, nothing is loaded.
 */
export async function findAgents(
  environment: Pick<Environment, 'cwd'>,
  { home, trustsProject, isLeftOut }: { readonly home: string; readonly trustsProject: boolean; readonly isLeftOut?: IsLeftOut },
): Promise<FoundAgents> {
  const problems: Bilingual[] = [];
  const tell = (problem: Bilingual): void => void problems.push(problem);
  const ofProject = trustsProject ? projectFilesIn(environment.cwd(), PROJECT_FOLDERS, tell) : [];
  const all = [...filesIn(join(home, 'agents'), 'user', tell), ...ofProject];
  const files = all.slice(0, MAX_COMMANDS).filter(({ path }) => isLeftOut?.(path) !== true);
  if (files.length === 0) return { agents: [], problems };
  const [{ readAgentFile }, { frontMatterBudget }] = await Promise.all([
    import('../../domain/agent/read-agent.ts'),
    import('../../domain/session/skill-front-matter.ts'),
  ]);
  const budget = frontMatterBudget();
  const agents = new Map<string, AgentFile>();
  if (all.length > MAX_COMMANDS) tell(leftOutBehind(join(home, 'agents'), all.length, MAX_COMMANDS));
  const leftOut = (path: string, why: Bilingual): void =>
    void problems.push({ en: `The agent ${path} is left out: ${why.en}.`, zh: `未使用代理 ${path}：${why.zh}。` });
  for (const { name, path, source } of files) {
    const read = readOwn({ path, maxBytes: MAX_BYTES }, (text) => readAgentFile(text, name, budget), problems);
    if (isBilingual(read)) {
      leftOut(path, read);
      continue;
    }
    const other = agents.get(read.agent.name);
    if (other === undefined) agents.set(read.agent.name, { ...read.agent, source, path });
    else leftOut(path, { en: `${other.path} has the same name, ${other.name}`, zh: `${other.path} 同名（${other.name}）` });
    for (const note of read.notes) problems.push({ en: `The agent ${path} has its ${note.en}.`, zh: `代理 ${path} 的 ${note.zh}。` });
  }
  return { agents: [...agents.values()], problems };
}

/** The files of agents in a project; nothing of them is read. */
export const agentFiles = (cwd: string): readonly MarkdownFile[] => projectFilesIn(cwd, PROJECT_FOLDERS);

const TASK_TOOL = 'task';
const AGENT_ARGUMENT: ReadonlySet<string> = new Set(['agent']);
/** What all descriptions together may take; of those behind it stand the names. */
const MAX_CHARS = 4_000;
const MAX_DESCRIPTION_CHARS = 400;

/** The list of tools with the agents in the text of the helper tool; without any, nothing of them is in it. */
export const withAgents = (specs: readonly ToolSpec[], agents: readonly AgentFile[]): readonly ToolSpec[] =>
  specs.map((spec) => {
    if (spec.name !== TASK_TOOL) return spec;
    return agents.length === 0
      ? { ...spec, inputSchema: withoutArguments(spec.inputSchema, AGENT_ARGUMENT) }
      : { ...spec, description: `${spec.description}\n${agentsText(agents)}` };
  });

function agentsText(agents: readonly AgentFile[]): string {
  let room = MAX_CHARS;
  const lines = agents.map(({ name, description }) => `- ${name}: ${cutAt(description, MAX_DESCRIPTION_CHARS)}`);
  const shown = lines.filter((line) => {
    room -= line.length;
    return room >= 0;
  });
  const rest = agents.slice(shown.length).map(({ name }) => name);
  return [
    'Agents are helpers with instructions and tools of their own: name one as agent where its description fits, and the one that the user writes as @agent-NAME.',
    ...shown,
    ...(rest.length === 0 ? [] : [`Others: ${cutAt(rest.join(', '), MAX_DESCRIPTION_CHARS)}`]),
  ].join('\n');
}
