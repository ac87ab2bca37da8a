import { resolve } from 'node:path';
import type { NewId } from '../../agent/ports/effects.ts';
import { expandServer, type McpServerConfig, type ServerSetting } from '../../domain/config/mcp-server.ts';
import { AbortedError } from '../../domain/errors.ts';
import type { ProcessGroup } from '../command/process-group.ts';
import { type EnvironmentRules, scrubEnv } from '../command/scrub-env.ts';
import type { ServerProgram } from './stdio-transport.ts';
import type { Connect } from './types.ts';

export type ConnectContext = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which variables a program gets beside those that its setting gives it. */
  readonly environmentRules: EnvironmentRules;
  readonly platform: string;
  readonly version: string;
  readonly newId: NewId;
  readonly kill: ProcessGroup['kill'];
};

/** How a server is reached. The library is loaded when the first one is. */
export function connectTo(setting: ServerSetting, context: ConnectContext): Connect {
  return async (events, signal) => {
    const expanded = expandServer(setting.config, (name) => variableFor(setting, name, context));
    if (expanded.kind === 'missing') throw new Error(`it needs ${expanded.names.join(', ')} from the environment, which is not set`);
    const { connectAddress, connectProgram } = await import('./client.ts');
    if (signal.aborted) throw new AbortedError('stopped');
    const { url, headers = {} } = expanded.config;
    if (url !== undefined) {
      const address = urlOf(url);
      const named = setting.source === 'user' ? [address.hostname] : [];
      const { createDirectFetch } = await import('./direct-fetch.ts');
      return connectAddress({ url: address, headers, fetch: createDirectFetch({ named }) }, events, { version: context.version, signal });
    }
    return connectProgram(programOf(expanded.config, context), events, { version: context.version, signal });
  };
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new Error('its url is no address that begins with https:// or http://');
}

/** A project does not get at SanBot's own variables, the key to the model above all. */
function variableFor({ source }: ServerSetting, name: string, { env }: ConnectContext): string | undefined {
  return source === 'project' && OWN.test(name) ? undefined : env[name];
}

const OWN = /^(?:ANTHROPIC|SANBOT)_/i;

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
