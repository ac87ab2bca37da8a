import type { z } from 'zod';
import { type Bilingual, sameInBoth } from '../language.ts';
import { nearest } from '../text.ts';
import { pathToProto, valueAt } from '../value/json.ts';
import { configSections, OPEN_SECTION } from './config.ts';
import { type EntryNode, type Position, parseConfigText, plainValue } from './config-text.ts';
import {
  ANOTHER_NAME,
  allowedKeysOf,
  type ConfigLayer,
  type ConfigProblem,
  expectedText,
  goneSettings,
  shortJson,
  truncate,
} from './layer.ts';
import { isServerName, mcpServerSchema, SERVER_NAME_RULE } from './mcp-server.ts';
import { untrustedNotice, whyUserOnly } from './project-settings.ts';

export type Setting = { readonly key: string; readonly value: unknown; readonly origin: string };

export type LayerSettings = {
  readonly settings: readonly Setting[];
  readonly problems: readonly ConfigProblem[];
  readonly notices: readonly Bilingual[];
  /** Names of environment variables that hold a key or an address. What they hold is never copied. */
  readonly keyVariables: readonly string[];
};

export function readLayer(layer: ConfigLayer): LayerSettings {
  switch (layer.kind) {
    case 'file':
      return readFileLayer(layer);
    case 'env':
      return readEnvironment(layer.env);
    case 'flags':
      return readFlags(layer);
  }
}

const emptyLayer: LayerSettings = { settings: [], problems: [], notices: [], keyVariables: [] };
const withProblem = (problem: ConfigProblem): LayerSettings => ({ ...emptyLayer, problems: [problem] });
const withNotice = (notice: Bilingual): LayerSettings => ({ ...emptyLayer, notices: [notice] });

type FileLayer = Extract<ConfigLayer, { kind: 'file' }>;

function readFileLayer(file: FileLayer): LayerSettings {
  if (file.trust === 'untrusted') return withNotice(untrustedNotice(file));
  const parsed = parseConfigText(file.text);
  if (parsed.kind === 'ok') return mergeLayers(parsed.root.entries.map((entry) => readSection(entry, file)));
  return withProblem({ where: locationOf(file.path, parsed.place), key: '', expected: parsed.expected, found: parsed.found });
}

function readSection({ key: section, place, value }: EntryNode, file: FileLayer): LayerSettings {
  if (section !== OPEN_SECTION && sectionShape(section) === undefined)
    return withProblem(unknownKey(file.path, { place, section: '', name: section }));
  if (value.type === 'object') return mergeLayers(value.entries.map((entry) => readSetting(entry, section, file)));
  return withProblem({
    where: locationOf(file.path, value.place),
    key: section,
    expected: { en: 'an object', zh: '对象' },
    found: shortJson(plainValue(value)),
  });
}

function readSetting(entry: EntryNode, section: string, file: FileLayer): LayerSettings {
  const key = `${section}.${entry.key}`;
  const gone = goneSettings[key];
  if (gone !== undefined)
    return withNotice({
      en: `${file.path}: ${key} is ignored: it is no longer a setting, ${gone.en}.`,
      zh: `${file.path}：忽略 ${key}：已没有此设置，${gone.zh}。`,
    });
  const schema = schemaOf(section, entry.key);
  if (schema === undefined) return withProblem(unknownKey(file.path, { place: entry.place, section, name: entry.key }));
  const why = file.trust === 'user' ? undefined : whyUserOnly(key);
  if (why !== undefined)
    return withNotice({
      en: `${file.path}: ${key} is ignored: a project may not ${why.en}.`,
      zh: `${file.path}：忽略 ${key}：项目不得${why.zh}。`,
    });
  const withheld = file.withheld?.find((each) => each === section);
  if (withheld !== undefined) {
    const isHooks = withheld === 'hooks';
    return withNotice({
      en: `${file.path}: ${key} is not ${isHooks ? 'run: its hooks' : 'used: its MCP servers'} have changed since you trusted this folder.`,
      zh: `${file.path}：未${isHooks ? '运行' : '使用'} ${key}：其${isHooks ? '钩子' : ' MCP 服务器'}在你信任此文件夹之后已更改。`,
    });
  }
  if (section === OPEN_SECTION && !isServerName(entry.key))
    return withProblem({
      where: locationOf(file.path, entry.place),
      key: section,
      expected: SERVER_NAME_RULE,
      found: sameInBoth(JSON.stringify(truncate(entry.key))),
    });
  return checkValue(plainValue(entry.value), schema, { key, where: locationOf(file.path, entry.value.place), origin: file.path });
}

