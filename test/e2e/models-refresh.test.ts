import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { examineHome } from '../../src/commands/care/doctor.ts';
import { catalogEntry, factsFor, useCatalogue } from '../../src/model/catalog.ts';
import { READ } from '../../src/model/catalog-rows.ts';
import { processEnvironment } from '../../src/runtime/environment.ts';
import { openStreams } from '../../src/runtime/io-streams.ts';
import { afterThisTest } from '../support/clean-up.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { startJsonServer } from '../support/json-server.ts';
import { createSandbox } from '../support/sanbot.ts';
import { replies } from '../support/scenario.ts';

afterEach(() => useCatalogue(undefined, { address: '', version: '', read: '' }));

const price = { input: 7, cacheRead: 1, cacheWrite: 7, output: 9 };
const model = { name: 'claude-sonnet-5-5', windowTokens: 77_000, price };
const catalogue = {
  providers: [{ provider: 'Anthropic', host: 'api.anthropic.com', models: [model, { name: 'made-up', windowTokens: 1_000 }] }],
};

test('a catalogue that is asked for is kept for the user alone, used for windows and prices, shown, and removed again', async () => {
  const world = createSandbox();
  const server = await startJsonServer({ 'GET /models.json?key=secret': catalogue });
  const address = `${server.url}/models.json`;
  const taken = await world.run(['models', '--refresh', `${address}?key=secret`]);
  expect([taken.code, taken.out]).toEqual([0, expect.stringContaining('2 models')]);
  const file = join(world.home, 'models.json');
  expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8')]).toEqual([0o600, expect.not.stringContaining('secret')]);
  const env = { ANTHROPIC_API_KEY: 'k' };
  const shown = await world.run(['models'], { env });
  expect(shown.out).toMatch(/claude-sonnet-5-5 +77,000 +\$7\.00/);
  expect(shown.out).toContain(`Windows and prices of ${address}, taken 20`);
  expect(JSON.parse((await world.run(['models', '--json'], { env })).out).catalogue.from).toBe(address);
  const facts = factsFor('claude-sonnet-5-5', { contextWindow: null, maxOutputTokens: null, price: null }, 'anthropic');
  expect(facts.windowTokens).toBe(77_000);
  expect(catalogEntry('claude-sonnet-5-5')).toMatchObject({ maxOutputTokens: 128_000, thinking: 'adaptive', price });
  expect((await world.run(['models', '--forget'])).code).toBe(0);
  expect([existsSync(file), (await world.run(['models'], { env })).out]).toEqual([
    false,
    expect.not.stringMatching(/77,000|Windows and prices of/),
  ]);
});

test('one that is damaged is told with what to do, and the table counts', async () => {
  const world = createSandbox();
  mkdirSync(world.home, { mode: 0o700 });
  writeFileSync(join(world.home, 'models.json'), '{"from":', { mode: 0o600 });
  const ran = await world.run(['models']);
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('sanbot models --refresh')]);
});

test('what is no catalogue is refused with what is wrong and where, and the one in use stays', async () => {
  const world = createSandbox();
  writeFileSync(join(world.cwd, '模型 目录.json'), JSON.stringify(catalogue));
  expect(await world.run(['models', '--refresh', '模型 目录.json'])).toMatchObject({ code: 0 });
  const before = world.read('models.json');
  const wrong = [
    ['not JSON', 'no JSON'],
    ['{}', 'providers: expected a list'],
    ['{"providers": [], "currency": "EUR"}', 'providers: expected at least 1'],
    [JSON.stringify({ ...catalogue, currency: 'EUR' }), 'there is no key "currency"'],
    [
      JSON.stringify({ providers: [{ ...catalogue.providers[0], models: [{ ...model, price: { ...price, input: -1 } }] }] }),
      'providers.0.models.0.price.input: expected at least 0',
    ],
    [
      JSON.stringify({ providers: [{ ...catalogue.providers[0], models: [{ ...model, name: 'a\u001b[2J' }] }] }),
      'providers.0.models.0.name: expected a name without blanks',
    ],
  ] as const;
  for (const [text, problem] of wrong) {
    writeFileSync(join(world.cwd, 'wrong.json'), text);
    const ran = await world.run(['models', '--refresh', 'wrong.json']);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(problem)]);
  }
  for (const from of ['missing.json', 'http://example.com/models.json'])
    expect((await world.run(['models', '--refresh', from])).code).toBe(2);
  expect(world.read('models.json')).toBe(before);
});

test('the doctor says once the table is older than 90 days', async () => {
  const world = createSandbox();
  const api = await startFakeApi(() => replies('ok'), { key: 'k' });
  afterThisTest(() => api.close());
  const saidAfter = async (days: number): Promise<string> => {
    const env = { ...world.env, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'k', SANBOT_MODEL: 'claude-sonnet-5-5' };
    const now = () => new Date(Date.parse(READ) + days * 86_400_000);
    const environment = {
      ...processEnvironment(),
      env,
      now,
      cwd: () => world.cwd,
      homedir: () => join(world.home, '..'),
      hide: () => true,
    };
    const said: string[] = [];
    await examineHome({}, { environment, io: { ...openStreams(environment, () => undefined), out: (text) => void said.push(text) } });
    return said.join('');
  };
  expect(await saidAfter(90)).not.toContain('days old');
  expect(await saidAfter(91)).toContain('91 days old');
});
