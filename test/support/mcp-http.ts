import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { afterThisTest } from './clean-up.ts';
import type { Sandbox } from './sanbot.ts';

/** A request as it came. */
export type HeardRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};
export type Reply = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };
/** It says nothing, ends the connection, or never comes to an end. */
export type Refusal = 'hang' | 'drop' | 'endless';
type Listener = { readonly url: string; readonly heard: readonly HeardRequest[] };

/** An HTTP server on a loopback port for one test. What `answer` throws, the test's end throws again. */
export async function listen(answer: (request: HeardRequest, url: string) => Reply | Refusal): Promise<Listener> {
  const heard: HeardRequest[] = [];
  const problems: unknown[] = [];
  let url = '';
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const { method = '', headers } = request;
      const each = { method, path: request.url ?? '', headers, body };
      heard.push(each);
      try {
        const reply = answer(each, url);
        if (reply === 'drop') request.socket.destroy();
        else if (reply === 'endless') sendEndless(response);
        else if (reply !== 'hang') send(response, reply);
      } catch (error) {
        problems.push(error);
        send(response, { status: 500, body: String(error) });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}`;
  afterThisTest(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(problems).toEqual([]);
  });
  return { url, heard };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }), ...headers });
  response.end(body === undefined ? '' : isText ? body : JSON.stringify(body));
}

function sendEndless(response: ServerResponse): void {
  const blanks = Buffer.alloc(1_000_000, ' ');
  const more = (): void => void (response.destroyed || response.write(blanks, more));
  response.writeHead(200, { 'content-type': 'application/json' });
  more();
}

export type PageOptions = {
  /** What is asked of a request beside its form; a reply refuses it. */
  readonly guard?: (request: HeardRequest, url: string) => Reply | Refusal | undefined;
};

/** An MCP server over streamable HTTP at /mcp that has one tool, `echo`, and answers each message with JSON. Strict about what it gets. */
export const startHttpServer = ({ guard }: PageOptions = {}): Promise<Listener> =>
  listen((request, url) => guard?.(request, url) ?? answerMcp(request));

/** A proxy of the network, behind which this server is the one host that there is. */
export const startProxy = (host: string): Promise<Listener> =>
  listen((request) => {
    const address = new URL(request.path);
    return address.host === host ? answerMcp({ ...request, path: address.pathname }) : { status: 502 };
  });

function answerMcp(request: HeardRequest): Reply {
  if (request.path !== '/mcp') return { status: 404 };
  // It sends nothing by itself, and keeps no session.
  if (request.method !== 'POST') return { status: 405 };
  expect(request.headers['content-type']).toBe('application/json');
  expect(request.headers.accept).toContain('text/event-stream');
  const message = JSON.parse(request.body);
  expect(message.jsonrpc).toBe('2.0');
  return message.id === undefined ? { status: 202 } : { status: 200, body: { jsonrpc: '2.0', id: message.id, ...answerTo(message) } };
}

const ECHO = {
  name: 'echo',
  description: 'Says what it is told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
};

function answerTo({ method, params = {} }: { readonly method: string; readonly params?: Record<string, unknown> }): object {
  const { protocolVersion, arguments: input } = params as { protocolVersion?: string; arguments?: { text?: string } };
  switch (method) {
    case 'initialize':
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'page', version: '1' } } };
    case 'tools/list':
      return { result: { tools: [ECHO] } };
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: `echo: ${input?.text}` }] } };
    default:
      return { error: { code: -32601, message: `no method ${method}` } };
  }
}

export type SignInOptions = {
  /** Refuses everybody. */
  readonly denies?: boolean;
  /** Knows this program beforehand, and takes no other. */
  readonly client?: { readonly id: string; readonly secret: string };
  /** Sends the browser back as somebody else. */
  readonly issuerInAnswer?: string;
  /** Sends a request for a token on to this address. */
  readonly tokenRedirect?: string;
  /** What it says of itself in another way than it is; undefined leaves a part out. A test may change it. */
  readonly says?: Record<string, unknown>;
  /** What it answers in place of what it ought to. */
  readonly twist?: (request: HeardRequest, reply: Reply) => Reply | Refusal;
};

export type SignInServer = Listener & {
  /** For the `guard` of an MCP server: lets in whoever has a token for it. */
  readonly guard: NonNullable<PageOptions['guard']>;
  /** The tokens that were given, the newest last. */
  readonly tokens: readonly string[];
  /** From now on a token counts no more; with `refresh`, what renews it neither. */
  readonly expire: (what?: 'refresh') => void;
};

/** An authorization server that holds whoever comes to the letter: PKCE, state, the resource, the registered way back, single use. */
export async function startSignInServer(options: SignInOptions = {}): Promise<SignInServer> {
  const { client: fixed } = options;
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, Readonly<Record<string, string>>>();
  const tokens: string[] = [];
  let valid: string | undefined;
  let refresh: { readonly token: string; readonly client: string; readonly resource: string } | undefined;
  const give = (client: string, resource: string): Reply => {
    valid = `access-${randomBytes(6).toString('hex')}`;
    refresh = { token: `refresh-${randomBytes(6).toString('hex')}`, client, resource };
    tokens.push(valid);
    return { status: 200, body: { access_token: valid, token_type: 'Bearer', expires_in: 3600, refresh_token: refresh.token } };
  };
  const metadata = (url: string): Reply => ({
    status: 200,
    body: {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      ...(fixed === undefined && { registration_endpoint: `${url}/register` }),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: [fixed === undefined ? 'none' : 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      ...options.says,
    },
  });
  const register = ({ body }: HeardRequest): Reply => {
    const asked = JSON.parse(body);
    expect(asked).toMatchObject({ client_name: 'SanBot', token_endpoint_auth_method: 'none', response_types: ['code'] });
    for (const address of asked.redirect_uris) expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const id = `client-${clients.size + 1}`;
    clients.set(id, asked.redirect_uris);
    return { status: 201, body: { ...asked, client_id: id } };
  };
  const authorize = ({ path }: HeardRequest, url: string): Reply => {
    const asked = Object.fromEntries(new URL(path, url).searchParams);
    expect(asked).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', scope: 'mcp:tools' });
    expect(asked.state).toMatch(/^[0-9a-f]{32}$/);
    expect(asked.code_challenge).toMatch(/^[\w-]{43}$/);
    expect(asked.resource).toMatch(/\/mcp$/);
    if (fixed === undefined) expect(clients.get(asked.client_id ?? '')).toContain(asked.redirect_uri);
    else expect(asked.client_id).toBe(fixed.id);
    const back = new URL(asked.redirect_uri ?? '');
    if (options.denies === true) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomBytes(8).toString('hex');
      codes.set(code, asked);
      back.searchParams.set('code', code);
    }
    back.searchParams.set('state', asked.state ?? '');
    back.searchParams.set('iss', options.issuerInAnswer ?? url);
    return { status: 302, headers: { location: back.href } };
  };
  const token = ({ body, headers }: HeardRequest): Reply => {
    if (options.tokenRedirect !== undefined) return { status: 307, headers: { location: options.tokenRedirect } };
    expect(headers['content-type']).toContain('application/x-www-form-urlencoded');
    const asked = Object.fromEntries(new URLSearchParams(body));
    expect(asked.client_secret).toBe(fixed?.secret);
    if (asked.grant_type === 'refresh_token') {
      if (asked.refresh_token !== refresh?.token) return { status: 400, body: { error: 'invalid_grant' } };
      expect([asked.client_id, asked.resource]).toEqual([refresh?.client, refresh?.resource]);
      return give(asked.client_id ?? '', asked.resource ?? '');
    }
    expect(asked.grant_type).toBe('authorization_code');
    const given = codes.get(asked.code ?? '');
    codes.delete(asked.code ?? '');
    if (given === undefined) return { status: 400, body: { error: 'invalid_grant' } };
    expect(
      createHash('sha256')
        .update(asked.code_verifier ?? '')
        .digest('base64url'),
    ).toBe(given.code_challenge);
    for (const key of ['client_id', 'redirect_uri', 'resource']) expect(asked[key]).toBe(given[key]);
    return give(asked.client_id ?? '', asked.resource ?? '');
  };
  const routes: Readonly<Record<string, (request: HeardRequest, url: string) => Reply>> = {
    'GET /.well-known/oauth-authorization-server': (_, url) => metadata(url),
    'POST /register': register,
    'GET /authorize': authorize,
    'POST /token': token,
  };
  const listener = await listen((request, url) => {
    // It has nothing to do with tokens for others, nor with headers of anybody's settings.
    expect([request.headers.authorization, request.headers['x-desk']]).toEqual([undefined, undefined]);
    const reply = routes[`${request.method} ${request.path.replace(/\?.*/, '')}`]?.(request, url) ?? { status: 404 };
    return options.twist?.(request, reply) ?? reply;
  });
  return {
    ...listener,
    tokens,
    expire: (what) => {
      valid = undefined;
      if (what === 'refresh') refresh = undefined;
    },
    guard: ({ path, headers }, url) => {
      if (path === '/.well-known/oauth-protected-resource/mcp')
        return { status: 200, body: { resource: `${url}/mcp`, authorization_servers: [listener.url] } };
      if (path !== '/mcp') return { status: 404 };
      if (valid !== undefined && headers.authorization === `Bearer ${valid}`) return undefined;
      const challenge = `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp", scope="mcp:tools"`;
      return { status: 401, headers: { 'www-authenticate': challenge }, body: { error: 'invalid_token' } };
    },
  };
}

/** A browser of this world: the program that opens addresses goes to each, and where that leads. */
export function browserIn(world: Sandbox): { readonly env: Readonly<Record<string, string>>; readonly trace: string } {
  const folder = join(world.cwd, '..', 'programs');
  const trace = join(folder, 'trace');
  mkdirSync(folder, { recursive: true });
  const script = join(folder, 'browser.mjs');
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs';
const answer = await fetch(process.argv[2]);
appendFileSync(${JSON.stringify(trace)}, answer.url.replace(/\\?.*/, '') + ' ' + answer.status + ' ' + (await answer.text()));`,
  );
  for (const name of ['xdg-open', 'open'])
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${process.execPath} ${script} "$1"\n`, { mode: 0o755 });
  return { env: { PATH: `${folder}:${world.env.PATH}` }, trace };
}