function schemaOf(section: string, name: string): z.ZodType | undefined {
  if (section === OPEN_SECTION) return mcpServerSchema;
  const shape = sectionShape(section) ?? {};
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

const numberVariables: Readonly<Record<string, string>> = {
  SANBOT_COMPACT_PRESERVE_COUNT: 'compaction.keepRecentMessages',
  SANBOT_COMPACT_TARGET_TOKENS: 'compaction.targetTokens',
  SANBOT_COMPACT_TRIGGER_THRESHOLD: 'compaction.triggerThreshold',
  SANBOT_COMPACT_RETRY_COUNT: 'compaction.retryCount',
  SANBOT_CONTEXT_WINDOW: 'model.contextWindow',
};

const textVariables: Readonly<Record<string, string>> = {
  SANBOT_COMPACT_MODEL: 'compaction.model',
  SANBOT_PROVIDER: 'model.provider',
  SANBOT_MODEL: 'model.name',
  SANBOT_SANDBOX: 'commands.sandbox',
  SANBOT_LANGUAGE: 'ui.language',
  ANTHROPIC_BASE_URL: 'model.baseUrl',
  OPENAI_BASE_URL: 'model.baseUrl',
};

const keyVariableNames = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'OPENAI_API_KEY'] as const;

/** A variable that is set to nothing counts as not set. */
function readEnvironment(env: Readonly<Record<string, string | undefined>>): LayerSettings {
  const variable = (name: string): string => env[name] ?? '';
  const values = Object.entries({ ...numberVariables, ...textVariables }).flatMap(([name, key]) =>
    variable(name) === '' ? [] : readValue(`env ${name}`, key, name in numberVariables ? asNumber(variable(name)) : variable(name)),
  );
  const keyVariables = keyVariableNames.filter((name) => variable(name) !== '');
  return { ...mergeLayers(values), keyVariables };
}

const asNumber = (text: string): number | string => (/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text.trim()) ? Number(text) : text);

function readFlags(flags: Extract<ConfigLayer, { kind: 'flags' }>): LayerSettings {
  const flagSettings = [
    { origin: '--model', key: 'model.name', value: flags.model },
    { origin: '--effort', key: 'model.effort', value: flags.effort },
    { origin: '--sandbox', key: 'commands.sandbox', value: flags.sandbox },
    { origin: '--context-window', key: 'model.contextWindow', value: flags.contextWindow },
    { origin: '--max-steps', key: 'agent.maxSteps', value: flags.maxSteps },
  ];
  return mergeLayers(
    flagSettings.filter(({ value }) => value !== undefined).map(({ origin, key, value }) => readValue(origin, key, value)),
  );
}

function readValue(origin: string, key: string, value: unknown): LayerSettings {
  const [section = '', name = ''] = key.split('.');
  const schema = schemaOf(section, name);
  if (schema === undefined) throw new Error(`${origin} is mapped to ${key}, which is no setting`);
  return checkValue(value, schema, { key, where: origin, origin });
}

const sections: Readonly<Record<string, () => Readonly<Record<string, z.ZodType>>>> = configSections;
/** The schemas of a section's settings, by their names; undefined for what is no section. */
export const sectionShape = (section: string): Readonly<Record<string, z.ZodType>> | undefined =>
  Object.hasOwn(sections, section) ? sections[section]?.() : undefined;

