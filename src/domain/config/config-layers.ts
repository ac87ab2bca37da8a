import { SanbotError } from '../errors.ts';
import { type Bilingual, joinTexts, sameInBoth } from '../language.ts';
import { chooseProvider, keepEndpoint, withEnvironmentOf } from './choose-provider.ts';
import { type Config, OPEN_SECTION, presets } from './config.ts';
import { configDefaults } from './config-defaults.ts';
import { type LayerSettings, readLayer, type Setting } from './config-settings.ts';
import type { Provider } from './endpoint-settings.ts';
import type { ConfigLayer, ConfigProblem } from './layer.ts';
import { presetNames } from './settings/compaction.ts';

export type ResolvedConfig = Config & { readonly model: Config['model'] & { readonly provider: Provider } };

export type ConfigResolution = {
  readonly kind: 'ok';
  readonly config: ResolvedConfig;
  /** For every dotted key: "default", "preset NAME", a file's path, "env NAME" or "--flag". */
  readonly origins: Readonly<Record<string, string>>;
  /** The models that the configured window and price are said of: the one named where that is set, or below; undefined when none is. */
  readonly declaredFor: DeclaredModels;
  readonly notices: readonly Bilingual[];
};

export type DeclaredModels = { readonly contextWindow: string | undefined; readonly price: string | undefined };

/** Returns all settings with the origin of each, or all that is wrong with them: never half a configuration. */
export function resolveConfig(
  layers: readonly ConfigLayer[],
): ConfigResolution | { readonly kind: 'bad'; readonly problems: readonly ConfigProblem[] } {
  const layerResults = layers.map(readLayer);
  const problems = layerResults.flatMap((layer) => layer.problems);
  if (problems.length > 0) return { kind: 'bad', problems };

  const projectFiles = layers.flatMap((layer) => (layer.kind === 'file' && layer.trust !== 'user' ? [layer.path] : []));
  const kept = keepEndpoint(
    layerResults.flatMap((layer) => layer.settings),
    ({ origin }) => projectFiles.includes(origin),
  );
  const allSettings = kept.settings;
  const provider = chooseProvider(
    allSettings,
    layerResults.flatMap((layer) => layer.keyVariables),
  );
  const explicit = withEnvironmentOf(provider.value, allSettings, layerResults);
  const effective = new Map<string, Setting>();
  const notices = [...layerResults.flatMap((layer) => layer.notices), ...kept.notices];
  for (const setting of [...defaultSettings(), ...presetSettings(explicit), ...explicit]) {
    const earlier = effective.get(setting.key);
    if (earlier === undefined || !isNamed(setting.key)) effective.set(setting.key, withHooksOf(earlier, setting));
    else
      notices.push({
        en: `${setting.origin}: ${setting.key} is not used, since ${earlier.origin} has it.`,
        zh: `${setting.origin}：未使用 ${setting.key}，因为 ${earlier.origin} 中已有。`,
      });
  }
  const config = configFrom(effective);
  const conflicts = conflictsIn(config, effective);
  if (conflicts.length > 0) return { kind: 'bad', problems: conflicts };

  effective.set('model.provider', { key: 'model.provider', ...provider });
  return {
    kind: 'ok',
    config: { ...config, model: { ...config.model, provider: provider.value } },
    origins: Object.fromEntries([...effective.values()].map(({ key, origin }) => [key, origin])),
    declaredFor: { contextWindow: modelNamedWith('contextWindow', layerResults), price: modelNamedWith('price', layerResults) },
    notices,
  };
}

/** Hooks of a later layer come beside those of an earlier one: a project must not take away what the user set up as a guard. */
function withHooksOf(earlier: Setting | undefined, setting: Setting): Setting {
  const isAdded = setting.key.startsWith('hooks.') && earlier !== undefined && earlier.origin !== 'default';
  if (!isAdded || !Array.isArray(earlier.value) || !Array.isArray(setting.value)) return setting;
  return { key: setting.key, value: [...earlier.value, ...setting.value], origin: `${earlier.origin}, ${setting.origin}` };
}
/** What a person has given a name cannot be taken over by a project's file: rules for permissions go by the name. */
const isNamed = (key: string): boolean => key.startsWith(`${OPEN_SECTION}.`);

function modelNamedWith(setting: string, layers: readonly LayerSettings[]): string | undefined {
  const at = layers.findLastIndex(({ settings }) => settings.some(({ key }) => key === `model.${setting}`));
  const names = layers.slice(0, at + 1).flatMap(({ settings }) => settings.filter(({ key }) => key === 'model.name'));
  const name = names.at(-1)?.value;
  return typeof name === 'string' ? name : undefined;
}

export const problemLine = ({ where, key, expected, found, nearest }: ConfigProblem): Bilingual => ({
  en: `${where}: ${key === '' ? '' : `${key}: `}expected ${expected.en}, found ${found.en}${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`,
  zh: `${where}：${key === '' ? '' : `${key}：`}应为${joined(expected.zh)}，实际为${joined(found.zh)}${nearest === undefined ? '' : `。是否想输入 ${nearest}？`}`,
});

const joined = (text: string): string => (/^\p{Script=Han}/u.test(text) ? text : ` ${text}`);

export const configError = (problems: readonly ConfigProblem[]): SanbotError =>
  new SanbotError('config_invalid', joinTexts(shownProblems(problems), sameInBoth('\n')), hintFor(problems));

const MAX_SHOWN = 20;

