/**
 * MCP servers: programs and addresses that offer tools. Settings come in; out come two tools for the model, however many there are behind
 * them: `tool_search` finds one and says what it takes, `call_tool` calls it. So the list of tools that a session freezes stays small, and
 * nothing in it changes when a server appears, goes or comes back. The few of `alwaysLoad` stand in the list themselves.
 *
 * `server.ts` is one server with its connection, `client.ts` the library, `stdio-transport.ts` a program at the other end of two pipes.
 *
 * Servers are somebody else's programs. What they say of their tools is shown inert, counts only as far as the user has agreed to it, and is
 * bounded like their results. A server that hangs, floods or dies costs a line, and nothing else. A call of `call_tool` is judged, shown and
 * logged as the tool that it names (domain/session/called-tool.ts).
 */

import type { Tool } from '../../agent/ports/tools.ts';
import type { ServerSetting } from '../../domain/config/mcp-server.ts';
import type { Warn } from '../../domain/language.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import { fitDescriptions } from '../../domain/value/fit-descriptions.ts';
import { isLoopback } from '../../net/proxy.ts';
import { type CallableServer, callTool, callToolDefinition } from './call-tool.ts';
import { mcpText } from './mcp-text.ts';
import { createServer, type ServerParts, type ServerView } from './server.ts';
import { inertDescription } from './tool-names.ts';
import { toolSearchTool } from './tool-search.ts';
import type { SignIns } from './types.ts';

type McpServerParts = Omit<ServerParts, 'name'> & { readonly setting: ServerSetting; readonly signIns: SignIns };

/** `cwd`: the working folder, links resolved. */
type McpOptions = { readonly cwd: string; readonly tell: Warn };

type McpView = ServerView & { readonly setting: ServerSetting; readonly isSignedIn: () => boolean };

export type Mcp = ReturnType<typeof createMcp>;

/** What a model is told of, where there is any server. */
export const mcpDefinitions = [toolSearchTool, callToolDefinition] as const;

/** A server without a word of its own has this time for a call, each time that it reports progress anew. */
const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_SEARCH_CHARS = 8_000;

/** All servers of the settings, for one process. */
export function createMcp(parts: readonly McpServerParts[], { cwd, tell }: McpOptions) {
  const servers = parts.map(({ setting, signIns, ...rest }) => ({
    name: setting.name,
    setting,
    isSignedIn: () => signIns.read() !== undefined,
    server: createServer({ name: setting.name, ...rest }),
    timeoutMs: setting.config.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    isProjects: setting.source === 'project',
    isElsewhere: isElsewhere(setting.config.url),
  }));
  let hasStarted = false;
  const earlierLines = new Set<string>();
  const tellOnce: Warn = (line) => {
    if (!earlierLines.has(line.en)) tell(line);
    earlierLines.add(line.en);
  };
  return {
    views: (): readonly McpView[] => servers.map(({ server, setting, isSignedIn }) => ({ ...server.view(), setting, isSignedIn })),
    /** The tools for a session whose pages have at most `maxChars` characters, and whose model takes images while `sees` says so. */
    tools: (maxChars: number, sees: () => boolean): readonly Tool[] => [
      toolSearchTool.make(servers, { maxChars: Math.min(maxChars, MAX_SEARCH_CHARS) }),
      callTool({ servers, cwd, sees }),
    ],
    /** Tools that stand in the list from the start of a session, as they were known then. */
    loaded: (): readonly ToolSpec[] =>
      servers.flatMap(({ server, setting }) => {
        const { specs, leftOut, isUnknown } = loadedSpecs(setting, server.view());
        if (isUnknown) tellOnce(mcpText.notKnown(setting.name));
        if (leftOut > 0) tellOnce(mcpText.tooMany(setting.name, leftOut));
        return specs;
      }),
    /** Begins to connect to all of them, and does not wait. */
    start: (): void => {
      if (hasStarted) return;
      hasStarted = true;
      for (const { server } of servers) void server.connect(new AbortController().signal);
    },
    server: (name: string): CallableServer | undefined => servers.find((each) => each.name === name),
    /** Ends all connections and programs. Never rejects. */
    close: async (): Promise<void> => {
      await Promise.all(servers.map(({ server }) => server.close()));
    },
  };
}

/** Of what is reached by HTTP, only what runs on this machine can change files here. */
const isElsewhere = (url: string | undefined): boolean => url !== undefined && URL.canParse(url) && !isLoopback(new URL(url).hostname);

/** The list is sent with each request. */
const MAX_LOADED_CHARS = 12_000;
/** Where that is not enough, tools are left out. */
const LEAST_DESCRIPTION_CHARS = 80;

function loadedSpecs({ config: { alwaysLoad = false } }: ServerSetting, { tools }: ServerView) {
  const isWanted = (name: string): boolean => (typeof alwaysLoad === 'boolean' ? alwaysLoad : alwaysLoad.includes(name));
  const wanted = tools
    .filter(({ tool }) => isWanted(tool.name) && tool.inputSchema.type === 'object')
    .map(({ name, tool: { description, inputSchema } }) => ({ name, description: inertDescription(description), inputSchema }));
  const own = wanted.reduce((sum, spec) => sum + JSON.stringify({ ...spec, description: '' }).length, 0);
  const descriptions = fitDescriptions(
    wanted.map(({ description }) => description),
    Math.max(MAX_LOADED_CHARS - own, wanted.length * LEAST_DESCRIPTION_CHARS),
    (text) => JSON.stringify(text).length - 2,
  );
  const specs: ToolSpec[] = [];
  let chars = 0;
  for (const [at, tool] of wanted.entries()) {
    const spec = { ...tool, description: descriptions[at] ?? '' };
    chars += JSON.stringify(spec).length;
    if (chars <= MAX_LOADED_CHARS) specs.push(spec);
  }
  const wantsAny = typeof alwaysLoad === 'boolean' ? alwaysLoad : alwaysLoad.length > 0;
  return { specs, leftOut: wanted.length - specs.length, isUnknown: wantsAny && tools.length === 0 };
}
