import { keyVariablesFor } from '../domain/config/choose-provider.ts';
import { environmentRules } from '../domain/config/command-environment.ts';
import type { Config } from '../domain/config/config.ts';
import { type ConfigResolution, configError, resolveConfig } from '../domain/config/config-layers.ts';
import { type Effort, noEffortText } from '../domain/config/effort.ts';
import { parseModelName, providers } from '../domain/config/endpoint-settings.ts';
import type { ConfigLayer } from '../domain/config/layer.ts';
import { readMcpFile, type ServerSetting } from '../domain/config/mcp-server.ts';
import type { Bilingual } from '../domain/language.ts';
import { inspectText } from '../domain/text.ts';
import { OFFLINE_MODEL } from '../model/catalog.ts';
import { type ConfigFile, configPaths, mcpFilePath, readConfigFiles, readMcp } from '../store/config-file.ts';
import type { Environment } from './environment.ts';
import { type HomeOptions, homeOf } from './home.ts';
import { type CatalogueInUse, useCatalogueOf } from './models/catalogue.ts';
import { type FolderTrust, folderTrust } from './trust/trust.ts';

export type Flags = HomeOptions & {
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
  readonly sandbox?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly maxSteps?: number | undefined;
  /** --trust: the working folder counts as trusted for this run. */
  readonly trust?: boolean | undefined;
};

export type Settings = ConfigResolution & {
  readonly home: string;
  readonly trust: FolderTrust;
  /** The MCP servers of all files that count. */
  readonly servers: readonly ServerSetting[];
};

/** Whether somebody chose to work without a model. What nobody has set up is not that. */
export const isOfflineChosen = ({ config: { model }, origins }: Pick<Settings, 'config' | 'origins'>): boolean =>
  (model.provider === 'offline' && origins['model.provider'] !== 'default') || model.name === OFFLINE_MODEL;

/** For what asks no model: one of a provider that has none of its own is not missed. */
export function readModelessSettings(environment: Environment, flags: Flags): Settings {
  const settings = readSettings(environment, flags);
  const { model } = settings.config;
  const isMissing = model.name === null && !['anthropic', 'offline'].includes(model.provider);
  return isMissing ? { ...settings, config: { ...settings.config, model: { ...model, provider: 'offline' } } } : settings;
}

/** All settings in force here. Throws config_invalid with every problem found: nothing starts on half a configuration. */
export function readSettings(environment: Environment, flags: Flags): Settings {
  const home = homeOf(environment, flags);
  const { model, effort, sandbox, contextWindow, maxSteps } = flags;
  const { user, project } = readConfigFiles(home, environment.cwd());
  const trust = folderTrust(environment, home, flags.trust);
  if (project !== undefined && 'error' in project && trust.state !== 'untrusted') throw project.error;
  const resolved = resolveConfig([
    ...(user === undefined ? [] : [{ kind: 'file', ...user, trust: 'user' } as const]),
    ...(project === undefined ? [] : [projectLayer(project, trust)]),
    { kind: 'env', env: environment.env },
    { kind: 'flags', model, effort, sandbox, contextWindow, maxSteps },
  ]);
  if (resolved.kind === 'bad') throw configError(resolved.problems);
  hideKeys(environment, resolved.config);
  const catalogue = useCatalogueOf(home);
  const problem = trust.problem === undefined ? [] : [{ en: `${trust.problem.en}.`, zh: `${trust.problem.zh}。` }];
  const { servers, notices } = serversOf(resolved, trust, { home, cwd: environment.cwd() });
  const all = [
    ...problem,
    ...resolved.notices,
    ...damagedCatalogue(catalogue),
    ...unusedModel(resolved, model),
    ...unusedEffort(resolved, flags),
    ...unusedKey(resolved, environment),
    ...notices,
  ];
  return { ...resolved, notices: all, home, trust, servers };
}

const damagedCatalogue = (catalogue: CatalogueInUse): readonly Bilingual[] =>
  catalogue.kind !== 'damaged'
    ? []
    : [
        {
          en: `models.json of the home cannot be used (${catalogue.problem.en}): the built-in table counts. Take it anew with sanbot models --refresh, or remove it with --forget.`,
          zh: `无法使用主目录中的 models.json（${catalogue.problem.zh}），改用内置表。用 sanbot models --refresh 重新取得，或用 --forget 删除。`,
        },
      ];

/**
 * Before anything is started that could read them: what holds a key, by its name. What a hook, a server or a command does not get for its value
 * is hidden before the first of them.
 */
function hideKeys({ env, hide }: Environment, config: Config): void {
  const { withhold } = environmentRules(config);
  hide?.(Object.keys(env).filter((name) => withhold.includes(name) || KEY_NAME.test(name)));
}

const KEY_NAME = /^(?:ANTHROPIC|SANBOT)_|(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)S?$/i;

/** Offline there is one model, whatever is named. */
function unusedModel({ config, origins }: ConfigResolution, model: string | undefined): readonly Bilingual[] {
  const isUsed = config.model.provider !== 'offline' || origins['model.provider'] === 'default';
  if (model === undefined || isUsed || parseModelName(model, config.model.endpoints).endpoint !== undefined) return [];
  return [
    {
      en: `--model ${inspectText(model)} is not used: SanBot works offline here, by ${origins['model.provider']}.`,
      zh: `未使用 --model ${inspectText(model)}：此处离线工作（${origins['model.provider']}）。`,
    },
  ];
}

