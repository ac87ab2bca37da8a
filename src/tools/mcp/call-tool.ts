import { z } from 'zod';
import type { Tool, ToolOutcome, ToolPlan } from '../../agent/ports/tools.ts';
import type { PermissionRule } from '../../domain/config/permission-rule.ts';
import { AbortedError, errorReason } from '../../domain/errors.ts';
import { type Bilingual, because, isBilingual, sameInBoth } from '../../domain/language.ts';
import { CALL_TOOL, MCP_PREFIX } from '../../domain/session/called-tool.ts';
import { nearest } from '../../domain/text.ts';
import { type Fields, isObject, isString, parseJson } from '../../domain/value/json.ts';
import { visible, visibleLine } from '../place/visible.ts';
import { createTool, failure, invalid } from '../tool.ts';
import { mcpText } from './mcp-text.ts';
import { outcomeOf } from './result-text.ts';
import type { Server } from './server.ts';
import { inertLine, type NamedTool, nameTools, schemaText, serverPrefix, underscoredName } from './tool-names.ts';

const inputSchema = z.strictObject({
  name: z.string().describe('As tool_search gives it.'),
  arguments: z.looseObject({}).optional().describe('What the tool takes.'),
});

export const callToolDefinition = { name: CALL_TOOL, input: inputSchema };

/** One server with what the plan of a call needs to know of its setting. */
export type CallableServer = {
  readonly name: string;
  readonly server: Server;
  readonly timeoutMs: number;
  /** A rule about a server that a project names holds in that project only: the same name may be another program elsewhere. */
  readonly isProjects: boolean;
  /** It is asked at an address of another machine. */
  readonly isElsewhere: boolean;
};

export type CallContext = {
  readonly servers: readonly CallableServer[];
  /** The working folder, links resolved. */
  readonly cwd: string;
  /** Whether the model that answers now takes images. */
  readonly sees: () => boolean;
};

/** Every call of a server's tool comes through here. By its own name it never runs: a call is planned and judged as the tool it names. */
export function callTool(context: CallContext): Tool {
  const tool = createTool(callToolDefinition, async ({ name }) => ({
    en: `${JSON.stringify(name)} is no tool of an MCP server; their names begin with ${MCP_PREFIX}. Every other tool is called by itself.`,
    zh: `${JSON.stringify(name)} 不是 MCP 服务器的工具，后者的名称以 ${MCP_PREFIX} 开头。其他工具各自直接调用。`,
  }));
  const find = (name: string): Tool | undefined =>
    name.startsWith(MCP_PREFIX) ? { name, plan: (input, signal) => planCall({ name, input }, context, signal) } : undefined;
  return { ...tool, find };
}

type NamedCall = { readonly name: string; readonly input: unknown };

async function planCall({ name, input }: NamedCall, context: CallContext, signal = new AbortController().signal): Promise<ToolPlan> {
  const owner = context.servers.find((each) => name.startsWith(serverPrefix(each.name)));
  if (owner === undefined) return invalid(noServer(name, context));
  const found = await findTool(name, owner.server, signal);
  if (isBilingual(found)) return invalid(because(sameInBoth(name), found));
  const args = isString(input) ? parseJson(input) : input;
  if (!isObject(args)) return invalid({ en: `${name}: arguments must be an object. ${takes(found)}`, zh: `${name}：arguments 应为对象` });
  const missing = requiredOf(found).filter((key) => !Object.hasOwn(args, key));
  const keys = missing.map((key) => JSON.stringify(key));
  if (keys.length > 0)
    return invalid({ en: `${name}: ${keys.join(', ')} is missing. ${takes(found)}`, zh: `${name}：缺少 ${keys.join('、')}` });
  return readyPlan(found, args, owner, context);
}

function noServer(name: string, { servers }: CallContext): Bilingual {
  const names = servers.map((each) => each.name);
  const others =
    names.length === 0
      ? { en: 'None is configured.', zh: '没有配置任何服务器。' }
      : { en: `There are ${names.join(', ')}.`, zh: `现有 ${names.join('、')}。` };
  return { en: `${name}: there is no such MCP server. ${others.en}`, zh: `${name}：没有这个 MCP 服务器。${others.zh}` };
}