function shownProblems(problems: readonly ConfigProblem[]): readonly Bilingual[] {
  const left = problems.length - MAX_SHOWN;
  const more = left > 0 ? [{ en: `and ${left} more`, zh: `另有 ${left} 处` }] : [];
  return [...problems.slice(0, MAX_SHOWN).map(problemLine), ...more];
}

function hintFor(problems: readonly ConfigProblem[]): Bilingual {
  const [first] = problems;
  const areIn = (start: string): boolean => problems.every(({ where }) => where.startsWith(start));
  if (areIn('env ')) return { en: 'Set another value, or unset the variable.', zh: '请设为别的值，或取消该变量。' };
  if (areIn('--')) return { en: 'Give another value, or leave the option out.', zh: '请给出别的值，或不用此选项。' };
  const inFiles = problems.every(({ where }) => !where.startsWith('env ') && !where.startsWith('--'));
  if (inFiles && problems.every(({ key }) => key === '')) return mendHint(first?.where ?? '');
  if (inFiles) return { en: 'Compare the file with .sanbot.example.json.', zh: '请对照 .sanbot.example.json 检查该文件。' };
  return {
    en: 'Compare files with .sanbot.example.json; give options and variables another value, or leave them out.',
    zh: '请对照 .sanbot.example.json 检查文件；给选项和变量别的值，或不用它们。',
  };
}

/** Of a file that cannot be read as settings: where to look, and how to see whether it is right then. */
function mendHint(where: string): Bilingual {
  const [, line, column] = /:(\d+):(\d+)$/.exec(where) ?? [];
  const [at, atZh] = line === undefined ? ['', ''] : [` at line ${line}, column ${column}`, `第 ${line} 行第 ${column} 列`];
  return { en: `Fix the file${at}, then run sanbot config validate.`, zh: `请修正该文件${atZh}，然后运行 sanbot config validate。` };
}

function defaultSettings(): readonly Setting[] {
  const sections: Readonly<Record<string, Readonly<Record<string, unknown>>>> = configDefaults();
  return Object.entries(sections).flatMap(([section, values]) =>
    Object.entries(values).map(([name, value]) => ({ key: `${section}.${name}`, value, origin: 'default' })),
  );
}

/** Returns the settings of the preset that the highest layer names; anything explicit overrides them. */
function presetSettings(explicit: readonly Setting[]): readonly Setting[] {
  const presetValue = explicit.findLast(({ key }) => key === 'compaction.preset')?.value;
  const name = presetNames.find((preset) => preset === presetValue);
  if (name === undefined) return [];
  return Object.entries(presets[name]).map(([key, value]) => ({ key: `compaction.${key}`, value, origin: `preset ${name}` }));
}

/** Each value is what its own schema made of it, so that the whole needs no other look. */
function configFrom(effective: ReadonlyMap<string, Setting>): Config {
  const config: Record<string, Record<string, unknown>> = { ...configDefaults() };
  for (const { key, value } of effective.values()) {
    const [section = '', ...name] = key.split('.');
    config[section] = { ...config[section], [name.join('.')]: value };
  }
  return config as Config;
}

/** Reports a contradiction at the side that somebody set; a default is never to blame. */
function conflictsIn(config: Config, effective: ReadonlyMap<string, Setting>): readonly ConfigProblem[] {
  return contradictions(config).map(({ key, other, expected, found }) => {
    const origin = effective.get(key)?.origin ?? 'default';
    const otherOrigin = effective.get(other)?.origin ?? 'default';
    const where = isExplicit(origin) || !isExplicit(otherOrigin) ? origin : otherOrigin;
    return { where, key, expected: withOrigin(expected, otherOrigin, where), found: withOrigin(found, origin, where) };
  });
}

const isExplicit = (origin: string): boolean => origin !== 'default' && !origin.startsWith('preset ');

const withOrigin = ({ en, zh }: Bilingual, origin: string, where: string): Bilingual =>
  origin === where ? { en, zh } : { en: `${en} (${origin})`, zh: `${zh}（${origin}）` };

/** `key` does not meet what `other` requires of it. */
type Contradiction = { readonly key: string; readonly other: string; readonly expected: Bilingual; readonly found: Bilingual };

const ascending = [
  ['softTokenRatio', 'maxTokenRatio'],
  ['softThresholdTokens', 'hardThresholdTokens'],
] as const;

export function contradictions({ compaction, ...config }: Config): readonly Contradiction[] {
  const unordered = ascending.flatMap(([low, high]): readonly Contradiction[] => {
    const [value, bound] = [compaction[low], compaction[high]];
    if (value === null || bound === null || value < bound) return [];
    const other = `compaction.${high}`;
    const expected = { en: `a number below ${other} (${bound})`, zh: `小于 ${other}（${bound}）的数字` };
    return [{ key: `compaction.${low}`, other, expected, found: sameInBoth(`${value}`) }];
  });
  const tooMuch = (['offload', 'pruning'] as const).flatMap((section): readonly Contradiction[] => {
    const { headKeepRatio, tailKeepRatio } = config[section];
    if (headKeepRatio + tailKeepRatio <= 1) return [];
    const other = `${section}.tailKeepRatio`;
    const expected = { en: `at most 1 together with ${other} (${tailKeepRatio})`, zh: `与 ${other}（${tailKeepRatio}）之和不超过 1` };
    return [{ key: `${section}.headKeepRatio`, other, expected, found: sameInBoth(`${headKeepRatio}`) }];
  });
  return [...unordered, ...tooMuch];
}
