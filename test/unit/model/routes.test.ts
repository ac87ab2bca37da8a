import { expect, test } from 'vitest';
import { configDefaults } from '../../../src/domain/config/config-defaults.ts';
import { createRoutes, type DeclaredNames, resolveModelName } from '../../../src/model/routes.ts';

const config = { ...configDefaults().model, provider: 'anthropic' as const };

test('a model has the same route each time, so that its facts are made once, until something else is declared of it', () => {
  const declared: DeclaredNames = { contextWindow: 'one', price: 'one' };
  const { routeOf } = createRoutes(config, declared, () => false);
  const route = routeOf('one');
  expect(routeOf('one')).toBe(route);
  expect(routeOf('two')).not.toBe(route);
  declared.contextWindow = 'two';
  expect(routeOf('one')).toMatchObject({ declaredFor: 'two', pricedFor: 'one' });
  expect(routeOf('two')).toMatchObject({ declaredFor: 'two' });
});

test('a route that a record keeps wins over one that was made before', () => {
  const { routeOf, keep } = createRoutes(config, { contextWindow: undefined, price: undefined }, () => true);
  expect(routeOf('one').provider).toBe('anthropic');
  expect(keep('one', 'openai-chat')).toBe(true);
  expect(routeOf('one').provider).toBe('openai-chat');
});

test("a family's word is its newest model at the providers' own services, and a name of its own elsewhere", () => {
  const nameAt = (provider: 'anthropic' | 'openai-chat', name: string): string => resolveModelName(name, { provider, endpoints: {} }).model;
  expect(['opus', 'sonnet', 'haiku'].map((name) => nameAt('anthropic', name))).toEqual([
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
  ]);
  expect(nameAt('anthropic', 'opus:high')).toBe('claude-opus-5-5');
  expect(['claude', 'unknown', 'claude-opus-5'].map((name) => nameAt('anthropic', name))).toEqual(['claude', 'unknown', 'claude-opus-5']);
  expect(nameAt('openai-chat', 'opus')).toBe('opus');
});
