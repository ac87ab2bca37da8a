import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAgentFile } from '../../src/domain/agent/read-agent.ts';
import { parseCatalogue } from '../../src/domain/config/catalogue.ts';
import { problemLine, resolveConfig } from '../../src/domain/config/config-layers.ts';
import { readMcpFile } from '../../src/domain/config/mcp-server.ts';
import { SanbotError } from '../../src/domain/errors.ts';
import { type Bilingual, isBilingual } from '../../src/domain/language.ts';
import { frontMatterBudget, readCommandFile, readFrontMatter } from '../../src/domain/session/skill-front-matter.ts';
import { valueAt } from '../../src/domain/value/json.ts';
import { readAnswerSchema } from '../../src/runtime/conversation/structured-answer.ts';
import { worldRuns } from '../support/runs.ts';

const price = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 };
const server = { command: 'node', args: ['a'], env: { A: 'b' }, cwd: '/', timeoutMs: 5, alwaysLoad: ['x'] };
const remote = { url: 'https://example.com/mcp', headers: { A: 'b' }, oauth: { clientId: 'c' } };
const rule = { tool: 'run_command', command: 'git status', scripts: { a: 'b' } };

type Kind = {
  readonly right: object;
  /** What is told of it. */
  readonly read: (text: string) => readonly Bilingual[] | Promise<readonly Bilingual[]>;
  /** What others may have added, which means nothing here: the objects at these places. */
  readonly isFree: (path: string) => boolean;
};

/** Files of JSON with something at each place where a person may write something. */
const kinds: Readonly<Record<string, Kind>> = {
  settings: {
    right: {
      model: { name: 'm', headers: { A: 'b' }, price, endpoints: { near: { baseUrl: 'http://localhost/v1', headers: { A: 'b' }, price } } },
      compaction: { maxMessages: 9, preset: 'roomy' },
      permissions: { allow: [rule], ask: [], deny: [{ tool: '*', path: '/' }], folders: ['/a'] },
      hooks: {
        Stop: ['true', { command: 'true', timeoutMs: 5, matcher: 'a|b' }, { matcher: 'a', hooks: [{ type: 'command', command: 'true' }] }],
      },
      mcpServers: { desk: server, far: remote },
    },
    read: (text) => {
      const resolved = resolveConfig([{ kind: 'file', path: '/config.json', trust: 'user', text }]);
      return resolved.kind === 'ok' ? [] : resolved.problems.map(problemLine);
    },
    isFree: () => false,
  },
  servers: {
    right: { mcpServers: { desk: server, far: { ...remote, more: { than: ['we', 'know'] } } }, more: {} },
    read: (text) => readMcpFile(text).problems,
    isFree: (path) => !path.startsWith('mcpServers') || /more|oauth/.test(path),
  },
  catalogue: {
    right: {
      providers: [
        { provider: 'A', host: 'a.example', cacheMinutes: 5, models: [{ name: 'm', price, step: { aboveInputTokens: 9, price } }] },
      ],
    },
    read: (text) => {
      const parsed = parseCatalogue(JSON.parse(text));
      return parsed.kind === 'ok' ? [] : [parsed.problem];
    },
    isFree: () => false,
  },
  schema: {
    right: {
      type: 'object',
      properties: { a: { type: 'array', items: { enum: [1, 'a'] } }, b: { $ref: '#/$defs/b' } },
      $defs: { b: { type: 'string' } },
    },
    read: async (text) => {
      try {
        await readAnswerSchema(text, '/');
        return [];
      } catch (error) {
        if (error instanceof SanbotError && error.code === 'usage') return [error.shown.message];
        throw error;
      }
    },
    // A schema may have keys of its own, and each of its parts may be nothing but an object.
    isFree: () => true,
  },
};

type Path = readonly string[];

/** The places in a value, its own first. */
const placesIn = (value: unknown, path: Path = []): readonly Path[] => [
  path,
  ...(typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, item]) => placesIn(item, [...path, key])) : []),
];

/** The value with another one at a place; a key of any name becomes one of its own. */
function withAt(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) return value.map((item, at) => (`${at}` === key ? withAt(item, rest, other) : item));
  const entries = new Map<string, unknown>(Object.entries(value ?? {}));
  entries.set(key, withAt(entries.get(key), rest, other));
  return Object.fromEntries(entries);
}

const isObjectAt = (value: unknown, path: Path): boolean => {
  const found = valueAt(value, path);
  return typeof found === 'object' && found !== null && !Array.isArray(found);
};

