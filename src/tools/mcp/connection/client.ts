import {
  type AuthProvider,
  Client,
  type JSONRPCMessage,
  ProtocolError,
  parseJSONRPCMessage,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { z } from 'zod';
import { AbortedError, errorReason, ReasonError } from '../../../domain/errors.ts';
import type { Bilingual } from '../../../domain/language.ts';
import { type Fields, isString, parseJson } from '../../../domain/value/json.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { visibleLine, visibleText } from '../../place/visible.ts';
import { mcpText } from '../mcp-text.ts';
import type { CallLimits, ConnectionEvents, McpConnection, McpResult } from '../types.ts';
import { type ListedTools, outputProblem, readListed } from './listed-tools.ts';
import { mendedResponse, serverMessages } from './server-message.ts';
import { createStdioTransport, type ServerProgram } from './stdio-transport.ts';

/** For what signing in takes of it, so that no other file names the library. */
export * as library from '@modelcontextprotocol/client';

/** What is wrong with a value by a JSON Schema of any draft from 6 on; undefined where nothing is. Throws for what is no schema. */
export function createSchemaCheck(schema: Fields): (value: unknown) => string | undefined {
  const validate = new AjvJsonSchemaValidator().getValidator(schema);
  return (value) =>
    validate(value)
      .errorMessage?.replace(/^data must/, 'the value must')
      .replace(/, data must/g, ', the value must')
      .replaceAll('data/', '/');
}

const CONNECT_MS = 30_000;
/** However much progress it reports. */
const MAX_CALL_MS = 3_600_000;
const MAX_LIST_PAGES = 200;

type ClientOptions = { readonly version: string; readonly signal: AbortSignal };

/** Starts a program and greets it. */
export async function connectProgram(program: ServerProgram, events: ConnectionEvents, options: ClientOptions): Promise<McpConnection> {
  const transport = createStdioTransport(program, (line) => libraryMessages(parseJson(line)));
  return connectTo(transport, events, { ...options, reason: transport.reason });
}

const libraryMessages = (value: unknown): readonly JSONRPCMessage[] =>
  serverMessages(value).flatMap((message) => orUndefined(() => parseJSONRPCMessage(message)) ?? []);

type ServerAddress = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Says the token of a request, and gets another one when the server takes none or not this one. */
  readonly auth: AuthProvider;
  /** How long a person may take to sign in meanwhile. */
  readonly signInMs: number;
};

/** Calls an address, over streamable HTTP. */
export async function connectAddress(
  { url, headers, fetch, auth: authProvider, signInMs }: ServerAddress,
  events: ConnectionEvents,
  options: ClientOptions,
): Promise<McpConnection> {
  const mendedFetch = async (to: string | URL, init?: RequestInit): Promise<Response> => mendedResponse(await fetch(to, init));
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } }, fetch: mendedFetch, authProvider });
  return connectTo(transport, events, { ...options, reason: () => undefined, signInMs });
}

type Connecting = ClientOptions & {
  /** What the transport knows of why it ended; empty when it knows nothing. */
  readonly reason: () => Bilingual | undefined;
  readonly signInMs?: number;
};

async function connectTo(
  transport: Transport,
  events: ConnectionEvents,
  { version, signal, reason, signInMs = 0 }: Connecting,
): Promise<McpConnection> {
  let isWanted = false;
  const client = new Client(
    { name: 'sanbot', version },
    {
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => events.onToolsChanged() } },
    },
  );
  client.onerror = () => undefined;
  try {
    await client.connect(transport, { signal, timeout: CONNECT_MS + signInMs });
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    // That it was closed here says nothing of why.
    throw inWords(error, signal, () => (reason() === mcpText.closed ? undefined : reason()), CONNECT_MS + signInMs);
  }
  isWanted = true;
  const lose = (why: Bilingual): void => {
    if (isWanted) events.onLost(why);
    isWanted = false;
  };
  client.onclose = () => lose(reason() ?? mcpText.closed);
  let outputs: ReadonlyMap<string, Fields> = new Map();
  return {
    listTools: async (listSignal) => {
      const listed = await listTools(client, listSignal, reason);
      ({ outputs } = listed);
      return listed;
    },
    callTool: async (name, input, limits) => resultOf(await callTool(client, { name, input }, limits, { reason, lose }), outputs.get(name)),
    close: async () => {
      isWanted = false;
      await client.close().catch(() => undefined);
    },
  };
}

/** Held against what is asked of it here and nothing more, so that one wrong entry or block takes no other with it. */
const anyResult = z.looseObject({});

const ask = (client: Client, method: string, params: Fields, options: RequestOptions): Promise<Fields> =>
  client.request({ method, params }, anyResult, options);

