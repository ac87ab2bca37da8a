import type { z } from 'zod';
import { nearest } from '../text.ts';
import { configShape } from './config.ts';
import { type EntryNode, type Place, parseConfigText, plainValue, type ValueNode } from './config-text.ts';
import type { ConfigLayer, ConfigProblem } from './layer.ts';

/** One value that a layer sets; it has passed its schema. */
export type Setting = { readonly key: string; readonly value: unknown; readonly origin: string };

export type LayerSettings = {
  readonly settings: readonly Setting[];
  readonly problems: readonly ConfigProblem[];
  readonly notices: readonly string[];
  /** Variables of the environment that hold a key. The key itself is never copied. */
  readonly keyVariables: readonly string[];
};

/** What one layer sets, and what is wrong with it. */
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

const nothing: LayerSettings = { settings: [], problems: [], notices: [], keyVariables: [] };

/** Keys that decide where requests go: a folder's file may not touch them before the user has trusted it. */
const userOnlyKeys: readonly string[] = ['model.provider', 'model.baseUrl', 'model.apiKey'];

type FileLayer = Extract<ConfigLayer, { kind: 'file' }>;

function readFileLayer(file: FileLayer): LayerSettings {
  const parsed = parseConfigText(file.text);
  if (parsed.kind === 'bad') {
    return { ...nothing, problems: [{ where: whereIn(file.path, parsed.place), key: '', expected: parsed.expected, found: parsed.found }] };
  }
  return joined(parsed.root.entries.map((entry) => readSection(entry, file)));
}

function readSection(entry: EntryNode, file: FileLayer): LayerSettings {
  const { key: section, value } = entry;
  const shape = sectionShape(section);
  if (shape === undefined) return { ...nothing, problems: [unknownKey(file.path, { place: entry.place, section: '', name: section })] };
  if (value.type !== 'object') {
    const problem = { where: whereIn(file.path, value.place), key: section, expected: 'an object', found: foundText(value) };
    return { ...nothing, problems: [problem] };
  }
  return joined(value.entries.map((setting) => readSetting(setting, section, { file, shape })));
}

type SettingPlace = { readonly file: FileLayer; readonly shape: Readonly<Record<string, z.ZodType>> };

function readSetting(entry: EntryNode, section: string, { file, shape }: SettingPlace): LayerSettings {
  const key = `${section}.${entry.key}`;
  const schema = Object.hasOwn(shape, entry.key) ? shape[entry.key] : undefined;
  if (schema === undefined) return { ...nothing, problems: [unknownKey(file.path, { place: entry.place, section, name: entry.key })] };
  if (file.trust === 'project' && userOnlyKeys.includes(key)) {
    return { ...nothing, notices: [`${file.path}: ${key} is ignored: a project may not set the endpoint, the key or the provider.`] };
  }
  if (file.trust === 'project' && section === 'hooks') {
    return { ...nothing, notices: [`${file.path}: ${key} is ignored: a project may not set hooks, since they run commands.`] };
  }
  if (file.trust === 'project' && (section === 'memory' || key === 'compaction.memoryFlush')) {
    return { ...nothing, notices: [`${file.path}: ${key} is ignored: a project may not decide what you remember.`] };
  }
  const checked = checkValue(plainValue(entry.value), schema, { key, where: whereIn(file.path, entry.value.place) });
  if (checked.kind === 'bad') return { ...nothing, problems: checked.problems };
  return { ...nothing, settings: [{ key, value: checked.value, origin: file.path }] };
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
  ANTHROPIC_BASE_URL: 'model.baseUrl',
};

const keyVariableNames = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] as const;

/** A variable that is set to nothing counts as not set. */
function readEnvironment(env: Readonly<Record<string, string | undefined>>): LayerSettings {
  const set = (name: string): string => env[name] ?? '';
  const numbers = Object.entries(numberVariables).flatMap(([name, key]) =>
    set(name) === '' ? [] : [{ name, key, value: asNumber(set(name)) }],
  );
  const texts = Object.entries(textVariables).flatMap(([name, key]) => (set(name) === '' ? [] : [{ name, key, value: set(name) }]));
  const keyVariables = keyVariableNames.filter((name) => set(name) !== '');
  // The key of the environment wins over that of a file; it stays where it is, and the file's is not used.
  const ownKey = keyVariables.slice(0, 1).map((name) => ({ key: 'model.apiKey', value: null, origin: `env ${name}` }));
  const read = joined([...numbers, ...texts].map(({ name, key, value }) => readNamed(`env ${name}`, key, value)));
  return { ...read, settings: [...read.settings, ...ownKey], keyVariables };
}

const asNumber = (text: string): number | string => (/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text.trim()) ? Number(text) : text);

