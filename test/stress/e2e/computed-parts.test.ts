import { isAscii } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRankTable } from '../../../src/context/measure/byte-pairs.ts';
import { createTokenCounter } from '../../../src/context/measure/tokens.ts';
import { configDefaults } from '../../../src/domain/config/config-defaults.ts';
import type { ToolSpec } from '../../../src/domain/session/context.ts';
import { loadTokenCounter } from '../../../src/runtime/token-counter.ts';
import { inputSchemas } from '../../../src/tools/input-schemas.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';

const bundle = join(root, 'dist', 'bundle');
const code = readdirSync(bundle)
  .filter((name) => name.endsWith('.js'))
  .map((name) => readFileSync(join(bundle, name), 'utf8'))
  .join('\n');

/** The values of all texts of JSON that the bundle parses as they are. */
const held = [...code.matchAll(/JSON\.parse\((`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\)/g)].flatMap(([, literal = '']) => {
  const text: unknown = new Function(`return ${literal}`)();
  return typeof text === 'string' ? [JSON.stringify(JSON.parse(text))] : [];
});

test.each([
  ['the defaults of all settings', configDefaults],
  ['what each tool takes', inputSchemas],
])('the bundle holds %s as the sources make them, to the byte', (_, compute) => {
  expect(held).toContain(JSON.stringify(compute()));
});

test('what is told of the tools is counted by the build as the counter counts it', async () => {
  const known: Readonly<Record<string, number>> = JSON.parse(readFileSync(join(bundle, 'known-counts.json'), 'utf8'));
  const count = createTokenCounter(openRankTable(readFileSync(join(bundle, 'o200k.ranks'))));
  expect(Object.entries(known).filter(([text, tokens]) => count(text) !== tokens || text.length > 4_000)).toEqual([]);
  const loaded = loadTokenCounter({ packageRoot: root });
  const texts = [...Object.keys(known), 'read_file', '', 'constructor', '__proto__', '第一行 of a message'];
  expect(texts.map(loaded)).toEqual(texts.map(count));

  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await world.run(['-p', 'status']);
  const [id = ''] = world.names('sessions');
  const [header = ''] = world.read(`sessions/${id}/log.jsonl`).split('\n');
  const { tools } = JSON.parse(header).context as { readonly tools: readonly ToolSpec[] };
  const told = tools.flatMap(({ name, description, inputSchema }) => [name, description, JSON.stringify(inputSchema)]);
  expect(told.length).toBeGreaterThan(30);
  expect(told.filter((text) => !Object.hasOwn(known, text))).toEqual([]);
});

test('what a start loads is ASCII, and its texts in Chinese are whole', () => {
  const often = readdirSync(bundle).filter((name) => /^(?:(?:start|look|talk|terminal)-[^.]+|main)\.js$/.test(name));
  expect(often).toHaveLength(5);
  expect(often.filter((name) => !isAscii(readFileSync(join(bundle, name))))).toEqual([]);
  const words = code.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  // Of a form of orders, written as raw text, and of a message.
  for (const text of ['统一(?!了)|都(?:用|要)', '不是有效的组名']) expect(words).toContain(text);
});