/** Nothing takes it: no text, no number, and no object with names that are free. */
const NOTHING = { nothing: [{}] };

function expectWords(told: readonly Bilingual[]): void {
  for (const { en, zh } of told)
    for (const line of [en, zh]) {
      expect(line).not.toMatch(/\n|undefined|\[object|NaN|Invalid input|TypeError/);
      expect(line.length).toBeLessThan(500);
    }
}

describe.each(Object.entries(kinds))('a file of the kind %s', (name, { right, read, isFree }) => {
  const places = placesIn(right);
  const objects = places.filter((path) => isObjectAt(right, path));

  test('that is right has nothing told', async () => {
    expect(await read(JSON.stringify(right))).toEqual([]);
  });

  test('with a wrong value at any place is told in a line [B-07]', async () => {
    const untold: string[] = [];
    for (const path of places.slice(1)) {
      const told = await read(JSON.stringify(withAt(right, path, NOTHING)));
      if (!isFree(path.join('.')) && told.length === 0) untold.push(path.join('.'));
      expectWords(told);
    }
    expect(untold).toEqual([]);
  });

  test('with a key of no meaning at any place tells of it [B-08]', async () => {
    const untold: string[] = [];
    for (const path of objects)
      for (const key of ['__proto__', 'constructor', 'toString', 'nothing']) {
        const told = await read(JSON.stringify(withAt(right, [...path, key], NOTHING)));
        expectWords(told);
        const place = path.join('.');
        // Fields that others gave a server of theirs are left out; a name that is passed over is told there too.
        const isServer = name === 'servers' && /^mcpServers\.\w+$/.test(place);
        const isNamed = key === '__proto__' && (name !== 'servers' || place.startsWith('mcpServers'));
        if ((isNamed || (!isFree(place) && !isServer)) && told.length === 0) untold.push(`${key} in {${place}}`);
      }
    expect(untold).toEqual([]);
  });

  test('with thousands of levels is told in words, and ends nothing [B-07]', async () => {
    const [first = ''] = Object.keys(right);
    const deep = `{"${first}":${'{"properties":{"a":'.repeat(5_000)}1${'}}'.repeat(5_000)}}`;
    const told = await read(deep);
    expect(told).toHaveLength(1);
    expectWords(told);
  });

  test('with anything at any places is told in words, and ends nothing [B-07, B-08]', async () => {
    const change = fc.tuple(
      fc.constantFrom(...places),
      fc.option(fc.constantFrom('__proto__', 'constructor', 'x')),
      fc.jsonValue({ maxDepth: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const wrong = changes.reduce<unknown>(
          (value, [path, key, other]) => withAt(value, key === null ? path : [...path, key], other),
          right,
        );
        expectWords(await read(JSON.stringify(wrong)));
      }),
      worldRuns(2_000),
    );
  });
});

/** What a field of front matter may be written as, and is no text. */
const VALUES = ['3', 'true', 'null', '[a, {b: c}]', '{__proto__: {a: b}}', '2026-11-27', '', '!!set {a}', '*x', '"\\ud800"', '- a'];
const FIELDS = [
  'name',
  'description',
  'tools',
  'disallowedTools',
  'model',
  'effort',
  'permissionMode',
  'maxTurns',
  'worktree',
  'isolation',
];
const KEYS = ['argument-hint', '__proto__', 'constructor', 'toString', 'nothing'];

const readers: Readonly<Record<string, (text: string) => object | Bilingual>> = {
  agent: (text) => readAgentFile(text, 'a', frontMatterBudget()),
  command: (text) => readCommandFile(text, 'a'),
  skill: (text) => readFrontMatter(text, 'a'),
};

describe.each(Object.entries(readers))('front matter of the kind %s', (_, read) => {
  const written = (fields: readonly string[]): string => `---\n${['description: d', ...fields].join('\n')}\n---\nText.\n`;

  test.each([...FIELDS, ...KEYS])('with %s of any value is read, or told in a line', (field) => {
    const others: string[] = [];
    for (const value of VALUES) {
      const result = read(written(field === 'description' ? [] : [`${field}: ${value}`]));
      if (isBilingual(result)) expectWords([result]);
      if (!KEYS.slice(1).includes(field) || /^[*-]|ud800/.test(value)) continue;
      if (!isDeepStrictEqual(result, read(written([])))) others.push(value);
    }
    expect(others).toEqual([]);
  });
});