function readFlags(flags: Extract<ConfigLayer, { kind: 'flags' }>): LayerSettings {
  const given = [
    { origin: '--model', key: 'model.name', value: flags.model },
    { origin: '--context-window', key: 'model.contextWindow', value: flags.contextWindow },
    { origin: '--max-steps', key: 'agent.maxSteps', value: flags.maxSteps },
  ];
  return joined(given.filter(({ value }) => value !== undefined).map(({ origin, key, value }) => readNamed(origin, key, value)));
}

function readNamed(origin: string, key: string, value: unknown): LayerSettings {
  const [section = '', name = ''] = key.split('.');
  const schema = sectionShape(section)?.[name];
  if (schema === undefined) throw new Error(`${origin} is mapped to ${key}, which is no setting`);
  const checked = checkValue(value, schema, { key, where: origin });
  if (checked.kind === 'bad') return { ...nothing, problems: checked.problems };
  return { ...nothing, settings: [{ key, value: checked.value, origin }] };
}

const shapes: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = configShape;
const sectionShape = (section: string): Readonly<Record<string, z.ZodType>> | undefined =>
  Object.hasOwn(shapes, section) ? shapes[section] : undefined;

type Checked = { readonly kind: 'ok'; readonly value: unknown } | { readonly kind: 'bad'; readonly problems: readonly ConfigProblem[] };

function checkValue(value: unknown, schema: z.ZodType, at: { readonly key: string; readonly where: string }): Checked {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: 'ok', value: parsed.data };
  const secret = at.key === 'model.apiKey';
  return {
    kind: 'bad',
    problems: parsed.error.issues.map((issue) => ({
      where: at.where,
      key: [at.key, ...issue.path.map(String)].join('.'),
      expected: issue.code === 'unrecognized_keys' ? (onlyKeys[at.key] ?? 'only known keys') : expectedText(issue),
      found: secret ? 'another value' : shortJson(issue.code === 'unrecognized_keys' ? issue.keys : inside(value, issue.path)),
    })),
  };
}

function inside(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const step of path) {
    found = typeof found === 'object' && found !== null ? Object.getOwnPropertyDescriptor(found, step)?.value : undefined;
  }
  return found;
}

/** What a value should be, in words of ours: those of the library name its own types. */
function expectedText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' ? 'some text' : `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'an address that starts with http:// or https://' : `text in the form ${issue.format}`;
    default:
      return issue.message;
  }
}

/** What a setting that is an object may hold. */
const onlyKeys: Readonly<Record<string, string>> = {
  'model.price': 'only input, cacheRead, cacheWrite and output',
  'pruning.tools': 'only allow and deny',
};

const typeNames: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text in double quotes',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

function shortJson(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = Array.isArray(value)
    ? `a list of ${value.length}`
    : typeof value === 'object' && value !== null
      ? 'an object'
      : JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57).toWellFormed()}…`;
}

const foundText = (node: ValueNode): string => shortJson(plainValue(node));

type UnknownKey = { readonly place: Place; readonly section: string; readonly name: string };

function unknownKey(path: string, { place, section, name }: UnknownKey): ConfigProblem {
  const key = section === '' ? name : `${section}.${name}`;
  const meant = nearestKey(section, name);
  const expected = name === meant ? 'a key inside its section, as {"section": {"key": …}}' : 'a known key';
  const problem = { where: whereIn(path, place), key: short(key), expected, found: JSON.stringify(short(name)) };
  return meant === undefined ? problem : { ...problem, nearest: meant };
}

/** A key that is right elsewhere comes first, then a slip in the same section, then one anywhere. */
function nearestKey(section: string, name: string): string | undefined {
  const sections = Object.keys(shapes);
  const all = sections.flatMap((each) => Object.keys(shapes[each] ?? {}).map((key) => ({ section: each, key })));
  const dotted = ({ section: of, key }: { readonly section: string; readonly key: string }): string => `${of}.${key}`;
  const exact = all.find(({ key }) => key === name);
  if (exact !== undefined) return dotted(exact);
  const near = section === '' ? nearest(name, sections) : nearest(name, Object.keys(sectionShape(section) ?? {}));
  if (near !== undefined) return section === '' ? near : `${section}.${near}`;
  const wholeKey = all.map(dotted).find((each) => each === name);
  const anywhere = nearest(
    name,
    all.map(({ key }) => key),
  );
  const found = all.find(({ key }) => key === anywhere);
  return wholeKey ?? (found === undefined ? undefined : dotted(found));
}

const short = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 57).toWellFormed()}…`);

const whereIn = (path: string, { line, column }: Place): string => `${path}:${line}:${column}`;

function joined(parts: readonly LayerSettings[]): LayerSettings {
  return {
    settings: parts.flatMap((part) => part.settings),
    problems: parts.flatMap((part) => part.problems),
    notices: parts.flatMap((part) => part.notices),
    keyVariables: parts.flatMap((part) => part.keyVariables),
  };
}
