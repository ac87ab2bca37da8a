import { isObject } from '../value/json.ts';
import { type ObjectNode, parseConfigText, plainValue } from './config-text.ts';
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
  /** Why the file cannot be read as settings. */
  readonly problem?: string;
};

/** Belongs to the user, whoever is trusted: what it decides, as it follows "a project may not". By section, or by key. */
const userOnly: Readonly<Record<string, string>> = {
  'model.provider': 'set the endpoint, the key or the provider',
  'model.baseUrl': 'set the endpoint, the key or the provider',
  'model.apiKey': 'set the endpoint, the key or the provider',
  'model.apiKeyEnv': 'set the endpoint, the key or the provider',
  'model.headers': 'set the endpoint, the key or the provider',
  'model.endpoints': 'set the endpoint, the key or the provider',
  'model.price': 'say what a model costs',
  memory: 'decide what you remember',
  recall: 'decide where texts are sent for vectors',
  'compaction.memoryFlush': 'decide what you remember',
  'compaction.snapshotRetentionDays': 'decide how long your snapshots are kept',
  'compaction.snapshotMaxBytes': 'decide how long your snapshots are kept',
  permissions: 'decide what runs without asking',
  commands: 'decide what of your environment commands get',
  ui: 'choose the language of your screen',
  'agent.redactSecrets': 'decide whether secrets are masked',
  'agent.helperMaxCostUsd': 'decide what is spent',
};

/** What a project may not do that a setting would; undefined when a trusted project may set it. */
export function whyUserOnly(key: string): string | undefined {
  const [section = ''] = key.split('.');
  return Object.hasOwn(userOnly, key) ? userOnly[key] : Object.hasOwn(userOnly, section) ? userOnly[section] : undefined;
}

/** Reads what a project's file asks for. Total: any text gives an answer. */
export function readProjectRequest(text: string): ProjectRequest {
  const parsed = parseConfigText(text);
  if (parsed.kind === 'bad') {
    const { place, expected, found } = parsed;
    const problem = `line ${place.line}, column ${place.column}: expected ${expected.en}, found ${found.en}`;
    return { settings: [], refused: [], hooks: [], hooksText: '', servers: [], serversText: '', problem };
  }
  const keys = parsed.root.entries.flatMap(({ key: section, value }) =>
    value.type === 'object' ? value.entries.map(({ key }) => `${section}.${key}`) : [section],
  );
  const hookSection = parsed.root.entries.find(({ key }) => key === 'hooks')?.value;
  const hooks = hookSection?.type === 'object' ? hookSection.entries : [];
  return {
    settings: keys.filter((key) => whyUserOnly(key) === undefined && !isHook(key) && !isServer(key)),
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

/** The servers that a settings file or a `.mcp.json` asks for. */
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

const isServer = (key: string): boolean => key === 'mcpServers' || key.startsWith('mcpServers.');
const isHook = (key: string): boolean => key === 'hooks' || key.startsWith('hooks.');

/** Each command of either form (hookSchema); what is none is shown as it is. */
function commandsOf(hook: unknown): readonly string[] {
  if (isObject(hook) && Array.isArray(hook.hooks)) return hook.hooks.flatMap(commandsOf);
  const command = isObject(hook) && 'command' in hook ? hook.command : hook;
  return [typeof command === 'string' ? command : (JSON.stringify(command) ?? '')];
}
