import { formerDefaults } from '../../domain/config/config.ts';
import { configDefaults } from '../../domain/config/config-defaults.ts';
import type { ConfigResolution } from '../../domain/config/config-layers.ts';
import { sectionShape } from '../../domain/config/config-settings.ts';
import { textOfSetting } from '../../domain/config/settings/settings.ts';
import { shownServer } from '../../domain/config/shown-server.ts';
import { localize } from '../../domain/language.ts';
import { type Fields, isObject, mapStrings } from '../../domain/value/json.ts';
import { redact } from '../../domain/value/redact.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';
import { wrap } from '../../terminal/text/text-width.ts';

/** The key is masked. `presentDefault` holds where a number that is the default of an earlier version is left out. */
export function effectiveSettings({ config, origins }: ConfigResolution) {
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

export const configJson = (resolved: ConfigResolution, keyPrefix = ''): string =>
  `${JSON.stringify(settingsNamed(resolved, keyPrefix), null, 2)}\n`;

const settingsNamed = (resolved: ConfigResolution, keyPrefix: string) =>
  effectiveSettings(resolved).filter(({ key }) => key.toLowerCase().startsWith(keyPrefix.toLowerCase()));

export function configTable(
  resolved: ConfigResolution,
  { columns, keyPrefix = '' }: { readonly columns: number; readonly keyPrefix?: string },
): string {
  const shown = settingsNamed(resolved, keyPrefix);
  const rows = shown.map(({ key, value, origin, presentDefault }) => [
    key,
    safeLine(JSON.stringify(value)),
    originText(origin, presentDefault),
  ]);
  if (rows.length === 0) return '';
  const [single] = shown;
  const does = single === undefined || shown.length > 1 ? '' : settingText(single.key, columns);
  const header = [
    { title: localize({ en: 'key', zh: '键' }) },
    { title: localize({ en: 'value', zh: '值' }), minWidth: 12 },
    { title: localize({ en: 'from', zh: '来源' }), minWidth: 12 },
  ];
  return table(header, rows, columns) + does;
}

function settingText(key: string, columns: number): string {
  const [section = '', name = ''] = key.split('.');
  const schema = sectionShape(section)?.[name];
  const text = schema === undefined ? undefined : textOfSetting(schema);
  return text === undefined
    ? ''
    : `${wrap(
        localize(text)
          .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
          .replaceAll('`', ''),
        columns,
      ).join('\n')}\n`;
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

/** Keys, and headers and variables, which may be keys too, are not shown; nor is what looks like one anywhere else. */
const withoutSecrets = (key: string, value: unknown, origin: string): unknown => mapStrings(withoutKeys(key, value, origin), redact);

function withoutKeys(key: string, value: unknown, origin: string): unknown {
  if (key.startsWith('mcpServers.')) return shownServer(value);
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