/** Page by page. Of a list whose later pages do not come, what came is kept. */
async function listTools(client: Client, signal: AbortSignal, reason: Connecting['reason']): Promise<ListedTools> {
  const entries: unknown[] = [];
  let problem: Bilingual | undefined;
  try {
    const cursors = new Set<string>();
    for (let cursor: string | undefined; client.getServerCapabilities()?.tools !== undefined; ) {
      const page = await askPage(client, cursor, { signal, timeout: CONNECT_MS });
      if (cursor === undefined && page.problem !== undefined) throw new ReasonError(page.problem);
      for (const tool of page.tools) entries.push(tool);
      problem = page.problem ?? (cursors.size >= MAX_LIST_PAGES ? mcpText.endlessList : undefined);
      cursor = page.next;
      if (problem !== undefined || cursor === undefined || cursors.has(cursor)) break;
      cursors.add(cursor);
    }
  } catch (error) {
    throw inWords(error, signal, reason);
  }
  const listed = readListed(entries);
  const missing = problem === undefined ? [] : [{ name: `#${entries.length + 1}…`, why: problem }];
  return { ...listed, leftOut: [...listed.leftOut, ...missing] };
}

type ListPage = { readonly tools: readonly unknown[]; readonly next?: string | undefined; readonly problem?: Bilingual };

async function askPage(client: Client, cursor: string | undefined, options: RequestOptions): Promise<ListPage> {
  try {
    const { tools, nextCursor } = await ask(client, 'tools/list', cursor === undefined ? {} : { cursor }, options);
    if (!Array.isArray(tools)) return { tools: [], problem: mcpText.noList };
    return { tools, next: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined };
  } catch (error) {
    // An error that the server itself gives leaves the connection as it is.
    if (error instanceof ProtocolError) return { tools: [], problem: reasonOf(error, undefined) };
    throw error;
  }
}

/** Older servers call what is structured otherwise. */
function resultOf({ isError, content = [], structuredContent, toolResult, unfinished }: Fields, output: Fields | undefined): McpResult {
  if (isString(unfinished)) throw new ReasonError(mcpText.unfinished(visibleLine(unfinished, 40)));
  if (!Array.isArray(content)) throw new ReasonError(mcpText.noContent);
  const structured = structuredContent ?? toolResult ?? undefined;
  const problem = structured === undefined || output === undefined ? undefined : outputProblem(output, structured);
  return { isError: isError === true, content, structured, problem: problem && visibleLine(problem, 200) };
}

async function callTool(
  client: Client,
  { name, input }: { readonly name: string; readonly input: Fields },
  { signal, timeoutMs, onProgress }: CallLimits,
  { reason, lose }: { readonly reason: () => Bilingual | undefined; readonly lose: (why: Bilingual) => void },
): Promise<Fields> {
  try {
    return await ask(
      client,
      'tools/call',
      { name, arguments: input },
      {
        ...{ signal, timeout: timeoutMs, resetTimeoutOnProgress: true, maxTotalTimeout: MAX_CALL_MS },
        onprogress: ({ progress, total, message }) => onProgress(progressText(progress, total, message)),
      },
    );
  } catch (error) {
    if (signal.aborted) throw new AbortedError('stopped');
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) throw new ReasonError(mcpText.noAnswer(timeoutMs));
    const why = reasonOf(error, reason());
    // An error that the server itself gives leaves the connection as it is.
    if (!(error instanceof ProtocolError)) {
      lose(why);
      await client.close().catch(() => undefined);
    }
    throw new ReasonError(why);
  }
}

const progressText = (progress: number, total: number | undefined, message: string | undefined): string =>
  visibleLine(`${progress}${total === undefined ? '' : ` of ${total}`}${message === undefined ? '' : `, ${message}`}`, 120);

const inWords = (error: unknown, signal: AbortSignal, reason: Connecting['reason'], ms = CONNECT_MS): Error =>
  signal.aborted ? new AbortedError('stopped') : new ReasonError(reasonOf(error, reason(), ms));

const NO_VERSION = /^Server's protocol version is not supported: /;

/** In one line; the end of the transport says more than what the library makes of it. */
function reasonOf(error: unknown, ended: Bilingual | undefined, ms = CONNECT_MS): Bilingual {
  // It was ended here for it.
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) return mcpText.noGreeting;
  if (error instanceof Error && NO_VERSION.test(error.message))
    return mcpText.otherVersion(visibleLine(error.message.replace(NO_VERSION, ''), 40));
  if (ended !== undefined) return ended;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return mcpText.noAnswer(ms);
  return visibleText(errorReason(error), 500);
}
