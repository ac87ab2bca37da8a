import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../../src/domain/event.ts';
import type * as Declared from '../golden/library.d.ts';
import { readSource, root, staticImportsOf } from '../support/source.ts';

const declarations = readFileSync(join(root, 'test/golden/library.d.ts'), 'utf8');

describe('what other programs get', () => {
  // Who means to change it copies dist/exports/library.d.ts there.
  test('is what test/golden/library.d.ts says, and nothing else', () => {
    expect(readFileSync(join(root, 'dist/exports/library.d.ts'), 'utf8')).toBe(declarations);
  });

  test.each([...declarations.matchAll(/^\/\/ sanbot(?:\/(\w+))?: (.+)$/gm)].map(([, entry = 'sanbot', names = '']) => [entry, names]))(
    'of the entry %s are these values',
    async (entry, names) => {
      const loaded = await import(pathToFileURL(join(root, 'dist', 'exports', `${entry}.js`)).href);
      expect(Object.keys(loaded).sort()).toEqual(names.split(', ').sort());
    },
  );

  test('are events as they are declared', () => {
    const declared = (event: Unstarted<StreamEvent>): Unstarted<Declared.StreamEvent> => event;
    expect(declared({ type: 'turn_started' })).toEqual({ type: 'turn_started' });
  });
});

/** In a stream, the first event has the session's id as well. */
type Unstarted<Event extends { readonly type: string }> = Exclude<Event, { readonly type: 'session_started' }>;

/** All that a file may load, at once or later, as paths below src/. */
function loadedBy(entry: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const path = `src/${file}.ts`;
    const folder = file.split('/').slice(0, -1).join('/');
    const late = [...readSource(path).matchAll(/\bimport\('\.\/([\w-]+)\.ts'\)/g)].map(([, name = '']) => `${folder}/${name}`);
    open.push(...[...staticImportsOf(path), ...late].filter((name) => /^[a-z]+\/[a-z]/.test(name) && !/^(?:node:|@)/.test(name)));
  }
  return found;
}

test('sanbot/context loads no code of a terminal, a tool, a provider or a network', () => {
  const rooms = new Set([...loadedBy('library/context')].map((file) => file.split('/')[0]));
  expect([...rooms].sort()).toEqual(['agent', 'context', 'domain', 'library', 'runtime', 'store']);
  expect([...loadedBy('library/context')].filter((file) => file.startsWith('runtime/'))).toEqual(['runtime/token-counter']);
});
