import { errorReason, ReasonError } from '../../domain/errors.ts';
import type { Bilingual, Warn } from '../../domain/language.ts';
import type { Fields } from '../../domain/value/json.ts';
import { redact } from '../../domain/value/redact.ts';
import { orAborted } from '../or-aborted.ts';
import { boundTools, type ChangedTool, compareTools } from './agreed-tools.ts';
import { mcpText } from './mcp-text.ts';
import { inertLine, type NamedTool, nameTools } from './tool-names.ts';
import type { CallLimits, Connect, KnownTools, LeftOutTool, McpConnection, McpResult, McpTool, ToolListing } from './types.ts';

export type ServerView = {
  readonly name: string;
  /** `idle`: nobody has needed it yet. */
  readonly status: 'idle' | 'connecting' | 'connected' | 'failed';
  /** Why there is no connection, in one line. */
  readonly problem: Bilingual | undefined;
  /** What may be used: as the server says it, or where there is no connection as it said it last. */
  readonly tools: readonly NamedTool[];
  /** Not used before the user agrees to them. */
  readonly changed: readonly ChangedTool[];
  /** What it listed and cannot be used: no tool, or too much of one. Names are made inert. */
  readonly leftOut: readonly LeftOutTool[];
};

export type Server = ReturnType<typeof createServer>;

export type ServerParts = {
  readonly name: string;
  readonly connect: Connect;
  readonly known: KnownTools;
  /** A line for the person. */
  readonly tell: Warn;
};

/** What the server lists, beside what the user has agreed to. What is new is told once. */
function createToolList({ name, known, tell }: Pick<ServerParts, 'name' | 'known' | 'tell'>) {
  let agreed: readonly McpTool[] | undefined;
  let isRead = false;
  let listed: readonly McpTool[] | undefined;
  let leftOut: readonly LeftOutTool[] = [];
  let reportedNames = '';
  let reportedLeftOut = '';
  const agreedTools = (): readonly McpTool[] | undefined => {
    if (!isRead) agreed = known.read();
    isRead = true;
    return agreed;
  };
  const changes = () => (listed === undefined ? { usable: agreedTools() ?? [], changed: [] } : compareTools(agreedTools(), listed));
  const agree = (tools: readonly McpTool[]): void => {
    known.write(tools);
    agreed = tools;
  };
  return {
    changes,
    leftOut: () => leftOut,
    take: (given: ToolListing): void => {
      const bounded = boundTools(given.tools);
      listed = bounded.tools;
      leftOut = [...given.leftOut, ...bounded.leftOut].map((each) => ({
        ...each,
        name: inertLine(redact(each.name), MAX_SHOWN_NAME_CHARS),
      }));
      const problems = leftOutNames(leftOut);
      if (leftOut.length > 0 && problems.en !== reportedLeftOut) tell(mcpText.leftOut(name, problems, leftOut.length));
      reportedLeftOut = problems.en;
      if (agreedTools() === undefined) agree(listed);
      const { changed } = changes();
      const names = changed.map(({ tool }) => tool.name).join('\n');
      if (changed.length > 0 && names !== reportedNames) tell(mcpText.changed(name, changed.length));
      reportedNames = names;
    },
    /** Throws when the tool may not be called: what was known of it may be of the last time that the server answered. */
    require: (tool: string): void => {
      const { usable, changed } = changes();
      if (changed.some((each) => each.tool.name === tool)) throw new ReasonError(mcpText.notAgreed);
      if (!usable.some((each) => each.name === tool)) throw new ReasonError(mcpText.noSuchTool);
    },
    /** The user agrees to what the server says of its tools now. Throws SanbotError when that cannot be kept. */
    agree: (): void => {
      if (listed !== undefined) agree(listed);
      reportedNames = '';
    },
  };
}

const MAX_SHOWN_NAME_CHARS = 80;
const MAX_NAMED = 5;

/** The names with their reasons, so many as a line holds. */
export function leftOutNames(leftOut: readonly LeftOutTool[]): Bilingual {
  const named = leftOut.slice(0, MAX_NAMED);
  const more = leftOut.length - named.length;
  return {
    en: named.map(({ name, why }) => `${name} (${why.en})`).join(', ') + (more === 0 ? '' : `, and ${more} more`),
    zh: named.map(({ name, why }) => `${name}（${why.zh}）`).join('、') + (more === 0 ? '' : `，另有 ${more} 个`),
  };
}

/**
 * One server: connected when it is first needed, and again when it is needed after it was lost. Its loss is told once, until a call succeeds
 * again. A call rejects with AbortedError, and with an Error that says in a line what went wrong.
 */
export function createServer(parts: ServerParts) {
  const { name, tell } = parts;
  const list = createToolList(parts);
  const life = new AbortController();
  let connection: McpConnection | undefined;
  let pending: Promise<void> | undefined;
  let problem: Bilingual | undefined;
  let hasToldLoss = false;
  // Asked for anew when it is next needed, so that a server that changes all the time costs nothing meanwhile.
  let isStale = true;

  const fail = (why: Bilingual): void => {
    [connection, problem] = [undefined, why];
    if (!life.signal.aborted && !hasToldLoss) tell(mcpText.lost(name, why));
    hasToldLoss = true;
  };
  const renew = async (): Promise<void> => {
    try {
      connection ??= await parts.connect({ onToolsChanged: () => (isStale = true), onLost: fail }, life.signal);
      problem = undefined;
      isStale = false;
      list.take(await connection.listTools(life.signal));
    } catch (error) {
      await connection?.close();
      fail(errorReason(error));
    }
  };
  /** Resolves when what it lists is known, or with a problem in the view when it cannot be. Rejects with AbortedError only. */
  const connected = (signal: AbortSignal): Promise<void> => {
    if (connection !== undefined && pending === undefined && !isStale) return Promise.resolve();
    pending ??= renew().finally(() => {
      pending = undefined;
    });
    return orAborted(pending, signal);
  };
  return {
    view: (): ServerView => {
      const { usable, changed } = list.changes();
      const status =
        pending !== undefined ? 'connecting' : connection !== undefined ? 'connected' : problem === undefined ? 'idle' : 'failed';
      return { name, status, problem, tools: nameTools(name, usable), changed, leftOut: list.leftOut() };
    },
    connect: connected,
    call: async (tool: string, input: Fields, limits: CallLimits): Promise<McpResult> => {
      await connected(limits.signal);
      if (connection === undefined) throw new ReasonError(problem ?? mcpText.notConnected);
      list.require(tool);
      const result = await connection.callTool(tool, input, limits);
      hasToldLoss = false;
      return result;
    },
    agree: list.agree,
    close: async (): Promise<void> => {
      life.abort();
      await pending;
      await connection?.close();
      connection = undefined;
    },
  };
}
