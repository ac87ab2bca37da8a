import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMPUTED } from '../../../build/computed-parts.mjs';
import { sourceFiles, staticImportsOf } from '../../support/source.ts';

const files = sourceFiles();

/** Libraries that take tens of milliseconds to load. */
const heavy = ['zod', '@inquirer/prompts', 'ora', 'chalk', '@anthropic-ai/sdk', 'gpt-tokenizer', 'diff', 'fs-extra', 're2js'];

/** The build puts what they return in their place, without what they import. */
const computed = new Set(COMPUTED.map(({ file }) => file));

/** All that loading a file loads at once: its imports, theirs, and so on, but not types and not what is loaded later. */
function loadedBy(start: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    if (computed.has(file)) return;
    for (const name of staticImportsOf(file)) {
      const path = `src/${name}.ts`;
      if (files.includes(path)) visit(path);
      else loaded.add(name);
    }
  };
  visit(start);
  return loaded;
}

test.each([
  ['the command line (--help, --version)', 'src/commands/program.ts', true],
  ['the table of a history', 'src/terminal/views/history-table.ts', false],
  ['the table of sessions', 'src/terminal/views/sessions-table.ts', false],
  ['the days that snapshots are kept', 'src/domain/config/config-text.ts', false],
  ['the settings files', 'src/store/config-file.ts', false],
  ['the types of events', 'src/domain/event.ts', false],
  ['errors', 'src/terminal/text/error-text.ts', false],
])('%s loads none of the heavy libraries', (_, file, isCommander) => {
  const loaded = loadedBy(file);
  expect(heavy.filter((library) => loaded.has(library))).toEqual([]);
  expect(loaded.has('commander')).toBe(isCommander);
});

test('a REPL that is ready for the first line has not loaded prompts and spinner', () => {
  const loaded = loadedBy('src/terminal/repl/repl.ts');
  expect(['@inquirer/prompts', 'ora'].filter((library) => loaded.has(library))).toEqual([]);
  expect(existsSync('src/terminal/input/prompts.ts')).toBe(true);
});

test('this test sees a library that is loaded through another file', () => {
  expect(loadedBy('src/domain/config/config-layers.ts').has('zod')).toBe(true);
});
