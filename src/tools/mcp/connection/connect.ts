/**
 * The way to one server. `connect.ts` says from a setting how it is reached: a program at the other end of two pipes (`stdio-transport.ts`),
 * or an address over HTTP (`direct-fetch.ts`), where a person may have to sign in (`sign-in.ts`, and `callback-server.ts` for the way back
 * from the browser). `client.ts` is the library, loaded with the first server.
 *
 * A setting comes in, and a connection goes out that lists tools and calls them, or an Error that says in a line why there is none.
 *
 * A project's server reaches public addresses only and gets none of SanBot's own variables. A token goes to the address that it is for,
 * and to no place that this redirects to.
 */

import { resolve } from 'node:path';
import type { Deadline } from '../../../agent/ports/effects.ts';
import { expandServer, type McpServerConfig, type ServerSetting } from '../../../domain/config/mcp-server.ts';
import { AbortedError, ReasonError } from '../../../domain/errors.ts';
import type { Warn } from '../../../domain/language.ts';
import type { Resolve } from '../../../net/addresses.ts';
import { isWithheldByName, scrubEnv } from '../../command/scrub-env.ts';
import type { ShellContext } from '../../command/shell.ts';
import { mcpText } from '../mcp-text.ts';
import type { Connect, ConnectionEvents, McpConnection, SignInQuestion, SignIns } from '../types.ts';
import type { ServerProgram } from './stdio-transport.ts';

type ConnectContext = Omit<ShellContext, 'shell' | 'redactSecrets' | 'limits'> & {
  readonly version: string;
  readonly deadline: Deadline;
  readonly resolve: Resolve;
  /** The proxy of the environment; undefined where there is none for this address. `isNamed`: the user names its host. */
  readonly proxyFor: (url: URL, isNamed: boolean) => URL | undefined;
  /** A line for the person. */
  readonly tell: Warn;
};

/** A person who signs in now, and is given the address of the page. */
export type Login = {
  readonly show: (address: URL) => void;
  /** Asks whether what is secret may be sent to these addresses. Rejects with an Error that says why nobody can be asked. */
  readonly agree: (question: SignInQuestion) => Promise<boolean>;
};

/** How a server is reached. The library is loaded when the first one is. */
export function connectTo(
  setting: ServerSetting,
  context: ConnectContext,
  { signIns, login }: { readonly signIns: SignIns; readonly login?: Login | undefined },
): Connect {
  return async (events, signal) => {
    const expanded = expandServer(setting.config, (name) => variableFor(setting, name, context));
    if (expanded.kind === 'missing') {
      const isWithheld = expanded.names.some((name) => isUnseenKey(setting, name, context));
      throw new ReasonError(mcpText.missing(expanded.names, isWithheld));
    }
    const { connectProgram } = await import('./client.ts');
    if (signal.aborted) throw new AbortedError('stopped');
    const { config } = expanded;
    if (config.url !== undefined) return connectUrl({ ...setting, config }, context, { signIns, login, events, signal });
    return connectProgram(programOf(config, context), events, { version: context.version, signal });
  };
}

type UrlOptions = {
  readonly signIns: SignIns;
  readonly login: Login | undefined;
  readonly events: ConnectionEvents;
  readonly signal: AbortSignal;
};

async function connectUrl(
  { name, source, config: { url: text = '', headers = {}, oauth = {} } }: ServerSetting,
  { resolve: resolveHost, proxyFor, newId, deadline, version, tell }: ConnectContext,
  { signIns, login, events, signal }: UrlOptions,
): Promise<McpConnection> {
  const { connectAddress } = await import('./client.ts');
  const { answeringInTime, createDirectFetch, refusingRedirects } = await import('./direct-fetch.ts');
  const { savedSignIn, signInByBrowser, SIGN_IN_MS } = await import('./sign-in.ts');
  const url = urlOf(text);
  const direct = createDirectFetch({ named: source === 'user' ? [url.hostname] : [], resolve: resolveHost, proxyFor });
  const fetch = login === undefined ? direct : answeringInTime(direct, { deadline, signal });
  if (source === 'project' && proxyFor(url, false) !== undefined) tell(mcpText.throughProxy(name));
  const hasHeaders = Object.keys(headers).length > 0;
  const parts = { name, url, fetch, signIns };
  const address = {
    ...{ url, headers },
    fetch: refusingRedirects(fetch, (init) => hasHeaders || new Headers(init.headers).has('authorization')),
    auth: login === undefined ? savedSignIn(parts) : signInByBrowser({ ...parts, ...login, oauth, newId, deadline, signal }),
    signInMs: login === undefined ? 0 : SIGN_IN_MS,
  };
  return connectAddress(address, events, { version, signal });
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new ReasonError(mcpText.noAddress);
}

/** A project does not get at SanBot's own variables, the key to the model above all, nor at what the user's rules hold back. */
function variableFor(setting: ServerSetting, name: string, context: ConnectContext): string | undefined {
  const { env, environmentRules } = context;
  const isRefused = setting.source === 'project' && (isWithheldByName(name, environmentRules) || isUnseenKey(setting, name, context));
  return isRefused ? undefined : env[name];
}

/** A variable that holds a credential, asked for by a server whose requests the user has not seen. */
const isUnseenKey = ({ withoutKeys }: ServerSetting, name: string, { env, environmentRules }: ConnectContext): boolean =>
  withoutKeys === true &&
  env[name] !== undefined &&
  !isWithheldByName(name, environmentRules) &&
  scrubEnv(env, environmentRules).env[name] === undefined;

function programOf({ command = '', args = [], env = {}, cwd = '.' }: McpServerConfig, context: ConnectContext): ServerProgram {
  return {
    command,
    args,
    cwd: resolve(context.cwd, cwd),
    env: { ...scrubEnv(context.env, context.environmentRules).env, ...env },
    mark: ['MCP_SERVER_ID', context.newId()],
    kill: context.kill,
    platform: context.platform,
  };
}
