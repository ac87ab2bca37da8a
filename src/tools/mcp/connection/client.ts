import {
  type AuthProvider,
  Client,
  deserializeMessage,
  type JSONRPCMessage,
  type JsonSchemaType,
  type JsonSchemaValidator,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { AbortedError, errorReason, ReasonError } from '../../../domain/errors.ts';
import type { Bilingual } from '../../../domain/language.ts';
import { type Fields, isObject } from '../../../domain/value/json.ts';
import { visibleLine, visibleText } from '../../place/visible.ts';
import { mcpText } from '../mcp-text.ts';
import type { CallLimits, ConnectionEvents, McpConnection, McpTool } from '../types.ts';
import { outputProblem } from './output-problem.ts';
import { createStdioTransport, type ServerProgram } from './stdio-transport.ts';

/** For what signing in takes of it, so that no other file names the library. */
export * as library from '@modelcontextprotocol/client';

const CONNECT_MS = 30_000;
/** However much progress it reports. */
const MAX_CALL_MS = 3_600_000;
const MAX_LIST_PAGES = 200;

type ClientOptions = { readonly version: string; readonly signal: AbortSignal };

/** Starts a program and greets it. */
export async function connectProgram(program: ServerProgram, events: ConnectionEvents, options: ClientOptions): Promise<McpConnection> {
  const transport = createStdioTransport<JSONRPCMessage>(program, deserializeMessage);
  return connectTo(transport, events, { ...options, reason: transport.reason });
}

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
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } }, fetch, authProvider });
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
      listMaxPages: MAX_LIST_PAGES,
      jsonSchemaValidator: { getValidator: validatorOf },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => events.onToolsChanged() } },
    },
  );
  client.onerror = () => undefined;
  try {
    await client.connect(transport, { signal, timeout: CONNECT_MS + signInMs });
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    throw inWords(error, signal, reason);
  }
  isWanted = true;
  const lose = (why: Bilingual): void => {
    if (isWanted) events.onLost(why);
    isWanted = false;
  };
  client.onclose = () => lose(reason() ?? mcpText.closed);
  return {
    listTools: (listSignal) => listTools(client, listSignal, reason),
    callTool: (name, input, limits) => callTool(client, { name, input }, limits, { reason, lose }),
    close: async () => {
      isWanted = false;
      await client.close().catch(() => undefined);
    },
  };
}

/** In the place of a library that makes a program of a server's schema and runs its expressions. */
const validatorOf =
  <T>(schema: JsonSchemaType): JsonSchemaValidator<T> =>
  (value) => {
    const problem = outputProblem(schema, value);
    return problem === undefined
      ? { valid: true, data: value as T, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: visibleLine(problem, 200) };
  };

async function listTools(client: Client, signal: AbortSignal, reason: () => Bilingual | undefined): Promise<readonly McpTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  try {
    const { tools } = await client.listTools(undefined, { signal, timeout: CONNECT_MS, cacheMode: 'refresh' });
    return tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema }));
  } catch (error) {
    throw inWords(error, signal, reason);
  }
}

async function callTool(
  client: Client,
  { name, input }: { readonly name: string; readonly input: Fields },
  { signal, timeoutMs, onProgress }: CallLimits,
  { reason, lose }: { readonly reason: () => Bilingual | undefined; readonly lose: (why: Bilingual) => void },
) {
  try {
    const result = await client.callTool(
      { name, arguments: { ...input } },
      {
        ...{ signal, timeout: timeoutMs, resetTimeoutOnProgress: true, maxTotalTimeout: MAX_CALL_MS },
        onprogress: ({ progress, total, message }) => onProgress(progressText(progress, total, message)),
      },
    );
    return {
      isError: result.isError === true,
      content: result.content.filter((block): block is typeof block & Fields => isObject(block)),
      structured: result.structuredContent,
    };
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

const inWords = (error: unknown, signal: AbortSignal, reason: Connecting['reason']): Error =>
  signal.aborted ? new AbortedError('stopped') : new ReasonError(reasonOf(error, reason()));

/** In one line; the end of the transport says more than what the library makes of it. */
function reasonOf(error: unknown, ended: Bilingual | undefined): Bilingual {
  if (ended !== undefined) return ended;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return mcpText.noAnswer(CONNECT_MS);
  return visibleText(errorReason(error), 500);
}
