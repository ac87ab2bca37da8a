import { warn } from '../../agent/deps.ts';
import type { Emit } from '../../agent/ports/effects.ts';
import type { Session } from '../../agent/session/session.ts';
import { environmentRules } from '../../domain/config/command-environment.ts';
import type { ServerSetting } from '../../domain/config/mcp-server.ts';
import type { Warn } from '../../domain/language.ts';
import { textOf } from '../../domain/session/message.ts';
import { resolveName } from '../../net/addresses.ts';
import { proxyFor } from '../../net/proxy.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { createKnownTools, createSignInFile, type ServerIdentity } from '../../store/mcp-files.ts';
import { scrubEnv } from '../../tools/command/scrub-env.ts';
import { connectTo, type Login } from '../../tools/mcp/connection/connect.ts';
import { createMcp, type Mcp } from '../../tools/mcp/mcp.ts';
import { toolSearchTool } from '../../tools/mcp/tool-search.ts';
import type { SignIns } from '../../tools/mcp/types.ts';
import type { Environment } from '../environment.ts';
import { versionOf } from '../home.ts';
import { storeEnvironmentOf } from '../open-store.ts';
import { realpathOf } from '../prompt/project-context.ts';
import type { Settings } from '../settings.ts';

/** The MCP servers of the settings; none of them is started or called yet. */
export function openMcp(environment: Environment, settings: Pick<Settings, 'home' | 'config' | 'servers'>, show: Emit, login?: Login): Mcp {
  const { home, config } = settings;
  const cwd = realpathOf(environment.cwd());
  const tell: Warn = (message) => warn(show, message);
  const disk = { ...storeEnvironmentOf(environment, home), warn: tell };
  const context = {
    cwd,
    env: environment.env,
    environmentRules: environmentRules(config),
    platform: environment.platform,
    version: versionOf(environment),
    newId: environment.newId,
    deadline: environment.deadline,
    kill: environment.kill,
    tell: onceEach(tell),
    // A project's server goes round no proxy unchecked, whatever NO_PROXY says.
    resolve: resolveName,
    proxyFor: (url: URL, isNamed: boolean) => proxyFor(url, isNamed ? environment.env : { ...environment.env, NO_PROXY: '', no_proxy: '' }),
  };
  return createMcp(
    settings.servers.map((setting) => {
      const signIns = signInsOf(setting, environment, home);
      return {
        ...{ setting, signIns },
        connect: async (events, signal) => {
          environment.hide?.(scrubEnv(context.env, context.environmentRules).withheld);
          return connectTo(setting, context, { signIns, login })(events, signal);
        },
        known: setting.isPassing === true ? passingTools() : createKnownTools(disk, pathsOf(home), serverIdentity(setting, cwd)),
        tell,
      };
    }),
    { cwd, tell },
  );
}

/** What a server said of its tools, for as long as the process lives. */
function passingTools(): ReturnType<typeof createKnownTools> {
  let known: ReturnType<ReturnType<typeof createKnownTools>['read']>;
  return {
    read: () => known,
    write: (tools) => {
      known = tools;
    },
  };
}

function onceEach(tell: Warn): Warn {
  const earlierLines = new Set<string>();
  return (line) => {
    if (!earlierLines.has(line.en)) tell(line);
    earlierLines.add(line.en);
  };
}

/** What signing in to a server gave. */
export const signInsOf = (setting: ServerSetting, environment: Environment, home: string): SignIns =>
  createSignInFile(
    { ...storeEnvironmentOf(environment, home), warn: () => undefined },
    pathsOf(home),
    serverIdentity(setting, realpathOf(environment.cwd())),
  );

/** The kind of these notices: the newest outlives every compaction. */
const SERVER_NOTICE = 'mcp';

/** Which servers there are stands in no prompt, so that it may change: a session that can search them is told, and told again of a change. */
export function appendServerNotice(session: Session, mcp: Mcp): void {
  const { tools, messages } = session.context;
  if (!tools.some(({ name }) => name === toolSearchTool.name)) return;
  const names = mcp.views().map(({ name }) => name);
  const text = names.length === 0 ? 'There are no MCP servers any more.' : `The MCP servers here are: ${names.join(', ')}.`;
  const latest = messages.findLast(({ notice }) => notice === SERVER_NOTICE);
  if (latest === undefined ? names.length === 0 : textOf(latest.content) === text) return;
  const message = session.message({ role: 'user', origin: 'notice', notice: SERVER_NOTICE, content: [{ type: 'text', text }] });
  session.appendOrDiscard({ type: 'message', message });
}

/** What makes it this server: the same name in another project, or with another program behind it, is another one. */
const serverIdentity = ({ name, source, config: { command, args, cwd, url } }: ServerSetting, folder: string): ServerIdentity => ({
  name,
  identity: JSON.stringify([source === 'project' ? folder : '', command, args, cwd, url]),
});
