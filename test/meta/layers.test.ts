import { expect, test } from 'vitest';
import { importsOf, sourceFiles } from '../support/source.ts';

/** What each folder of src/ may import besides itself: the picture in the README's "Working on SanBot", as a law. */
const mayImport: Record<string, readonly string[]> = {
  domain: ['zod'],
  context: ['domain', 'gpt-tokenizer'],
  agent: ['domain', 'context'],
  model: ['domain', 'agent/ports', '@anthropic-ai/sdk', 'node:'],
  store: ['domain', 'agent/ports', 'zod', 'libsql', 'node:'],
  tools: ['domain', 'agent/ports', 'zod', 'diff', '@vscode/ripgrep', 'node:'],
  ui: ['domain', 'agent/ports', '@inquirer/prompts', 'chalk', 'ora', 'node:'],
  replay: ['domain', 'context', 'agent', 'node:crypto'],
  metrics: ['domain'],
  cli: ['domain', 'agent/ports', 'ui', 'commander'],
  app: ['domain', 'context', 'agent', 'model', 'store', 'tools', 'ui', 'replay', 'metrics', 'cli', 'node:'],
};

const files = sourceFiles();

test('every folder of src has its row', () => {
  const folders = new Set(files.filter((file) => file.split('/').length > 2).map((file) => file.split('/')[1]));
  expect([...folders].sort()).toEqual(Object.keys(mayImport).sort());
});

test.each(files.filter((file) => file.split('/').length > 2))('%s imports only what its layer may', (file) => {
  const folder = file.split('/')[1] ?? '';
  const allowed = [folder, ...(mayImport[folder] ?? [])];
  const permits = (name: string) =>
    allowed.some((prefix) => name === prefix || name.startsWith(prefix.endsWith(':') ? prefix : `${prefix}/`));
  expect(importsOf(file).filter((name) => !permits(name))).toEqual([]);
});