/** `where` is the place of the value, `origin` names the layer that sets it. */
type Target = { readonly key: string; readonly where: string; readonly origin: string };

function checkValue(value: unknown, schema: z.ZodType, target: Target): LayerSettings {
  const proto = pathToProto(value);
  if (proto !== undefined)
    return withProblem({
      where: target.where,
      key: [target.key, ...proto.slice(0, -1)].join('.'),
      expected: ANOTHER_NAME,
      found: sameInBoth('"__proto__"'),
    });
  // A function written for the schema, as the library does otherwise, would run once.
  const parsed = schema.safeParse(value, { jitless: true });
  if (parsed.success) return { ...emptyLayer, settings: [{ key: target.key, value: parsed.data, origin: target.origin }] };
  return {
    ...emptyLayer,
    problems: parsed.error.issues.map((issue) => ({
      where: target.where,
      key: [target.key, ...issue.path.map(String)].join('.'),
      expected: issue.code === 'unrecognized_keys' ? allowedKeysOf(target.key) : expectedText(issue),
      found: isSecret(target.key, issue.path)
        ? { en: 'another value', zh: '别的值' }
        : shortJson(issue.code === 'unrecognized_keys' ? issue.keys : valueAt(value, issue.path)),
    })),
  };
}

/** A key, or a header or a variable, which may carry one; also that of a named endpoint. */
const isSecret = (key: string, path: readonly PropertyKey[]): boolean => {
  const names = [...key.split('.'), ...path.map(String)];
  if (names[0] === 'mcpServers') return ['headers', 'env', 'oauth', 'args'].some((name) => names.includes(name));
  return (names[0] === 'model' || names[0] === 'recall') && (names.includes('apiKey') || names.includes('headers'));
};

type UnknownKey = { readonly place: Position; readonly section: string; readonly name: string };

function unknownKey(path: string, { place, section, name }: UnknownKey): ConfigProblem {
  const key = section === '' ? name : `${section}.${name}`;
  const suggestion = nearestKey(section, name);
  const expected =
    name === suggestion
      ? { en: 'a key inside its section, as {"section": {"key": …}}', zh: '所属部分之内的键，如 {"section": {"key": …}}' }
      : { en: 'a known key', zh: '已知的键' };
  const problem = { where: locationOf(path, place), key: truncate(key), expected, found: sameInBoth(JSON.stringify(truncate(name))) };
  return suggestion === undefined ? problem : { ...problem, nearest: suggestion };
}

/** Returns a key that is right in another section first, then the nearest in the same section, then the nearest anywhere. */
function nearestKey(section: string, name: string): string | undefined {
  const names = [...Object.keys(sections), OPEN_SECTION];
  const all = names.flatMap((each) => Object.keys(sectionShape(each) ?? {}).map((key) => ({ section: each, key })));
  const dottedKey = ({ section: parent, key }: { readonly section: string; readonly key: string }): string => `${parent}.${key}`;
  const exactMatch = all.find(({ key }) => key === name);
  if (exactMatch !== undefined) return dottedKey(exactMatch);
  const sectionMatch = section === '' ? nearest(name, names) : nearest(name, Object.keys(sectionShape(section) ?? {}));
  if (sectionMatch !== undefined) return section === '' ? sectionMatch : `${section}.${sectionMatch}`;
  const keys = all.map(({ key }) => key);
  const nearestName = nearest(name, keys);
  const match = all.find((each) => dottedKey(each) === name) ?? all.find(({ key }) => key === nearestName);
  return match === undefined ? undefined : dottedKey(match);
}

const locationOf = (path: string, { line, column }: Position): string => `${path}:${line}:${column}`;

function mergeLayers(parts: readonly LayerSettings[]): LayerSettings {
  return {
    settings: parts.flatMap((part) => part.settings),
    problems: parts.flatMap((part) => part.problems),
    notices: parts.flatMap((part) => part.notices),
    keyVariables: parts.flatMap((part) => part.keyVariables),
  };
}
