import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sameInBoth } from '../../../src/domain/language.ts';
import { toolSpecSchema } from '../../../src/domain/session/context.ts';
import { toolSpecs } from '../../../src/tools/tools.ts';
import { createWorld } from './world.ts';

const names = [
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search',
  'run_command',
  'read_output',
  'stop_command',
  'fetch_url',
  'todo',
  'ask_user',
  'task',
];
const required: Record<string, readonly string[]> = {
  read_file: ['path'],
  write_file: ['path', 'content'],
  edit_file: ['path'],
  list_files: [],
  search: ['pattern'],
  run_command: ['command'],
  read_output: ['job'],
  stop_command: ['job'],
  todo: ['items'],
  ask_user: ['question', 'choices'],
  task: ['task'],
  fetch_url: ['url'],
};

const specsOf = (optional: { readonly recall: boolean; readonly remember: boolean }) =>
  toolSpecs({ describe: (name) => `The description of ${name}.\n`, ...optional });
const specs = specsOf({ recall: false, remember: false });

test('the tools are each a valid spec that asks for few arguments', () => {
  expect(specs.map(({ name }) => name)).toEqual(names);
  for (const spec of specs) {
    toolSpecSchema.parse(spec);
    expect(spec.inputSchema).toMatchObject({ type: 'object' });
    expect(spec.inputSchema.required ?? []).toEqual(required[spec.name]);
    expect(spec.description).toBe(`The description of ${spec.name}.`);
  }
});

test('what the model is told of are the tools that the session gets, in the same order', () => {
  const recall = { search: async () => ({ hits: [], sessionsLeft: 0 }), open: async () => undefined };
  const remember = () => ({ outcome: 'refused' as const, why: sameInBoth('a test') });
  const helpers = { problem: () => undefined, run: async () => ({ ok: true, content: '', note: sameInBoth('') }) };
  expect(createWorld().names).toEqual(names.filter((name) => name !== 'task'));
  expect(createWorld({ helpers }).names).toEqual(names);
  expect(createWorld({ helpers, recall }).names).toEqual(specsOf({ recall: true, remember: false }).map(({ name }) => name));
  expect(createWorld({ helpers, recall, remember }).names).toEqual(specsOf({ recall: true, remember: true }).map(({ name }) => name));
});

test('the spec is the same bytes each time it is made, for the prompt cache', () => {
  expect(JSON.stringify(specsOf({ recall: false, remember: false }))).toBe(JSON.stringify(specs));
  expect(JSON.stringify(specs)).not.toContain('$schema');
  expect(JSON.stringify(specs)).not.toContain('9007199254740991');
});

test('each description names only arguments that some tool takes', () => {
  const taken = new Set(
    specs.flatMap(({ inputSchema }) => Object.keys(z.object({ properties: z.object({}).loose() }).parse(inputSchema).properties)),
  );
  for (const name of names) {
    const text = readFileSync(`prompts/tools/${name}.md`, 'utf8');
    expect(text.length).toBeLessThan(1_000);
    const words = text.match(/\b[a-z]+_[a-z]+\b/g) ?? [];
    expect(words.filter((word) => !taken.has(word) && !names.includes(word))).toEqual([]);
  }
});

const odd: readonly (readonly [string, unknown, RegExp])[] = [
  ['read_file', {}, /"path" is missing.*It takes path, offset \(optional\)/],
  ['read_file', null, /expected an object, got null/],
  ['read_file', ['a.txt'], /expected an object, got a list/],
  ['read_file', 'a.txt', /expected an object, got the text "a.txt"/],
  ['read_file', 7, /expected an object, got 7/],
  ['read_file', { path: null }, /"path" must be a string, got null/],
  ['read_file', { path: ['a'] }, /"path" must be a string, got a list/],
  ['read_file', { path: {} }, /"path" must be a string, got an object/],
  ['read_file', { path: '' }, /"path" is empty/],
  ['read_file', { path: 'a', offset: 0 }, /"offset" must be at least 1, got 0/],
  ['read_file', { path: 'a', offset: 1.5 }, /"offset" must be a whole number, got 1.5/],
  ['read_file', { path: 'a', file_path: 'b' }, /there is no argument "file_path"/],
  ['read_file', { path: 'a', offset: 3, char_offset: 3 }, /not both/],
  ['read_file', JSON.parse('{"path":"a","__proto__":{"place":"inside"}}'), /there is no argument "__proto__"/],
  ['read_file', { path: 'x'.repeat(5_000_000) }, /the path is 5000000 characters long/],
  ['search', { pattern: 'x'.repeat(5_000_000) }, /"pattern" must be at most 10000 characters long, got a text of 5000000/],
  ['search', { pattern: '' }, /"pattern" is empty/],
  ['search', { pattern: 'a\0' }, /NUL/],
  ['write_file', { path: 'a' }, /"content" is missing/],
  ['write_file', { path: 'a', content: 'half \ud800' }, /half a character/],
  ['edit_file', { path: 'a', old_string: 'a' }, /"new_string" is missing; give old_string and new_string, or edits/],
  ['edit_file', { path: 'a' }, /"old_string" is missing/],
  ['edit_file', { path: 'a', edits: [] }, /"edits" must be at least 1/],
  ['edit_file', { path: 'a', edits: 'all' }, /"edits" must be a array|"edits" must be an array|"edits" must be a list/],
  ['edit_file', { path: 'a', edits: [{ old_string: 'a' }] }, /"edits.0.new_string" is missing/],
  ['edit_file', { path: 'a', old_string: 'a', new_string: 'b', edits: [{ old_string: 'a', new_string: 'b' }] }, /not both/],
  ['edit_file', { path: 'a', edits: [{ old_string: 'a', new_string: '\ud800' }] }, /half a character/],
  ['edit_file', { path: 'a', edits: Array.from({ length: 201 }, () => ({ old_string: 'a', new_string: 'b' })) }, /at most 200 items/],
  ['run_command', { command: ' \n' }, /the command is empty/],
  ['run_command', { command: 'echo \0' }, /NUL/],
  ['run_command', { command: '中'.repeat(50_000) }, /150000 bytes long, at most 120000/],
  ['run_command', { command: 'true', timeout_ms: 600_001 }, /"timeout_ms" must be at most 600000, got 600001/],
];

test.each(odd)('%s answers a wrong input with what is wrong, briefly [B-10, B-08]: %#', async (tool, input, message) => {
  const said = await createWorld().refusal(tool, input);
  expect(said).toMatch(message);
  expect(said.length).toBeLessThan(600);
});

test('an input as a JSON text, a null for what may be left out and a number as a text are understood [B-10]', async () => {
  const world = createWorld();
  world.put('a.txt', 'one\ntwo\nthree\n');
  const expected = 'a.txt: line 2 of 3; not all of it, go on with offset=3\ntwo\n';
  for (const input of ['{"path":"a.txt","offset":2,"limit":1}', { path: 'a.txt', offset: '2', limit: '1', char_offset: null }]) {
    expect((await world.call('read_file', input)).content).toBe(expected);
  }
  // A text argument stays the text it is.
  await world.call('write_file', { path: 'n.txt', content: '42' });
  await world.call('write_file', { path: 't.txt', content: 'true' });
  expect([world.get('n.txt'), world.get('t.txt')]).toEqual(['42', 'true']);
});
