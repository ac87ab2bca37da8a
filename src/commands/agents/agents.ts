import { localize } from '../../domain/language.ts';
import { findAgents } from '../../runtime/agents/find-agents.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { leftOutBy } from '../../runtime/prompt/project-context.ts';
import { agentsText } from '../../terminal/views/agents-text.ts';
import type { CommandContext } from '../command.ts';
import { settingsOf } from '../open-home.ts';

type AgentsOptions = HomeOptions & { readonly trust?: boolean; readonly json?: boolean };

/** Prints them with where they come from. Those of a folder that is not trusted are only counted. */
export async function listAgents(options: AgentsOptions, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  const { home, trust, config } = settingsOf(options, context);
  const isLeftOut = leftOutBy(config.permissions, environment.cwd());
  const { agents, problems } = await findAgents(environment, { home, trustsProject: trust.state !== 'untrusted', isLeftOut });
  const untrusted = trust.state === 'untrusted' ? trust.request.agents : [];
  const all =
    untrusted.length === 0
      ? problems
      : [
          ...problems,
          {
            en: `${untrusted.join(', ')}: not used, since you have not trusted this folder; sanbot trust add shows what it asks for.`,
            zh: `${untrusted.join('、')}：未使用，因为你尚未信任此文件夹；sanbot trust add 显示它要求什么。`,
          },
        ];
  if (options.json !== true) return io.out(agentsText(agents, all, io.columns));
  const rows = agents.map(({ prompt: _, mode, ...agent }) => ({ ...agent, permissionMode: mode }));
  io.out(`${JSON.stringify({ agents: rows, problems: all.map(localize) }, null, 2)}\n`);
}
