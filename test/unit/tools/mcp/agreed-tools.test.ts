import { expect, test } from 'vitest';
import { boundTools } from '../../../../src/tools/mcp/agreed-tools.ts';
import { nested } from '../../../support/hostile.ts';

test('a tool whose schema is nested without end is left out, and the others stay', () => {
  const tools = ['deep', 'flat'].map((name) => ({ name, description: name, inputSchema: name === 'deep' ? nested(100_000) : nested(50) }));
  const { tools: kept, leftOut } = boundTools(tools);
  expect([kept, leftOut].map((each) => each.map(({ name }) => name))).toEqual([['flat'], ['deep']]);
});
