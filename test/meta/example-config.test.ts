import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/domain/config/config.ts';
import { resolveConfig } from '../../src/domain/config/config-layers.ts';

const text = readFileSync('.sanbot.example.json', 'utf8');

test('the example settings show every key with its default, and nothing else', () => {
  expect(JSON.parse(text)).toEqual(configSchema.parse({}));
});

test('a copy of the example changes nothing', () => {
  const copied = resolveConfig([{ kind: 'file', path: 'config.json', trust: 'user', text }]);
  const plain = resolveConfig([]);
  expect(copied.kind === 'ok' && copied.config).toEqual(plain.kind === 'ok' && plain.config);
});
