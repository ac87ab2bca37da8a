import { type Bilingual, sameInBoth, type UiLanguage } from '../language.ts';
import { isObject } from '../value/json.ts';
import { type ObjectNode, parseConfigText, plainValue } from './config-text.ts';
import { goneSettings, truncate } from './layer.ts';
import { foreignServerSchema, serverRequest } from './mcp-server.ts';

/** Nothing of it is checked yet. `does` is what it runs or where it is, and which variables of the environment it would get. */
export type RequestedServer = { readonly name: string; readonly does: string };

/** What a project's settings file asks for, before anybody has agreed to it. Nothing of it is checked yet. */
export type ProjectRequest = {
  /** Dotted keys that would apply, in the order of the file. */
  readonly settings: readonly string[];
  /** Dotted keys that belong to the user and never apply from here. */
  readonly refused: readonly string[];
  /** Commands that would run by themselves, each with the moment. */
  readonly hooks: readonly { readonly event: string; readonly command: string }[];
  /** The hooks as one text, to tell whether they are those that were agreed to; empty when there are none. */
  readonly hooksText: string;
  /** Programs that it would start and addresses that it would call, as MCP servers. */
  readonly servers: readonly RequestedServer[];
  /** The servers as one text, as `hooksText`. */
  readonly serversText: string;
  readonly problem?: Bilingual;
};

const ENDPOINT: Bilingual = { en: 'set the endpoint, the key or the provider', zh: '设置端点、密钥或服务方' };
const MEMORIES: Bilingual = { en: 'decide what you remember', zh: '决定记住什么' };
const SNAPSHOTS: Bilingual = { en: 'decide how long your snapshots are kept', zh: '决定快照保留多久' };

/** Belongs to the user, whoever is trusted: what it decides, as it follows "a project may not" and 项目不得. By section, or by key. */
const userOnly: Readonly<Record<string, Bilingual>> = {
  'model.provider': ENDPOINT,
  'model.baseUrl': ENDPOINT,
  'model.apiKey': ENDPOINT,
  'model.apiKeyEnv': ENDPOINT,
  'model.headers': ENDPOINT,
  'model.endpoints': ENDPOINT,
  'model.price': { en: 'say what a model costs', zh: '规定模型的价格' },
  memory: MEMORIES,
  recall: { en: 'decide where texts are sent for vectors', zh: '决定为取得向量把文本发往何处' },
  sync: { en: 'decide what leaves this machine', zh: '决定什么离开本机' },
  hub: { en: 'decide what a turn waits for', zh: '决定一轮要等待什么' },
  'compaction.memoryFlush': MEMORIES,
  'compaction.snapshotRetentionDays': SNAPSHOTS,
  'compaction.snapshotMaxBytes': SNAPSHOTS,
  permissions: { en: 'decide what runs without asking', zh: '决定什么可以不询问就运行' },
  commands: { en: 'decide what of your environment commands get', zh: '决定命令能得到你环境中的什么' },
  changes: { en: 'decide what can be undone', zh: '决定什么可以撤销' },
  ui: { en: 'choose the language or the colours of your screen', zh: '选择界面的语言或颜色' },
  'agent.redactSecrets': { en: 'decide whether secrets are masked', zh: '决定是否遮盖机密' },
  'agent.helperMaxCostUsd': { en: 'decide what is spent', zh: '决定花费多少' },
};

/** What a project may not do that a setting would; undefined when a trusted project may set it. */
export function whyUserOnly(key: string): Bilingual | undefined {
  const [section = ''] = key.split('.');
  return Object.hasOwn(userOnly, key) ? userOnly[key] : Object.hasOwn(userOnly, section) ? userOnly[section] : undefined;
}

