import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configSchema, presets } from '../../../../src/domain/config/config.ts';
import { configError, problemLine, resolveConfig } from '../../../../src/domain/config/config-layers.ts';
import type { ConfigLayer } from '../../../../src/domain/config/layer.ts';
import { presetNames } from '../../../../src/domain/config/settings/compaction.ts';
import { root } from '../../../support/source.ts';

const user = (settings: unknown): ConfigLayer => ({
  kind: 'file',
  path: '/home/u/.sanbot/config.json',
  trust: 'user',
  text: typeof settings === 'string' ? settings : JSON.stringify(settings),
});

const project = (settings: unknown): Extract<ConfigLayer, { kind: 'file' }> => ({
  kind: 'file',
  path: '/home/dev/.sanbot.json',
  trust: 'trusted',
  text: JSON.stringify(settings),
});

const env = (variables: Record<string, string>): ConfigLayer => ({ kind: 'env', env: variables });
const flags = (more: { readonly model?: string }): ConfigLayer => ({ kind: 'flags', ...more });

const resolved = (...layers: ConfigLayer[]) => {
  const result = resolveConfig(layers);
  if (result.kind === 'bad') throw new Error(result.problems.map((problem) => problemLine(problem).en).join('\n'));
  return result;
};

const problemsOf = (...layers: ConfigLayer[]) => {
  const result = resolveConfig(layers);
  return result.kind === 'bad' ? result.problems : [];
};

test('an endpoint called __proto__ is refused, as a server of that name is [B-08]', () => {
  const told = (text: string) => problemsOf(user(text)).map((problem) => problemLine(problem).en);
  expect(told('{"model":{"endpoints":{"__proto__":{"baseUrl":"http://localhost/v1"}}}}')).toEqual([
    '/home/u/.sanbot/config.json:1:23: model.endpoints: expected another name, found "__proto__"',
  ]);
  expect(told('{"mcpServers":{"__proto__":{"command":"x"}}}')).toHaveLength(1);
});

test('of many problems the first twenty are told, and how many more there are', () => {
  const servers = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`s${n}`, { command: n }]));
  const { en, zh } = configError(problemsOf(user({ mcpServers: servers }))).shown.message;
  expect([en.split('\n').length, zh.split('\n').length, en.split('\n').at(-1)]).toEqual([21, 21, 'and 480 more']);
});