const unusedEffort = ({ config }: ConfigResolution, { model, effort }: Flags): readonly Bilingual[] => {
  const isOffline = config.model.provider === 'offline' && parseModelName(model ?? '', config.model.endpoints).endpoint === undefined;
  return effort === undefined || !isOffline ? [] : [noEffortText('offline')];
};

/** Who once chose to work offline, and later sets a key, is told why nothing changes. */
function unusedKey({ config, origins }: ConfigResolution, { env }: Environment): readonly Bilingual[] {
  const origin = origins['model.provider'] ?? 'default';
  const key = providers.flatMap(keyVariablesFor).find((name) => (env[name] ?? '') !== '');
  if (config.model.provider !== 'offline' || key === undefined || origin === 'default' || origin.startsWith('env ')) return [];
  return [
    {
      en: `${key} is set and not used: ${origin} says offline. sanbot setup changes that.`,
      zh: `已设置 ${key} 但未使用：${origin} 设为离线。用 sanbot setup 更改。`,
    },
  ];
}

const projectLayer = ({ path, text }: ConfigFile, { state, changed }: FolderTrust): ConfigLayer => ({
  ...{ kind: 'file', path, text },
  trust: state === 'untrusted' ? 'untrusted' : 'trusted',
  withheld: changed.filter((part) => part !== 'commands'),
});

export const settingsFiles = (environment: Environment, flags: Flags): { readonly user: string; readonly project: string } =>
  configPaths(homeOf(environment, flags), environment.cwd());

/** A name counts once: the user's settings first, then the project's, then its `.mcp.json`. */
function serversOf(
  { config, origins }: ConfigResolution,
  { state, changed, sawServers }: FolderTrust,
  { home, cwd }: { readonly home: string; readonly cwd: string },
): { readonly servers: readonly ServerSetting[]; readonly notices: readonly Bilingual[] } {
  const { user } = configPaths(home, cwd);
  const fromProject = { source: 'project', withoutKeys: !sawServers } as const;
  const configured = Object.entries(config.mcpServers).map(([name, server]): ServerSetting => {
    const file = origins[`mcpServers.${name}`] ?? user;
    return file === user ? { name, config: server, source: 'user', file } : { name, config: server, ...fromProject, file };
  });
  const file = mcpFilePath(cwd);
  const { text, problem } = readMcp(cwd);
  const usable = (servers: readonly ServerSetting[]) => servers.filter(({ config: { disabled } }) => disabled !== true);
  if (text === undefined) return { servers: usable(configured), notices: problem === undefined ? [] : [problem] };
  if (state === 'untrusted') return { servers: usable(configured), notices: [mcpFileText.untrusted(file)] };
  if (changed.includes('mcpServers')) return { servers: usable(configured), notices: [mcpFileText.changed(file)] };
  const beside = readMcpFile(text);
  const isTaken = (name: string): boolean => configured.some((each) => each.name === name);
  const added = beside.servers.flatMap(({ name, config: server }): ServerSetting[] =>
    isTaken(name) ? [] : [{ name, config: server, ...fromProject, file }],
  );
  const notices = [
    ...beside.problems.slice(0, MAX_TOLD).map(({ en, zh }) => ({ en: `${file}: ${en}.`, zh: `${file}：${zh}。` })),
    ...(beside.problems.length > MAX_TOLD ? [mcpFileText.more(file, beside.problems.length - MAX_TOLD)] : []),
    ...beside.servers
      .filter(({ name }) => isTaken(name))
      .map(({ name }) => mcpFileText.taken(file, name, origins[`mcpServers.${name}`] ?? user)),
  ];
  return { servers: usable([...configured, ...added]), notices };
}

/** Of servers that are wrong. */
const MAX_TOLD = 5;

const mcpFileText = {
  more: (file: string, count: number): Bilingual => ({
    en: `${file}: ${count} more of its servers are not used. Mend those above first.`,
    zh: `${file}：另有 ${count} 个服务器未使用。请先修正以上各项。`,
  }),
  untrusted: (file: string): Bilingual => ({
    en: `${file} is not used, since you have not trusted this folder. sanbot trust add shows what it asks for.`,
    zh: `未使用 ${file}，因为你尚未信任此文件夹。sanbot trust add 显示它要求什么。`,
  }),
  changed: (file: string): Bilingual => ({
    en: `${file} is not used: its MCP servers have changed since you trusted this folder. sanbot trust add shows them.`,
    zh: `未使用 ${file}：其 MCP 服务器在你信任此文件夹之后已更改。sanbot trust add 显示这些服务器。`,
  }),
  taken: (file: string, name: string, other: string): Bilingual => ({
    en: `${file}: the MCP server ${name} is not used, since ${other} has it.`,
    zh: `${file}：未使用 MCP 服务器 ${name}，因为 ${other} 中已有。`,
  }),
};