/** Reads what a project's file asks for. Total: any text gives an answer. */
export function readProjectRequest(text: string): ProjectRequest {
  const parsed = parseConfigText(text);
  if (parsed.kind === 'bad') {
    const { place, expected, found } = parsed;
    const problem = {
      en: `line ${place.line}, column ${place.column}: expected ${expected.en}, found ${found.en}`,
      zh: `第 ${place.line} 行第 ${place.column} 列：应为${expected.zh}，实际为${found.zh}`,
    };
    return { settings: [], refused: [], hooks: [], hooksText: '', servers: [], serversText: '', problem };
  }
  const keys = parsed.root.entries.flatMap(({ key: section, value }) =>
    value.type === 'object' ? value.entries.map(({ key }) => `${section}.${key}`) : [section],
  );
  const hookSection = parsed.root.entries.find(({ key }) => key === 'hooks')?.value;
  const hooks = hookSection?.type === 'object' ? hookSection.entries : [];
  return {
    settings: keys.filter((key) => whyUserOnly(key) === undefined && !isGone(key) && !isHook(key) && !isServer(key)),
    refused: keys.filter((key) => whyUserOnly(key) !== undefined),
    hooks: hooks.flatMap(({ key: event, value }) =>
      (value.type === 'list' ? value.items : [value]).flatMap((item) =>
        commandsOf(plainValue(item)).map((command) => ({ event, command })),
      ),
    ),
    hooksText: hookSection === undefined || hooks.length === 0 ? '' : JSON.stringify(plainValue(hookSection)),
    ...serversIn(parsed.root),
  };
}

export function serversIn(root: ObjectNode): Pick<ProjectRequest, 'servers' | 'serversText'> {
  const section = root.entries.find(({ key }) => key === 'mcpServers')?.value;
  if (section?.type !== 'object' || section.entries.length === 0) return { servers: [], serversText: '' };
  return {
    servers: section.entries.map(({ key, value }) => ({ name: key, does: requestedTarget(plainValue(value)) })),
    serversText: JSON.stringify(plainValue(section)),
  };
}

/** Of what is no server, the text of it: whoever reads the list should see that something stands there. */
function requestedTarget(value: unknown): string {
  const parsed = foreignServerSchema.safeParse(value);
  return parsed.success ? serverRequest(parsed.data) : (JSON.stringify(value) ?? '');
}

const isGone = (key: string): boolean => Object.hasOwn(goneSettings, key);
const isServer = (key: string): boolean => key === 'mcpServers' || key.startsWith('mcpServers.');
const isHook = (key: string): boolean => key === 'hooks' || key.startsWith('hooks.');

/** Each command of either form (hookSchema); what is none is shown as it is. */
function commandsOf(hook: unknown): readonly string[] {
  if (isObject(hook) && Array.isArray(hook.hooks)) return hook.hooks.flatMap(commandsOf);
  const command = isObject(hook) && 'command' in hook ? hook.command : hook;
  return [typeof command === 'string' ? command : (JSON.stringify(command) ?? '')];
}

/** Whatever is in the file of a stranger, it stops nobody. */
export function untrustedNotice({ path, text }: { readonly path: string; readonly text: string }): Bilingual {
  const { settings, hooks, servers, problem } = readProjectRequest(text);
  const start = {
    en: `${path} is not used, since you have not trusted this folder`,
    zh: `未使用 ${path}，因为你尚未信任此文件夹`,
  };
  if (problem !== undefined)
    return { en: `${start.en}; nor could it be (${problem.en}).`, zh: `${start.zh}；它也无法使用（${problem.zh}）。` };
  const wishes: readonly Bilingual[] = [
    ...settings.map(sameInBoth),
    ...hooks.map(({ event }) => ({ en: `a ${event} hook`, zh: `一个 ${event} 钩子` })),
    ...servers.map(({ name }) => ({ en: `the MCP server ${name}`, zh: `MCP 服务器 ${name}` })),
  ];
  if (wishes.length === 0) return { en: `${start.en}; it would set nothing.`, zh: `${start.zh}；它不会设置任何内容。` };
  const left = wishes.length - MAX_LISTED;
  const list = (language: UiLanguage, between: string): string =>
    wishes
      .slice(0, MAX_LISTED)
      .map((wish) => truncate(wish[language]))
      .join(between);
  return {
    en: `${start.en}; it would set ${list('en', ', ')}${left > 0 ? ` and ${left} more` : ''}. sanbot trust add shows what it asks for.`,
    zh: `${start.zh}；它会设置 ${list('zh', '、')}${left > 0 ? ` 及其他 ${left} 项` : ''}。sanbot trust add 显示它要求什么。`,
  };
}

const MAX_LISTED = 5;
