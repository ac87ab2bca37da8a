import ts from 'typescript-syntax';
import { expect, test } from 'vitest';
import { importsOf, nodesOf, parseSource, readSource, sourceFiles } from '../support/source.ts';

/** A library that one file imports can be replaced by changing one file. */
const doors: Record<string, string> = {
  '@agentclientprotocol/sdk': 'src/commands/acp/protocol.ts',
  '@anthropic-ai/sdk': 'src/model/anthropic/anthropic.ts',
  'eventsource-parser': 'src/model/http/read-answer.ts',
  'jsonc-parser': 'src/domain/config/config-text.ts',
  'string-width': 'src/terminal/text/text-width.ts',
  fuzzysort: 'src/terminal/input/fuzzy-find.ts',
  marked: 'src/terminal/markdown/spans.ts',
  'highlight.js': 'src/terminal/markdown/highlight.ts',
  '@modelcontextprotocol/client': 'src/tools/mcp/connection/client.ts',
  '@modelcontextprotocol/server': 'src/commands/mcp/serve/protocol.ts',
  commander: 'src/commands/command.ts',
  libsql: 'src/store/search/search-tables.ts',
  linkedom: 'src/tools/web/page-text.ts',
  '@mozilla/readability': 'src/tools/web/page-text.ts',
  turndown: 'src/tools/web/page-text.ts',
  re2js: 'src/domain/hook/hook.ts',
  unbash: 'src/tools/command/shell-grammar.ts',
  'age-encryption': 'src/sync/folder/sealed-files.ts',
  unpdf: 'src/tools/files/media/pdf-text.ts',
  yaml: 'src/domain/session/skill-front-matter.ts',
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

test('only net/ connects to anything; a sign-in is answered by a server of its own, and so are other agents', () => {
  const net = ['node:http', 'node:https', 'node:http2', 'node:tls', 'node:dns', 'node:dns/promises'];
  const others = files.filter((file) => !file.startsWith('src/net/') && importsOf(file).some((name) => net.includes(name)));
  expect(others).toEqual(['src/commands/mcp/serve/http.ts', 'src/tools/mcp/connection/callback-server.ts']);
});

test('only main.ts, runtime/environment.ts and the library for other programs read the process, the clock or randomness', () => {
  const readers = naming([...NAMES, 'Date', 'Math']).filter((file) => nodesOf(parseSource(file)).some(isOutside));
  expect(readers).toEqual(['src/library/context.ts', 'src/main.ts', 'src/runtime/environment.ts']);
});

test('process.exit is in main.ts alone', () => {
  const users = naming(['process']).filter((file) => nodesOf(parseSource(file)).some((node) => isMember(node, 'process', 'exit')));
  expect(users).toEqual(['src/main.ts']);
});

/** Only these are parsed. */
function naming(names: readonly string[]): readonly string[] {
  const anyOfThem = new RegExp(`\\b(?:${names.join('|')})\\b`);
  return files.filter((file) => anyOfThem.test(readSource(file)));
}

const NAMES = ['process', 'performance', 'randomBytes', 'randomUUID', 'randomInt'];

/** What differs from run to run, whatever is done with it. */
function isOutside(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) return isNamed(node.expression, 'Date') && (node.arguments ?? []).length === 0;
  return NAMES.some((name) => isNamed(node, name)) || isMember(node, 'Date', 'now') || isMember(node, 'Math', 'random');
}

const isNamed = (node: ts.Node, name: string): boolean => ts.isIdentifier(node) && node.text === name;

const isMember = (node: ts.Node, object: string, name: string): boolean =>
  ts.isPropertyAccessExpression(node) && isNamed(node.expression, object) && node.name.text === name;
