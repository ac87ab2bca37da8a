import { type Bilingual, localize } from '../../domain/language.ts';
import { safeLine } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';

export type AgentRow = {
  readonly name: string;
  readonly description: string;
  readonly source: 'user' | 'project';
  readonly path: string;
  readonly tools: readonly string[] | undefined;
  readonly model: string | undefined;
  readonly effort: string | undefined;
  readonly mode: string | undefined;
  readonly worktree: boolean;
};

/** Each agent with where it comes from and what it says for itself, then what is wrong, a paragraph each. Ends with a newline. */
export function agentsText(agents: readonly AgentRow[], problems: readonly Bilingual[], columns: number): string {
  const rows = agents.flatMap((agent) => [
    ...wrap(`@agent-${safeLine(agent.name)}${localize(SOURCES[agent.source])} ${safeLine(agent.path)}`, columns),
    ...[safeLine(agent.description), safeLine(ownWords(agent))]
      .filter((line) => line !== '')
      .flatMap((line) => wrap(line, Math.max(20, columns - 4)).map((row) => `    ${row}`)),
  ]);
  const none = agents.length === 0 ? wrap(localize(NONE), columns) : [];
  return `${[...none, ...rows, ...problems.flatMap((problem) => wrap(safeLine(localize(problem)), columns))].join('\n')}\n`;
}

function ownWords({ tools, model, effort, mode, worktree }: AgentRow): string {
  const parts = [
    tools && { en: `tools ${tools.join(', ') || 'none'}`, zh: `工具 ${tools.join('、') || '无'}` },
    model && { en: `model ${model}`, zh: `模型 ${model}` },
    effort && { en: `effort ${effort}`, zh: `力度 ${effort}` },
    worktree && { en: 'in a worktree of its own', zh: '在自己的 worktree 中' },
    mode && { en: `at most the mode ${mode}`, zh: `权限最多为 ${mode}` },
  ];
  return parts.flatMap((part) => (part ? [localize(part)] : [])).join(localize({ en: '; ', zh: '；' }));
}

const SOURCES: Readonly<Record<AgentRow['source'], Bilingual>> = {
  user: { en: ' (yours)', zh: '（你的）' },
  project: { en: " (the project's)", zh: '（本项目的）' },
};
const NONE: Bilingual = {
  en: 'There are no agents. One is a Markdown file in ~/.sanbot/agents, or in .sanbot/agents or .claude/agents of a project that you trust.',
  zh: '没有代理。代理是 ~/.sanbot/agents 中的 Markdown 文件，或你信任的项目的 .sanbot/agents 或 .claude/agents 中的文件。',
};
