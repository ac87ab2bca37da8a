import type { ConfigResolution } from '../../domain/config/config-layers.ts';
import { readMcpFile, type ServerSetting } from '../../domain/config/mcp-server.ts';
import type { Bilingual } from '../../domain/language.ts';
import { configPaths, mcpFilePath, readMcpText } from '../../store/config-file.ts';
import type { FolderTrust } from './trust.ts';

/** A name counts once: the user's settings first, then the project's, then its `.mcp.json`. */
export function serversOf(
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
  const text = readMcpText(cwd);
  const usable = (servers: readonly ServerSetting[]) => servers.filter(({ config: { disabled } }) => disabled !== true);
  if (text === undefined) return { servers: usable(configured), notices: [] };
  if (state === 'untrusted') return { servers: usable(configured), notices: [mcpFileText.untrusted(file)] };
  if (changed.includes('mcpServers')) return { servers: usable(configured), notices: [mcpFileText.changed(file)] };
  const beside = readMcpFile(text);
  const isTaken = (name: string): boolean => configured.some((each) => each.name === name);
  const added = beside.servers.flatMap(({ name, config: server }): ServerSetting[] =>
    isTaken(name) ? [] : [{ name, config: server, ...fromProject, file }],
  );
  const notices = [
    ...beside.problems.map(({ en, zh }) => ({ en: `${file}: ${en}.`, zh: `${file}：${zh}。` })),
    ...beside.servers
      .filter(({ name }) => isTaken(name))
      .map(({ name }) => mcpFileText.taken(file, name, origins[`mcpServers.${name}`] ?? user)),
  ];
  return { servers: usable([...configured, ...added]), notices };
}

const mcpFileText = {
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