describe('settings', () => {
  test('are the defaults when nothing is said, each with its origin', () => {
    const { config, origins, notices } = resolved();
    const defaults = configSchema.parse({});
    expect(config).toEqual({ ...defaults, model: { ...defaults.model, provider: 'offline' } });
    expect(new Set(Object.values(origins))).toEqual(new Set(['default']));
    expect(Object.keys(origins)).toHaveLength(Object.values(defaults).flatMap((section) => Object.keys(section)).length);
    expect(notices).toEqual([]);
  });

  test('about memory are the user’s own: a project that sets them is told and not heard', () => {
    const own = user({ memory: { maxTokens: 500 } });
    const theirs = project({
      memory: { enabled: false, maxTokens: 9, useModel: 'session-end', consolidateDaily: true },
      compaction: { memoryFlush: false },
    });
    const { config, notices, origins } = resolved(own, theirs);
    expect(config.memory).toEqual({ enabled: true, maxTokens: 500, useModel: 'consolidate', consolidateDaily: false });
    expect(config.compaction.memoryFlush).toBe(true);
    expect(origins['memory.enabled']).toBe('default');
    expect(notices).toHaveLength(5);
    expect(notices[0]?.en).toBe('/home/dev/.sanbot.json: memory.enabled is ignored: a project may not decide what you remember.');
  });

  test('of a higher layer win: user file, project file, environment, flags', () => {
    const layers = [
      user({
        compaction: { retryCount: 1, targetTokens: 1_001, keepRecentMessages: 1 },
        model: { name: 'of-user', contextWindow: 10_000 },
      }),
      project({ compaction: { targetTokens: 1_002, keepRecentMessages: 2 }, model: { name: 'of-project' } }),
      env({ SANBOT_COMPACT_PRESERVE_COUNT: '3', SANBOT_MODEL: 'of-env' }),
      { kind: 'flags', model: 'of-flag', contextWindow: undefined, maxSteps: 9 },
    ] as const;
    const { config, origins } = resolved(...layers);
    expect(config.compaction).toMatchObject({ retryCount: 1, targetTokens: 1_002, keepRecentMessages: 3 });
    expect(config.model).toMatchObject({ name: 'of-flag', contextWindow: 10_000 });
    expect(config.agent.maxSteps).toBe(9);
    expect(origins).toMatchObject({
      'compaction.retryCount': '/home/u/.sanbot/config.json',
      'compaction.targetTokens': '/home/dev/.sanbot.json',
      'compaction.keepRecentMessages': 'env SANBOT_COMPACT_PRESERVE_COUNT',
      'model.name': '--model',
      'model.contextWindow': '/home/u/.sanbot/config.json',
      'agent.maxSteps': '--max-steps',
      'compaction.maxMessages': 'default',
    });
  });

  test('an explicit 0, false or null is a setting and not an absence [N6]', () => {
    const { config, origins } = resolved(
      user({ compaction: { triggerThreshold: 5, model: 'small', enabled: true } }),
      project({ compaction: { triggerThreshold: 0, model: null, enabled: false } }),
    );
    expect(config.compaction).toMatchObject({ triggerThreshold: 0, model: null, enabled: false });
    expect(origins['compaction.model']).toBe('/home/dev/.sanbot.json');
  });

  test.each(presetNames)('preset %s stands for its figures, and explicit keys win over it whatever their layer', (name) => {
    const { config, origins } = resolved(user({ compaction: { keepRecentMessages: 17 } }), project({ compaction: { preset: name } }));
    expect(config.compaction).toMatchObject({ ...presets[name], keepRecentMessages: 17, preset: name });
    for (const key of Object.keys(presets[name]))
      if (key !== 'keepRecentMessages') expect(origins[`compaction.${key}`]).toBe(`preset ${name}`);
    expect(origins['compaction.keepRecentMessages']).toBe('/home/u/.sanbot/config.json');
  });

  test('the presets are those of the published table', () => {
    const figures = presetNames.map((name) => {
      const preset = presets[name];
      return [
        preset.softThresholdTokens,
        preset.hardThresholdTokens,
        preset.reserveTokens,
        preset.keepRecentMessages,
        preset.targetTokens,
        preset.useLLMSummary,
        preset.softWindow,
      ];
    });
    expect(figures).toEqual([
      [5_000, 8_000, 2_000, 4, 400, false, undefined],
      [15_000, 20_000, 4_000, 6, 800, false, undefined],
      [25_000, 30_000, 6_000, 10, 1_200, true, undefined],
      [undefined, undefined, undefined, undefined, undefined, undefined, 200_000],
    ]);
  });

  test('the preset of the highest layer counts, and null takes it away', () => {
    expect(
      resolved(user({ compaction: { preset: 'production' } }), project({ compaction: { preset: 'development' } })).config.compaction
        .hardThresholdTokens,
    ).toBe(8_000);
    expect(
      resolved(user({ compaction: { preset: 'production' } }), project({ compaction: { preset: null } })).config.compaction
        .hardThresholdTokens,
    ).toBeNull();
  });

  test('an environment variable that is empty counts as not set', () => {
    expect(resolved(env({ SANBOT_MODEL: '', SANBOT_CONTEXT_WINDOW: '', ANTHROPIC_API_KEY: '' }))).toEqual(resolved());
  });

  test.each([
    [[], 'offline', 'default'],
    [[env({ ANTHROPIC_API_KEY: 'k' })], 'anthropic', 'env ANTHROPIC_API_KEY'],
    [[env({ ANTHROPIC_AUTH_TOKEN: 'k' })], 'anthropic', 'env ANTHROPIC_AUTH_TOKEN'],
    [[env({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })], 'anthropic', 'env ANTHROPIC_BASE_URL'],
    [[user({ model: { apiKey: 'k' } })], 'anthropic', '/home/u/.sanbot/config.json'],
    [[user({ model: { baseUrl: 'https://h.example' } })], 'anthropic', '/home/u/.sanbot/config.json'],
    [[user({ model: { apiKey: 'k', provider: 'offline' } })], 'offline', '/home/u/.sanbot/config.json'],
    [[env({ ANTHROPIC_API_KEY: 'k', SANBOT_PROVIDER: 'offline' })], 'offline', 'env SANBOT_PROVIDER'],
    [[env({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1', SANBOT_MODEL: 'm' })], 'offline', 'default'],
    [[env({ OPENAI_API_KEY: 'k' }), flags({ model: 'm' })], 'openai-responses', 'env OPENAI_API_KEY'],
    [[env({ OPENAI_BASE_URL: 'http://127.0.0.1:1' }), flags({ model: 'm' })], 'openai-chat', 'env OPENAI_BASE_URL'],
    [[env({ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }), flags({ model: 'm' })], 'anthropic', 'env ANTHROPIC_API_KEY'],
    [[user({ model: { endpoints: { e: {} } } }), env({ OPENAI_API_KEY: 'k' }), flags({ model: 'e/m' })], 'offline', 'default'],
  ])('the provider of %j is %s', (layers, provider, origin) => {
    const { config, origins } = resolved(...(layers as ConfigLayer[]));
    expect({ provider: config.model.provider, origin: origins['model.provider'] }).toEqual({ provider, origin });
  });

  test('the key of the environment wins over that of a file and is never copied', () => {
    const result = resolved(user({ model: { apiKey: 'file-key' } }), env({ ANTHROPIC_API_KEY: 'env-key' }));
    expect(result.config.model.apiKey).toBeNull();
    expect(result.origins['model.apiKey']).toBe('env ANTHROPIC_API_KEY');
    expect(JSON.stringify(result)).not.toMatch(/env-key|file-key/);
  });
});

describe("a project's file", () => {
  const wishes = {
    model: {
      baseUrl: 'https://evil.example',
      apiKey: 'theirs',
      provider: 'anthropic',
      name: 'theirs',
      price: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
    },
    compaction: { snapshotRetentionDays: 0, snapshotMaxBytes: 0, memoryFlush: false, maxMessages: 9 },
    agent: { redactSecrets: false, maxSteps: 3 },
    memory: { enabled: false },
    hooks: { SessionStart: ['touch ran'] },
  };
  const ownKeys = [
    'model.baseUrl',
    'model.apiKey',
    'model.provider',
    'model.price',
    'compaction.snapshotRetentionDays',
    'compaction.snapshotMaxBytes',
    'compaction.memoryFlush',
    'agent.redactSecrets',
    'memory.enabled',
  ];

  test('names no model at another endpoint than the user works with: where a conversation goes is the user’s [S-18]', () => {
    const endpoints = { mine: { baseUrl: 'http://127.0.0.1:9/v1', model: 'a' }, router: { baseUrl: 'https://router.example/v1' } };
    const chosen = (own: string | undefined, wished: object) => {
      const { config, notices } = resolved(user({ model: { endpoints, ...(own === undefined ? {} : { name: own }) } }), project(wished));
      return [config.model.name, config.compaction.model, notices.map(({ en }) => en.replace(/^[^:]*: /, '').replace(/:.*/s, ''))];
    };
    expect(chosen(undefined, { model: { name: 'router/x' } })).toEqual([null, null, ['model.name is ignored']]);
    expect(chosen('mine/b', { model: { name: 'router/x' } })).toEqual(['mine/b', null, ['model.name is ignored']]);
    expect(chosen('mine', { model: { name: 'claude-opus-5-5' } })).toEqual(['mine', null, ['model.name is ignored']]);
    expect(chosen('mine', { compaction: { model: 'router/x' } })).toEqual(['mine', null, ['compaction.model is ignored']]);
    expect(chosen('mine', { model: { name: 'mine/c' }, compaction: { model: 'mine' } })).toEqual(['mine/c', 'mine', []]);
    expect(chosen(undefined, { model: { name: 'claude-opus-5-5' } })).toEqual(['claude-opus-5-5', null, []]);
  });

  test('that is trusted sets all but what belongs to the user, and the user is told [S-18]', () => {
    const { config, notices, origins } = resolved(project(wishes));
    for (const key of ownKeys) {
      expect(origins[key], key).toBe('default');
      expect(notices.filter(({ en }) => en.startsWith(`/home/dev/.sanbot.json: ${key} is ignored: a project may not `))).toHaveLength(1);
    }
    expect(notices).toHaveLength(ownKeys.length);
    expect(JSON.stringify(notices)).not.toContain('evil');
    expect(config).toMatchObject({
      model: { name: 'theirs' },
      compaction: { maxMessages: 9 },
      agent: { maxSteps: 3 },
      hooks: { SessionStart: ['touch ran'] },
    });
  });

  test('whose hooks have changed since runs none of them, and that is told [S-17]', () => {
    const { config, notices } = resolved({ ...project(wishes), trust: 'trusted', withheld: ['hooks'] });
    expect(config.hooks.SessionStart).toEqual([]);
    expect(config.model.name).toBe('theirs');
    expect(notices.map(({ en }) => en).join('\n')).toContain(
      'hooks.SessionStart is not run: its hooks have changed since you trusted this folder.',
    );
  });

  test.each([
    [
      JSON.stringify(wishes),
      'it would set model.name, compaction.maxMessages, agent.maxSteps, a SessionStart hook. sanbot trust add shows',
    ],
    ['{ "nope": 1, "offload": { "allow": 1 } }', 'it would set nope, offload.allow. sanbot trust add shows'],
    ['{}', 'it would set nothing.'],
    ['{ "a": ', 'nor could it be (line 1, column 8: expected a value, found the end of the file).'],
    ['', 'nor could it be (line 1, column 1'],
    [JSON.stringify({ model: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}${'x'.repeat(200)}`, 1])) }), '… and 4 more.'],
  ])('that is not trusted sets nothing and stops nobody: one line says what it would set [S-16, S-18]', (text, why) => {
    const { config, notices, origins } = resolved({ kind: 'file', path: '/home/dev/.sanbot.json', trust: 'untrusted', text });
    expect({ config, origins }).toEqual({ config: resolved().config, origins: resolved().origins });
    expect(notices).toHaveLength(1);
    expect(notices[0]?.en).toContain('/home/dev/.sanbot.json is not used, since you have not trusted this folder; ');
    expect(notices[0]?.en).toContain(why);
  });
});

describe('a wrong setting', () => {
  test.each([
    [{ compaction: { maxMesages: 5 } }, 'compaction.maxMesages', 'compaction.maxMessages'],
    [{ compaction: { maxmessages: 5 } }, 'compaction.maxmessages', 'compaction.maxMessages'],
    [{ compaction: { max_messages: 5 } }, 'compaction.max_messages', 'compaction.maxMessages'],
    [{ compaction: { maxToolResultChars: 5 } }, 'compaction.maxToolResultChars', 'offload.maxToolResultChars'],
    [{ maxMessages: 5 }, 'maxMessages', 'compaction.maxMessages'],
    [{ compacton: {} }, 'compacton', 'compaction'],
    [{ 'agent.maxSteps': 5 }, 'agent.maxSteps', 'agent.maxSteps'],
    [{ model: { zzzzzzzz: 1 } }, 'model.zzzzzzzz', undefined],
    [{ plugins: {} }, 'plugins', undefined],
  ])('%j is unknown, and the right key is named', (settings, key, nearest) => {
    const [problem, ...more] = problemsOf(user(settings));
    expect(more).toEqual([]);
    expect({ key: problem?.key, nearest: problem?.nearest }).toEqual({ key, nearest });
    expect(problem?.where).toMatch(/^\/home\/u\/\.sanbot\/config\.json:\d+:\d+$/);
  });

  test.each([
    ['__proto__', '{"__proto__": {"compaction": {"enabled": false}}}'],
    ['compaction.__proto__', '{"compaction": {"__proto__": {"enabled": false}}}'],
    ['constructor', '{"constructor": {"prototype": {"enabled": false}}}'],
    ['compaction.toString', '{"compaction": {"toString": 1}}'],
  ])('%s is an unknown key like any other [B-08]', (key, text) => {
    expect(problemsOf(user(text))).toMatchObject([{ key }]);
  });

  test.each([
    [{ compaction: { maxMessages: '80' } }, 'compaction.maxMessages', 'a number', '"80"'],
    [{ compaction: { maxMessages: 1.5 } }, 'compaction.maxMessages', 'a whole number', '1.5'],
    [{ compaction: { maxMessages: null } }, 'compaction.maxMessages', 'a number', 'null'],
    [{ compaction: { maxMessages: 1 } }, 'compaction.maxMessages', 'at least 2', '1'],
    [{ compaction: { maxTokenRatio: 0.99 } }, 'compaction.maxTokenRatio', 'at most 0.95', '0.99'],
    [{ compaction: { reserveTokens: -1 } }, 'compaction.reserveTokens', 'at least 0', '-1'],
    [{ compaction: { timeoutMs: 0 } }, 'compaction.timeoutMs', 'more than 0', '0'],
    [{ compaction: { enabled: 'yes' } }, 'compaction.enabled', 'true or false', '"yes"'],
    [{ compaction: { mode: 'fast' } }, 'compaction.mode', 'one of "default", "safeguard"', '"fast"'],
    [{ compaction: [] }, 'compaction', 'an object', 'a list of 0'],
    [{ offload: { allow: '*' } }, 'offload.allow', 'a list', '"*"'],
    [{ offload: { deny: ['a', 5] } }, 'offload.deny.1', 'text in double quotes', '5'],
    [{ pruning: { ttl: '5 minutes' } }, 'pruning.ttl', 'a time such as "90s", "5m" or "1h"', '"5 minutes"'],
    [{ pruning: { mode: 'always' } }, 'pruning.mode', 'one of "off", "cache-ttl"', '"always"'],
    [{ pruning: { placeholder: ' ' } }, 'pruning.placeholder', 'some text', '" "'],
    [{ pruning: { tools: { denied: [] } } }, 'pruning.tools', 'only allow and deny', 'a list of 1'],
    [{ model: { baseUrl: 'ftp://x' } }, 'model.baseUrl', 'an address that starts with http:// or https://', '"ftp://x"'],
    [{ model: { name: '' } }, 'model.name', 'some text', '""'],
    [{ model: { price: { input: 1, cacheRead: 1, cacheWrite: 1 } } }, 'model.price.output', 'a number', 'nothing'],
    [
      { model: { price: { input: 1, cacheRead: 1, cacheWrite: 1, output: 1, extra: 2 } } },
      'model.price',
      'only input, cacheRead, cacheWrite, cacheWrite1h and output',
      'a list of 1',
    ],
  ])('%j is told with key, expected and found [B-07]', (settings, key, expected, found) => {
    expect(problemsOf(user(settings))).toMatchObject([{ key, expected: { en: expected }, found: { en: found } }]);
  });

  test('of the environment or a flag names the variable or the flag [B-07]', () => {
    expect(problemsOf(env({ SANBOT_CONTEXT_WINDOW: '1e9', SANBOT_COMPACT_RETRY_COUNT: '-1', SANBOT_PROVIDER: 'openai' }))).toMatchObject([
      { where: 'env SANBOT_COMPACT_RETRY_COUNT', key: 'compaction.retryCount', expected: { en: 'at least 0' }, found: { en: '-1' } },
      { where: 'env SANBOT_CONTEXT_WINDOW', key: 'model.contextWindow', expected: { en: 'a number' }, found: { en: '"1e9"' } },
      { where: 'env SANBOT_PROVIDER', key: 'model.provider', found: { en: '"openai"' } },
    ]);
    expect(problemsOf({ kind: 'flags', contextWindow: 10 })).toMatchObject([
      { where: '--context-window', expected: { en: 'at least 4000' }, found: { en: '10' } },
    ]);
  });

  test('never shows a key', () => {
    expect(JSON.stringify(problemsOf(user({ model: { apiKey: ['sk-secret-1234'] } })))).not.toContain('secret');
  });

  test('all problems of all layers are told at once, in one error with exit code 2', () => {
    const problems = problemsOf(
      user({ compaction: { enabled: 1 } }),
      project({ nope: 1, offload: { allow: 1 } }),
      env({ SANBOT_CONTEXT_WINDOW: 'x' }),
    );
    expect(problems.map(({ where }) => where)).toEqual([
      '/home/u/.sanbot/config.json:1:26',
      '/home/dev/.sanbot.json:1:2',
      '/home/dev/.sanbot.json:1:30',
      'env SANBOT_CONTEXT_WINDOW',
    ]);
    expect(configError(problems)).toMatchObject({ code: 'config_invalid' });
    expect(configError(problems).message.split('\n')).toHaveLength(4);
  });

  test('points at the line of the file [B-06]', () => {
    expect(problemsOf(user('{\n  "agent": {\n    "maxSteps": "many"\n  }\n}'))).toMatchObject([
      { where: '/home/u/.sanbot/config.json:3:17' },
    ]);
    expect(problemsOf(user('{\n  "agent": {},\n}'))).toMatchObject([
      { where: '/home/u/.sanbot/config.json:2:14', key: '', found: { en: 'a trailing comma' } },
    ]);
  });
});

describe('settings that contradict each other', () => {
  test.each([
    [[user({ compaction: { softTokenRatio: 0.8, maxTokenRatio: 0.6 } })], '/home/u/.sanbot/config.json', 'compaction.softTokenRatio'],
    [[user({ compaction: { maxTokenRatio: 0.6 } })], '/home/u/.sanbot/config.json', 'compaction.softTokenRatio'],
    [
      [user({ compaction: { softThresholdTokens: 9 } }), project({ compaction: { hardThresholdTokens: 9 } })],
      '/home/u/.sanbot/config.json',
      'compaction.softThresholdTokens',
    ],
    [
      [user({ compaction: { preset: 'production', hardThresholdTokens: 4_000 } })],
      '/home/u/.sanbot/config.json',
      'compaction.softThresholdTokens',
    ],
    [[user({ offload: { headKeepRatio: 0.9 } })], '/home/u/.sanbot/config.json', 'offload.headKeepRatio'],
    [[user({ pruning: { headKeepRatio: 0.9 } })], '/home/u/.sanbot/config.json', 'pruning.headKeepRatio'],
  ])('%j is refused where somebody set it', (layers, where, key) => {
    expect(problemsOf(...(layers as ConfigLayer[]))).toMatchObject([{ where, key }]);
  });

  test('the line tells both figures and where the other one comes from', () => {
    const [problem] = problemsOf(user({ compaction: { maxTokenRatio: 0.6 } }));
    expect(problem === undefined ? '' : problemLine(problem).en).toBe(
      '/home/u/.sanbot/config.json: compaction.softTokenRatio: expected a number below compaction.maxTokenRatio (0.6), found 0.7 (default)',
    );
  });
});

describe('any settings', () => {
  const keys = ['compaction', 'offload', 'agent', 'model', 'maxMessages', 'preset', 'allow', 'price', 'name', '__proto__', 'x'];
  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 0, -1, 0.6, 5, 80, 'offline', 'production', '', '中文'),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).node;

  test('are resolved whole or explained, and an explanation says where, what was expected and what was found [B-06, B-07]', () => {
    fc.assert(
      fc.property(value, value, (ofUser, ofProject) => {
        const result = resolveConfig([user(JSON.stringify(ofUser) ?? 'null'), project(ofProject)]);
        if (result.kind === 'ok') {
          expect(configSchema.safeParse(result.config).success).toBe(true);
        } else {
          expect(result.problems.length).toBeGreaterThan(0);
          for (const problem of result.problems) {
            expect(
              [problem.where, ...Object.values(problem.expected), ...Object.values(problem.found)].every((part) => part.length > 0),
            ).toBe(true);
          }
        }
        expect(({} as Record<string, unknown>).maxMessages).toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });
});

describe('endpoints', () => {
  test("the environment's address is that of its own provider only", () => {
    const both = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', OPENAI_BASE_URL: 'http://127.0.0.1:2' };
    const baseUrl = (provider: string) => resolved(env({ ...both, SANBOT_PROVIDER: provider })).config.model.baseUrl;
    expect(['anthropic', 'openai-chat', 'offline'].map(baseUrl)).toEqual(['http://127.0.0.1:1', 'http://127.0.0.1:2', null]);
  });

  test.each([
    [{ endpoints: { 'a b': {} } }, 'model.endpoints.a b', 'a name of letters'],
    [{ endpoints: { anthropic: {} } }, 'model.endpoints.anthropic', 'other than anthropic'],
    [{ endpoints: { e: { provider: 'offline' } } }, 'model.endpoints.e.provider', 'one of "anthropic"'],
    [{ endpoints: { e: { url: 'x' } } }, 'model.endpoints.e', 'only provider, baseUrl'],
    [{ endpoints: { e: { baseUrl: 'here' } } }, 'model.endpoints.e.baseUrl', 'an address that starts with http'],
    [{ endpoints: { e: { apiKey: 7 } } }, 'model.endpoints.e.apiKey', 'text'],
    [{ headers: { host: 'x' } }, 'model.headers.host', 'the name of a header that may be set'],
    [{ headers: { a: 'secret\n' } }, 'model.headers.a', 'text that a header can carry'],
    [{ apiKeyEnv: 'a-b' }, 'model.apiKeyEnv', 'the name of an environment variable'],
  ])('%j is told as wrong, and no secret with it', (model, key, expected) => {
    const [problem] = problemsOf(user({ model }));
    expect(problem).toMatchObject({ key, expected: { en: expect.stringContaining(expected) } });
    expect(JSON.stringify(problem)).not.toContain('secret');
  });
});

test('settings that are put together are what the schema of all of them makes of them', () => {
  const text = readFileSync(join(root, '.sanbot.example.json'), 'utf8');
  const scattered = {
    compaction: { preset: 'production', maxMessages: 12 },
    commands: { environment: { pass: ['A_*'] } },
    mcpServers: { server: { command: 'server' } },
    hooks: { PreCompact: [{ command: 'true' }] },
    model: { endpoints: { mine: { baseUrl: 'http://127.0.0.1:9/v1', model: 'a' } } },
  };
  for (const layers of [[], [user(text)], [user(scattered)]]) {
    const resolved = resolveConfig(layers);
    if (resolved.kind === 'bad') throw new Error(JSON.stringify(resolved.problems));
    expect(configSchema.parse(resolved.config)).toEqual(resolved.config);
  }
});
