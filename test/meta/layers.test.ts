import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, root, sourceFiles } from '../support/source.ts';

/**
 * What each room of src/ may import besides itself, from the roof down. Rooms of one height do not know each other; the edges
 * (model, store, tools, terminal) take of the agent its ports alone.
 */
const edge = ['domain', 'agent/ports', 'node:'];

const mayImport: Record<string, readonly string[]> = {
  domain: ['zod', 'jsonc-parser', 're2js', 'yaml'],
  context: ['domain', 'gpt-tokenizer'],
  agent: ['domain', 'context'],
  net: ['domain', 'node:'],
  model: [...edge, 'net', '@anthropic-ai/sdk', 'eventsource-parser'],
  store: [...edge, 'zod', 'libsql'],
  tools: [
    ...edge,
    'net',
    'zod',
    'diff',
    '@vscode/ripgrep',
    'unbash',
    '@modelcontextprotocol/client',
    '@mozilla/readability',
    'linkedom',
    'turndown',
    'unpdf',
  ],
  // A folder that is carried is written by the same protocol as the home.
  sync: [...edge, 'store/files', 'age-encryption', 'pg', 'zod'],
  terminal: [...edge, '@inquirer/prompts', 'chalk', 'highlight.js', 'fuzzysort', 'marked', 'ora', 'string-width'],
  report: ['domain', 'context', 'agent', 'store', 'terminal/text', 'node:'],
  runtime: ['domain', 'context', 'agent', 'net', 'model', 'store', 'tools', 'terminal', 'node:'],
  library: ['domain', 'context', 'agent', 'store', 'terminal/screen', 'tools', 'runtime', 'commands/chat/tool-flags', 'node:'],
  commands: [
    ...['domain', 'context', 'agent', 'net', 'model', 'store', 'tools', 'terminal', 'report', 'runtime', 'sync'],
    ...['commander', 'fs-extra', '@agentclientprotocol/sdk', '@modelcontextprotocol/server', 'node:'],
  ],
};

/** What the rest of a room stands on: these folders import nothing else of their room. */
const ground = ['context/text', 'store/files', 'terminal/text'];

/** What puts a room together: nothing in a folder of the room imports it. */
const roofs = ['commands/program', 'store/store', 'tools/tools'];

const files = sourceFiles().filter((file) => file.split('/').length > 2);
const isBelow = (name: string, place: string): boolean => name === place || name.startsWith(place.endsWith(':') ? place : `${place}/`);

test('every room of src has its row', () => {
  const rooms = new Set(files.map((file) => file.split('/')[1]));
  expect([...rooms].sort()).toEqual(Object.keys(mayImport).sort());
});

test('every file imports only what stands below it', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => importsNotBelow(file).map((name) => `${file} imports ${name}`))).toEqual([]);
});

function importsNotBelow(file: string): readonly string[] {
  const room = file.split('/')[1] ?? '';
  const own = file.replace(/^src\//, '');
  const allowed = [room, ...(mayImport[room] ?? [])];
  const base = ground.find((place) => isBelow(own, place));
  const isInFolder = own.split('/').length > 2;
  return importsOf(file).filter(
    (name) =>
      !allowed.some((place) => isBelow(name, place)) ||
      (base !== undefined && isBelow(name, room) && !isBelow(name, base)) ||
      (isInFolder && isBelow(name, room) && roofs.includes(name)),
  );
}

test('nothing that runs without a target loads what is for one', () => {
  const ofSync = (name: string): boolean => isBelow(name, 'sync') || isBelow(name, 'store/replica');
  const importers = files.filter((file) => !ofSync(file.replace(/^src\//, '')) && importsOf(file).some(ofSync));
  expect(importers.filter((file) => !file.startsWith('src/commands/sync/'))).toEqual([]);
  const ofCommand = (name: string): boolean => isBelow(name, 'commands/sync');
  const users = files.filter((file) => !file.startsWith('src/commands/sync/') && importsOf(file).some(ofCommand));
  // All but the program's list of commands import it late, when a folder has been added.
  expect(users).toEqual([
    'src/commands/care/doctor.ts',
    'src/commands/care/purge.ts',
    'src/commands/chat/auto-sync.ts',
    'src/commands/history/history-commands.ts',
    'src/commands/program.ts',
    'src/commands/sessions/sessions.ts',
  ]);
});

const MAX_ENTRIES = 20;

test('no folder has more entries than a person can take in at once', () => {
  const folders = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => statSync(join(root, 'src', name)).isDirectory());
  const full = folders
    .map((folder) => ({ folder, entries: readdirSync(join(root, 'src', folder)).length }))
    .filter(({ entries }) => entries > MAX_ENTRIES);
  expect(full).toEqual([]);
});
