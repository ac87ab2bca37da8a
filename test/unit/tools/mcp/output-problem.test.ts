import { expect, test } from 'vitest';
import { outputProblem } from '../../../../src/tools/mcp/connection/listed-tools.ts';
import { bestMs } from '../../../support/linear.ts';

const schema = {
  type: 'object',
  properties: {
    n: { type: 'integer' },
    state: { enum: ['open', 'closed', null] },
    tags: { type: ['array', 'null'], items: { type: 'string' } },
    owner: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
  required: ['n'],
};

test.each([
  [{ n: 1, state: 'open', tags: ['a'], owner: { name: 'x' }, more: true }, undefined],
  [{ n: 1, state: null, tags: null }, undefined],
  ['n', 'it must be object'],
  [{}, 'n is missing'],
  [{ n: 1.5 }, 'n must be integer'],
  [{ n: 1, state: 'lost' }, 'state must be one of the values that are listed'],
  [{ n: 1, tags: ['a', 2] }, 'tags.1 must be string'],
  [{ n: 1, owner: {} }, 'owner.name is missing'],
])('what a tool promised is held against %j: %s', (value, problem) => {
  expect(outputProblem(schema, value)).toBe(problem);
});

test.each([true, null, [], { type: 'nothing' }, { properties: [], required: 'n', items: 3 }, { $ref: '#' }])(
  'the schema %j promises nothing',
  (odd) => {
    expect(outputProblem(odd, { n: [{}] })).toBe(undefined);
  },
);

test('no schema takes long to check, nor does a result without a bottom', async () => {
  const long = Array.from({ length: 200_000 }, (_, at) => String(at));
  const one = { type: long, required: long, enum: long, pattern: '^(a+)+$', uniqueItems: true, properties: {} };
  expect(await bestMs(() => outputProblem({ items: one }, long), 2_000)).toBeLessThan(2_000);
  let deep: unknown = {};
  for (let depth = 0; depth < 50_000; depth++) deep = { a: deep };
  const recursive: { properties?: unknown } = {};
  recursive.properties = { a: recursive };
  expect(outputProblem(recursive, deep)).toBe(undefined);
});
