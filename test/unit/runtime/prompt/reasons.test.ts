import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toolSpecs } from '../../../../src/tools/tools.ts';
import { countTokens } from '../../../support/count-tokens.ts';
import { root } from '../../../support/source.ts';
import { reasons } from './reasons.ts';

const prompt = (name: string): string => readFileSync(join(root, 'prompts', `${name}.md`), 'utf8').trim();
const names = readdirSync(join(root, 'prompts', 'tools')).map((file) => file.replace(/\.md$/, ''));
const sentences = ['system', ...names.map((name) => `tools/${name}`)].flatMap((name) =>
  prompt(name)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => line.replace(/^- /, '').split(/(?<=\.) +(?=[A-Z])/)),
);

describe('each sentence of the system prompt and of the tools', () => {
  test('has a reason: what a model does differently because of it', () => {
    const without = sentences.filter((sentence) => !reasons.some(([start]) => sentence.startsWith(start)));
    expect(without).toEqual([]);
    expect(reasons.filter(([start]) => sentences.filter((sentence) => sentence.startsWith(start)).length !== 1)).toEqual([]);
  });

  test('names a test that there is, where the program does its side of it', () => {
    const missing = reasons.flatMap(([, , path]) => (path === undefined || existsSync(join(root, 'test', path)) ? [] : [path]));
    expect(missing).toEqual([]);
    expect(reasons.filter(([, , path]) => path !== undefined).length).toBeGreaterThan(reasons.length / 2);
  });
});

test('the system prompt and all tools take 3,000 tokens at most by the plain tokenizer', () => {
  const tools = toolSpecs({ describe: (name) => prompt(`tools/${name}`), recall: true, remember: true, skills: true, mcp: [] });
  const wire = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, input_schema: inputSchema }));
  const tokens = countTokens(prompt('system')) + wire.reduce((sum, tool) => sum + countTokens(tool), 0);
  console.info(`plain tokens of the base: ${tokens}`);
  expect(tokens).toBeLessThanOrEqual(3_000);
});
