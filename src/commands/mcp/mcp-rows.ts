import { shownTarget } from '../../domain/config/shown-server.ts';
import { SanbotError } from '../../domain/errors.ts';
import { inspectText } from '../../domain/text.ts';
import type { ChangedRow, LeftOutRow, ServerRow, ToolRow } from '../../terminal/views/mcp-text.ts';
import type { Mcp } from '../../tools/mcp/mcp.ts';
import { inertLine, schemaText } from '../../tools/mcp/tool-names.ts';
import { nearestHint } from '../usage/usage-errors.ts';

type View = ReturnType<Mcp['views']>[number];

const STATUS_NAMES = { idle: 'not connected', connecting: 'connecting', connected: 'connected', failed: 'does not answer' } as const;

const MAX_DESCRIPTION_CHARS = 500;
const MAX_SCHEMA_CHARS = 1_000;

export const serverRows = (mcp: Mcp): readonly ServerRow[] =>
  mcp.views().map(({ name, setting, tools, changed, leftOut, status, problem, isSignedIn }) => ({
    name,
    target: shownTarget(setting.config),
    source: setting.source,
    tools: (status === 'idle' || status === 'connecting') && tools.length === 0 ? undefined : tools.length,
    changed: changed.length,
    status: STATUS_NAMES[status],
    problem,
    leftOut,
    signedIn: isSignedIn(),
  }));

export const serverJson = (row: ServerRow) => ({ ...row, problem: row.problem?.en, leftOut: leftOutJson(row.leftOut) });

export const leftOutJson = (rows: readonly LeftOutRow[]) => rows.map(({ name, why }) => ({ name, why: why.en }));

export const toolRows = ({ tools }: View): readonly ToolRow[] =>
  tools.map(({ name, tool }) => ({ name, description: inertLine(tool.description, MAX_DESCRIPTION_CHARS) }));

export const changedRows = ({ changed }: View): readonly ChangedRow[] =>
  changed.map(({ tool, before }) => ({
    name: tool.name,
    description: inertLine(tool.description),
    before: before && inertLine(before.description),
    schema: schemaText(tool.inputSchema, MAX_SCHEMA_CHARS),
    schemaBefore: before && schemaText(before.inputSchema, MAX_SCHEMA_CHARS),
  }));

/** Connects to a server. Rejects with not_found when there is none of that name, with refused when it does not answer, and with AbortedError. */
export async function answeringView(mcp: Mcp, name: string, signal: AbortSignal): Promise<View> {
  await mcp.server(viewOf(mcp, name).name)?.server.connect(signal);
  const view = viewOf(mcp, name);
  if (view.status !== 'failed') return view;
  const { problem } = view;
  throw new SanbotError(
    'refused',
    { en: `The MCP server ${name} does not answer: ${problem?.en ?? ''}`, zh: `MCP 服务器 ${name} 没有响应：${problem?.zh ?? ''}` },
    { en: 'docs/mcp.md says what to look at.', zh: 'docs/mcp.md 说明了应检查什么。' },
  );
}

/** Throws not_found when there is no server of that name. */
export function viewOf(mcp: Mcp, name: string): View {
  const views = mcp.views();
  const view = views.find((each) => each.name === name);
  if (view !== undefined) return view;
  const names = views.map((each) => each.name);
  throw new SanbotError(
    'not_found',
    { en: `There is no MCP server ${inspectText(name)}`, zh: `没有 MCP 服务器 ${inspectText(name)}` },
    nearestHint(name, names, { en: 'sanbot mcp lists them.', zh: 'sanbot mcp 列出所有服务器。' }),
  );
}
