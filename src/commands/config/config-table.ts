import { formerDefaults } from '../../domain/config/config.ts';
import { configDefaults } from '../../domain/config/config-defaults.ts';
import type { ConfigResolution } from '../../domain/config/config-layers.ts';
import { localize } from '../../domain/language.ts';
import { type Fields, isObject } from '../../domain/value/json.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';

export type EffectiveSetting = {
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
  /** The default that holds where this number is left out: it is that of an earlier version, and so most likely only copied. */
  readonly presentDefault?: unknown;
};

/** Every setting in force, in the order of the schema. The key is masked: enough of it stays to recognise it. */
export function effectiveSettings({ config, origins }: ConfigResolution): readonly EffectiveSetting[] {
  return Object.entries(config).flatMap(([section, values]) =>
    Object.entries(values).map(([name, value]) => {
      const key = `${section}.${name}`;
      const origin = origins[key] ?? 'default';
      const isFormer = value === formerDefaults[key] && origin !== 'default' && !origin.startsWith('preset ');
      const former = isFormer ? { presentDefault: defaultOf(section, name) } : {};
      return { key, value: withoutSecrets(key, value, origin), origin, ...former };
    }),
  );
}

export const configJson = (resolved: ConfigResolution): string => `${JSON.stringify(effectiveSettings(resolved), null, 2)}\n`;

/** Those whose key begins with `keyPrefix`; empty when there are none. */
export function configTable(
  resolved: ConfigResolution,
  { columns, keyPrefix = '' }: { readonly columns: number; readonly keyPrefix?: string },
): string {
  const shown = effectiveSettings(resolved).filter(({ key }) => key.toLowerCase().startsWith(keyPrefix.toLowerCase()));
  const rows = shown.map(({ key, value, origin, presentDefault }) => [
    key,
    safeLine(JSON.stringify(value)),
    originText(origin, presentDefault),
  ]);
  if (rows.length === 0) return '';
  return table(
    [
      { title: localize({ en: 'key', zh: '键' }) },
      { title: localize({ en: 'value', zh: '值' }), minWidth: 12 },
      { title: localize({ en: 'from', zh: '来源' }), minWidth: 12 },
    ],
    rows,
    columns,
  );
}

function originText(origin: string, presentDefault: unknown): string {
  const file = origin === 'default' ? localize({ en: 'default', zh: '默认' }) : safeLine(origin);
  if (presentDefault === undefined) return file;
  const now = JSON.stringify(presentDefault);
  return localize({ en: `default of 0.1.0 (now ${now}), in ${file}`, zh: `0.1.0 的默认值（现为 ${now}），见 ${file}` });
}

function defaultOf(section: string, name: string): unknown {
  const sections: Readonly<Record<string, Readonly<Record<string, unknown>>>> = configDefaults();
  return sections[section]?.[name];
}

/** The keys and headers of endpoints, which may be keys too, are not shown. */
function withoutSecrets(key: string, value: unknown, origin: string): unknown {
  if (key === 'model.apiKey') return maskKey(value, origin);
  if (key === 'model.headers') return maskHeaders(value);
  if (key === 'recall.embeddings') return maskEndpoint(value, origin);
  return key === 'model.endpoints' && isObject(value) ? mapValues(value, (endpoint) => maskEndpoint(endpoint, origin)) : value;
}

const maskEndpoint = (endpoint: unknown, origin: string): unknown =>
  isObject(endpoint) ? { ...endpoint, apiKey: maskKey(endpoint.apiKey, origin), headers: maskHeaders(endpoint.headers) } : endpoint;

const maskHeaders = (headers: unknown): unknown => (isObject(headers) ? mapValues(headers, () => '…') : headers);

const mapValues = (fields: Fields, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));

function maskKey(value: unknown, origin: string): string | null {
  if (origin.startsWith('env ')) return '(set)';
  if (typeof value !== 'string') return null;
  return value.length >= 20 ? `${value.slice(0, 3)}…${value.slice(-4)}` : '…';
}
