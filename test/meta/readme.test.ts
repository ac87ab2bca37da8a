import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/domain/config/config.ts';
import { errorKinds } from '../../src/domain/errors.ts';
import { commandNames } from '../../src/terminal/slash/slash-commands.ts';
import { binary } from '../support/sanbot.ts';
import { nodesOf, parseSource, root, sourceFiles, stringsIn } from '../support/source.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const rowsOf = (start: RegExp): readonly (readonly string[])[] =>
  readme
    .split('\n')
    .filter((line) => start.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

test('the README prints the help as the program does', () => {
  const help = execFileSync(process.execPath, [binary, '--help'], { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect(readme).toContain(`\n\`\`\`\n${help.trimEnd()}\n\`\`\`\n`);
});

test('the README names every setting with its default, in the order of the schema', () => {
  const defaults = Object.entries(configSchema.parse({})).flatMap(([section, values]) =>
    Object.entries(values).map(([key, value]) => [`\`${section}.${key}\``, value === null ? 'not set' : `\`${JSON.stringify(value)}\``]),
  );
  expect(rowsOf(new RegExp(`^\\| \`(${Object.keys(configSchema.shape).join('|')})\\.`)).map(([key, value]) => [key, value])).toEqual(
    defaults,
  );
});

test('the README gives every failure its exit code and its way out', () => {
  const table = rowsOf(/^\| [^|]+ \| \d+ \| /).map(([, code, hint]) => [Number(code), hint]);
  expect(table).toEqual(Object.values(errorKinds).map(({ exitCode, hint }) => [exitCode, hint]));
});

test('the README lists the commands of the conversation, and no others', () => {
  const commands = commandNames.map((name) => `/${name}`);
  const listed = rowsOf(/^\| `\//).flatMap(([cell = '']) => [...cell.matchAll(/`(\/[a-z]+)/g)].map(([, name]) => name));
  expect(commands.length).toBeGreaterThan(10);
  expect(listed.sort()).toEqual(commands.sort());
});

/** Set, and never read: by it the processes of a hook are found. */
const SET_FOR_HOOKS = 'SANBOT_HOOK_ID';

test('the README maps every folder of src, and every environment name that is read', () => {
  const map = readme.slice(readme.indexOf('main.ts    '));
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.filter(({ name }) => !map.includes(`${name}/`))).toEqual([]);
  const names = sourceFiles()
    .flatMap((file) => namesIn(parseSource(file)))
    .filter((name) => /^(?:SANBOT|ANTHROPIC)_[A-Z_]+$/.test(name) && name !== SET_FOR_HOOKS);
  expect(names).toContain('SANBOT_HOME');
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

test('the README says nothing of how the project is made, and no address of a machine', () => {
  expect(readme).not.toMatch(/\/work\/|\/root\/|registry\./);
});

/** What a variable's name may stand as: a string, a key of an object, a member. */
const namesIn = (file: ts.SourceFile): readonly string[] => [
  ...stringsIn(file),
  ...nodesOf(file).flatMap((node) => (ts.isIdentifier(node) ? [node.text] : [])),
];
