import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/domain/config/config.ts';
import { resolveConfig } from '../../src/domain/config/config-layers.ts';
import { sectionShape } from '../../src/domain/config/config-settings.ts';
import { whyUserOnly } from '../../src/domain/config/project-settings.ts';
import { textOfSetting } from '../../src/domain/config/settings/settings.ts';
import { isObject } from '../../src/domain/value/json.ts';
import { readPage } from '../support/docs.ts';
import { root } from '../support/source.ts';

/* What is written of a setting outside of its description follows from it: renew it with --update. */
const defaults = Object.entries(configSchema.parse({}));

const page = 'docs/settings.md';
/** A table of settings: its head, and a row for each. */
const TABLE = /(^\| key \| default \| what it does \|\n\| --- \| --- \| --- \|\n)((?:\| `\w+\.\w+` \|.*\n)+)/gm;
const sectionsIn = (rows: string): readonly string[] => [
  ...new Set([...rows.matchAll(/^\| `(\w+)\./gm)].map(([, section = '']) => section)),
];

test('the page of settings has a row for each, with its default and what it does', async () => {
  const text = readPage(page);
  const described = Object.keys(configSchema.shape).filter((section) => sectionShape(section) !== undefined);
  expect([...text.matchAll(TABLE)].flatMap(([, , rows = '']) => sectionsIn(rows))).toEqual(described);
  const renewed = text.replace(TABLE, (_, head: string, rows: string) => head + sectionsIn(rows).flatMap(rowsOf).join(''));
  await expect(renewed).toMatchFileSnapshot(join(root, page));
});

function rowsOf(section: string): readonly string[] {
  const values = defaults.find(([name]) => name === section)?.[1] ?? {};
  return Object.entries(values).map(([name, value]) => {
    const schema = sectionShape(section)?.[name];
    const does = schema === undefined ? undefined : textOfSetting(schema);
    return `| \`${section}.${name}\` | ${value === null ? 'not set' : `\`${JSON.stringify(value)}\``} | ${does?.en} |\n`;
  });
}

test('every setting says in both languages what it does', () => {
  const shapes = defaults.flatMap(([section]) => Object.entries(sectionShape(section) ?? {}));
  expect(shapes.length).toBeGreaterThan(80);
  expect(new Set(shapes.map(([, schema]) => textOfSetting(schema))).size).toBe(shapes.length);
  for (const [name, schema] of shapes) {
    const { en = '', zh = '' } = textOfSetting(schema) ?? {};
    expect([name, en, zh]).toEqual([name, expect.stringMatching(/^.+\.$/), expect.stringMatching(/^.*\p{Script=Han}.*。$/u)]);
    // A bar would end the cell of a table.
    expect(en).not.toContain('|');
  }
});

const example = '.sanbot.example.json';

test('the example shows every key with its default, and marks what a project may not set', async () => {
  const sections = defaults
    .filter(([section]) => section !== 'mcpServers')
    .map(([section, values]) => `${sectionText(section, values)},\n`);
  await expect(`${HEAD}{\n${sections.join('')}${TAIL}}\n`).toMatchFileSnapshot(join(root, example));
});

const HEAD = '// Every setting with its default. "Yours alone": ignored in the .sanbot.json of a project.\n';
const TAIL = `  // by name: {"notes": {"command": "npx", "args": ["-y", "…"]}}, or {"tracker": {"url": "https://…"}}
  "mcpServers": {}
`;

/** What an entry may look like, where the default shows none. */
const FORMS: Readonly<Record<string, string>> = {
  hooks: '  // a command, or {"command": "…", "timeoutMs": 5000, "matcher": "…", "onlyReads": true}\n',
};

function sectionText(section: string, values: object): string {
  const all = whyUserOnly(section) === undefined ? '' : '  // yours alone, all of it\n';
  const entries = Object.entries(values);
  const lines = entries.map(([name, value], at) => {
    const mark = all === '' && whyUserOnly(`${section}.${name}`) !== undefined ? ' // yours alone' : '';
    return `    ${JSON.stringify(name)}: ${inOneLine(value)}${at < entries.length - 1 ? ',' : ''}${mark}\n`;
  });
  return `${all}${FORMS[section] ?? ''}  ${JSON.stringify(section)}: {\n${lines.join('')}  }`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (!isObject(value) || Object.keys(value).length === 0) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${inOneLine(each)}`)
    .join(', ')} }`;
}

test('a copy of the example changes nothing', () => {
  const text = readFileSync(join(root, example), 'utf8');
  const copied = resolveConfig([{ kind: 'file', path: 'config.json', trust: 'user', text }]);
  const plain = resolveConfig([]);
  expect(copied.kind === 'ok' && [copied.config, copied.notices]).toEqual(plain.kind === 'ok' && [plain.config, []]);
});
