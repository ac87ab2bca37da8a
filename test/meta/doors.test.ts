import { expect, test } from 'vitest';
import { importsOf, readSource, sourceFiles } from '../support/source.ts';

/** A library that one file imports can be replaced by changing one file. */
const doors: Record<string, string> = {
  'gpt-tokenizer': 'src/context/measure/tokens.ts',
  '@anthropic-ai/sdk': 'src/model/anthropic/anthropic.ts',
  'jsonc-parser': 'src/domain/config/config-text.ts',
  'string-width': 'src/terminal/text/text-width.ts',
  undici: 'src/model/anthropic/proxied-fetch.ts',
  commander: 'src/commands/program.ts',
  libsql: 'src/store/search/search-tables.ts',
};

const files = sourceFiles();

test.each(Object.entries(doors))('%s is imported by %s and no other file', (library, door) => {
  const importers = files.filter((file) => importsOf(file).some((name) => name === library || name.startsWith(`${library}/`)));
  expect(importers).toEqual([door]);
});

test('fs-extra is for ordinary files of commands: whatever must survive a crash is written by the store', () => {
  const importers = files.filter((file) => importsOf(file).some((name) => name.startsWith('fs-extra')));
  expect(importers.filter((file) => !file.startsWith('src/commands/'))).toEqual([]);
  expect(importers).not.toEqual([]);
});

test('only main.ts and runtime/environment.ts read the process, the clock or randomness', () => {
  const readers = files.filter((file) =>
    /\bprocess\.\w|Date\.now\(|new Date\(\)|Math\.random|performance\.now/.test(withoutComments(readSource(file))),
  );
  expect(readers).toEqual(['src/main.ts', 'src/runtime/environment.ts']);
});

test('process.exit is in main.ts alone', () => {
  expect(
    files.filter((file) => /process\.exit\b/.test(withoutComments(readSource(file)))).filter((file) => file !== 'src/main.ts'),
  ).toEqual([]);
});

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
