import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/domain/config/config.ts';
import { resolveConfig } from '../../src/domain/config/config-layers.ts';
import { parseConfigText, plainValue } from '../../src/domain/config/config-text.ts';
import { whyUserOnly } from '../../src/domain/config/project-settings.ts';

const text = readFileSync('.sanbot.example.json', 'utf8');

test('the example settings show every key with its default, and nothing else', () => {
  expect(settings()).toEqual(configSchema.parse({}));
});

test('the example marks what a project may not set', () => {
  const keys = Object.entries(settings()).flatMap(([section, values]) => Object.keys(values).map((name) => `${section}.${name}`));
  const marked = keys.filter((key) => {
    const [section, name] = key.split('.');
    return text.includes(`// yours alone, all of it\n  "${section}": {`) || new RegExp(`"${name}": [^\n]* // yours alone$`, 'm').test(text);
  });
  expect(marked).toEqual(keys.filter((key) => whyUserOnly(key) !== undefined));
});

function settings(): Readonly<Record<string, object>> {
  const parsed = parseConfigText(text);
  if (parsed.kind === 'bad') throw new Error(`line ${parsed.place.line}: expected ${parsed.expected}`);
  return Object.fromEntries(parsed.root.entries.map(({ key, value }) => [key, Object(plainValue(value))]));
}

test('a copy of the example changes nothing', () => {
  const copied = resolveConfig([{ kind: 'file', path: 'config.json', trust: 'user', text }]);
  const plain = resolveConfig([]);
  expect(copied.kind === 'ok' && copied.config).toEqual(plain.kind === 'ok' && plain.config);
});
