import { realpathSync } from 'node:fs';
import type { Emit } from '../../agent/ports/effects.ts';
import type { Session } from '../../agent/session/session.ts';
import type { ServerSetting } from '../../domain/config/mcp-server.ts';
import { textOf } from '../../domain/session/message.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { createKnownTools } from '../../store/mcp/known-tools.ts';
import { connectTo } from '../../tools/mcp/connect.ts';
import { createMcp, type Mcp } from '../../tools/mcp/mcp.ts';
import { toolSearchDefinition } from '../../tools/mcp/tool-search.ts';
import type { Environment } from '../environment.ts';
import { versionOf } from '../home.ts';
import { storeEnvironmentOf } from '../open-store.ts';
import type { Settings } from '../settings.ts';

/** The MCP servers of the settings; none of them is started or called yet. */
export function openMcp(environment: Environment, settings: Pick<Settings, 'home' | 'config' | 'servers'>, show: Emit): Mcp {
  const { home, config } = settings;
  const cwd = orUndefined(() => realpathSync(environment.cwd())) ?? environment.cwd();
  const tell = (message: string): void => show({ type: 'warning', message });
  const disk = { ...storeEnvironmentOf(environment, home), warn: tell };
  const context = {
    cwd,
    env: environment.env,
    environmentRules: config.commands.environment,
    platform: environment.platform,
    version: versionOf(environment),
    newId: environment.newId,
    kill: environment.kill,
  };
  return createMcp(
    settings.servers.map((setting) => ({
      setting,
      connect: connectTo(setting, context),
      known: createKnownTools(disk, pathsOf(home), { name: setting.name, identity: identityOf(setting, cwd) }),
      tell,
    })),
    { cwd, tell },
  );
}

/** The kind of these notices: the newest outlives every compaction. */
const SERVER_NOTICE = 'mcp';

/** Which servers there are stands in no prompt, so that it may change: a session that can search them is told, and told again of a change. */
export function appendServerNotice(session: Session, mcp: Mcp): void {
  const { tools, messages } = session.context;
  if (!tools.some(({ name }) => name === toolSearchDefinition.name)) return;
  const names = mcp.views().map(({ name }) => name);
  const text = names.length === 0 ? 'There are no MCP servers any more.' : `The MCP servers here are: ${names.join(', ')}.`;
  const latest = messages.findLast(({ notice }) => notice === SERVER_NOTICE);
  if (latest === undefined ? names.length === 0 : textOf(latest.content) === text) return;
  const message = session.message({ role: 'user', origin: 'notice', notice: SERVER_NOTICE, content: [{ type: 'text', text }] });
  session.appendOrDiscard({ type: 'message', message });
}

/** What makes it this server: the same name in another project, or with another program behind it, is another one. */
const identityOf = ({ source, config: { command, args, cwd, url } }: ServerSetting, folder: string): string =>
  JSON.stringify([source === 'project' ? folder : '', command, args, cwd, url]);
