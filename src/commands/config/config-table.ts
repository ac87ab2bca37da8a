import type { ConfigResolution } from '../../domain/config/config-layers.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';

export type EffectiveSetting = { readonly key: string; readonly value: unknown; readonly origin: string };

/** Every setting in force, in the order of the schema. The key is masked: enough of it stays to recognise it. */
export function effectiveSettings({ config, origins }: ConfigResolution): readonly EffectiveSetting[] {
  return Object.entries(config).flatMap(([section, values]) =>
    Object.entries(values).map(([name, value]) => {
      const key = `${section}.${name}`;
      const origin = origins[key] ?? 'default';
      return { key, value: key === 'model.apiKey' ? maskKey(value, origin) : value, origin };
    }),
  );
}

export const configJson = (resolved: ConfigResolution): string => `${JSON.stringify(effectiveSettings(resolved), null, 2)}\n`;

export function configTable(resolved: ConfigResolution, { columns }: { readonly columns: number }): string {
  const rows = effectiveSettings(resolved).map(({ key, value, origin }) => [key, safeLine(JSON.stringify(value)), safeLine(origin)]);
  return table([{ title: 'key' }, { title: 'value', minWidth: 12 }, { title: 'from', minWidth: 12 }], rows, columns);
}

function maskKey(value: unknown, origin: string): string | null {
  if (origin.startsWith('env ')) return '(set)';
  if (typeof value !== 'string') return null;
  return value.length >= 20 ? `${value.slice(0, 3)}…${value.slice(-4)}` : '…';
}