/** Why it cannot be called, as a text. */
async function findTool(name: string, server: Server, signal: AbortSignal): Promise<NamedTool | Bilingual> {
  const known = () => server.view().tools.find((each) => each.name === name);
  if (known() === undefined || server.view().status === 'connected') await server.connect(signal).catch(() => undefined);
  const found = known();
  if (found !== undefined) return found;
  if (signal.aborted) return { en: 'stopped', zh: '已停止' };
  const { status, problem, tools, changed, leftOut, name: serverName } = server.view();
  if (status === 'failed') return because({ en: 'the server does not answer', zh: '服务器没有响应' }, problem ?? mcpText.notConnected);
  const changedTools = changed.map(({ tool }) => tool);
  if (nameTools(serverName, changedTools).some((each) => each.name === name)) return mcpText.notAgreed;
  const unusable = leftOut.find((each) => underscoredName(serverName, each.name) === name);
  if (unusable !== undefined) return mcpText.unusable(unusable.why);
  const names = tools.map((each) => each.name);
  const suggestion = nearest(name, names);
  return suggestion === undefined
    ? mcpText.noSuchTool
    : { en: `the server has no such tool. Did you mean ${suggestion}?`, zh: `服务器没有此工具。是否指 ${suggestion}？` };
}

const MAX_SCHEMA_CHARS = 3_000;

/** Also after a compaction, when what tool_search had said is gone. */
const takes = ({ tool }: NamedTool): string => `It takes ${schemaText(tool.inputSchema, MAX_SCHEMA_CHARS)}`;

/** Without what has a default: some servers call it required, and do without it. */
function requiredOf({ tool: { inputSchema: schema } }: NamedTool): readonly string[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const hasDefault = (key: string): boolean => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return isObject(property) && Object.hasOwn(property, 'default');
  };
  return Array.isArray(schema.required) ? schema.required.filter(isString).filter((key) => !hasDefault(key)) : [];
}

const MAX_TITLE_CHARS = 160;
const MAX_PREVIEW_CHARS = 20_000;

function readyPlan(found: NamedTool, args: Fields, owner: CallableServer, context: CallContext): ToolPlan {
  const { name, tool } = found;
  const { cwd, sees } = context;
  const input = visible(JSON.stringify(args, null, 2));
  const shown =
    input.length <= MAX_PREVIEW_CHARS ? input : `${input.slice(0, MAX_PREVIEW_CHARS).toWellFormed()}… [${input.length} characters in all]`;
  const folder = owner.isProjects ? { folder: cwd } : {};
  const offers: readonly PermissionRule[] = [
    { tool: name, ...folder },
    { tool: `${serverPrefix(owner.name)}*`, ...folder },
  ];
  return {
    kind: 'ready',
    access: 'run',
    path: undefined,
    place: 'none',
    title: visibleLine(`${name} ${JSON.stringify(args)}`, MAX_TITLE_CHARS),
    preview: `The server says of it: ${inertLine(tool.description, 300) || 'nothing'}\n${shown}`,
    cwd,
    offers,
    isElsewhere: owner.isElsewhere,
    run: (signal, onProgress = () => undefined) => run(found, args, owner, { signal, onProgress, sees: sees() }),
  };
}

const MAX_PROGRESS_LINES = 1_000;

/** A server may say the same again and again, and without end. */
function boundedProgress(onProgress: (text: string) => void): (text: string) => void {
  let [latest, lines] = ['', 0];
  return (text) => {
    if (text === latest || lines >= MAX_PROGRESS_LINES) return;
    [latest, lines] = [text, lines + 1];
    onProgress(text);
  };
}

type RunOptions = { readonly signal: AbortSignal; readonly onProgress: (text: string) => void; readonly sees: boolean };

async function run(
  found: NamedTool,
  args: Fields,
  { server, timeoutMs }: CallableServer,
  { signal, onProgress, sees }: RunOptions,
): Promise<ToolOutcome> {
  try {
    const limits = { signal, timeoutMs, onProgress: boundedProgress(onProgress) };
    const outcome = outcomeOf(await server.call(found.tool.name, args, limits), { sees });
    return outcome.ok ? outcome : { ...outcome, content: `${outcome.content}\n[${takes(found)}]` };
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    const reason = errorReason(error);
    return failure({ en: `${found.name}: ${reason.en}`, zh: `${found.name}：${reason.zh}` });
  }
}
