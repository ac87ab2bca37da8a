import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import { ignoredFiles } from '../../../../../src/tools/command/lost/ignored-files.ts';
import { afterThisTest } from '../../../../support/clean-up.ts';

/** A folder with these files; the last is the one that is asked about. */
function ignores(files: Readonly<Record<string, string>>, path: string): boolean {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'sanbot-ignored-')));
  afterThisTest(() => rmSync(top, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) outputFileSync(join(top, name), text);
  return ignoredFiles(top)(join(top, path));
}

test.each([
  ['a pattern of names', { '.gitignore': '*.log\n' }, 'deep/a.log', true],
  ['a folder, with all below it', { '.gitignore': '/build/\n' }, 'build/x/y', true],
  ['an anchored name elsewhere', { '.gitignore': '/build\n' }, 'src/build', false],
  ['stars for folders', { '.gitignore': 'a/**/z\n' }, 'a/b/c/z', true],
  ['what a later rule takes back', { '.gitignore': '*.log\n!keep.log\n' }, 'keep.log', false],
  ['what a lower list takes back', { '.gitignore': '*.log\n', 'sub/.gitignore': '!*.log\n' }, 'sub/a.log', false],
  ["a list of git's own folder, which any other outdoes", { '.git/info/exclude': '*\n', '.gitignore': '!a\n' }, 'a', false],
  ["a list of git's own folder", { '.git/info/exclude': 'a\n' }, 'a', true],
  ['a name with a blank at its end', { '.gitignore': 'a\\ \n' }, 'a ', true],
  ['a rule with blanks behind it', { '.gitignore': 'a  \t \n' }, 'a', true],
  ['a comment, and a name that looks like one', { '.gitignore': '#a\n\\#b\n' }, '#b', true],
])('ignores by %s', (_, files, path, expected) => {
  expect(ignores(files, path)).toBe(expected);
});

const LONG = 'a'.repeat(200);

test.each([
  ['a line of blanks', { '.gitignore': `${' '.repeat(250_000)}x\nb\n` }, 'b', true],
  ['more lines than are read', { '.gitignore': 'b\n'.repeat(200_000) }, 'b', false],
  ['rules that each go back at every letter', { '.gitignore': `*${LONG.slice(100)}b\n`.repeat(2_400) }, `${LONG}/b`, false],
  ['folders without end', { '.gitignore': `${'**/a/'.repeat(50_000)}x\nb\n` }, `${'a/'.repeat(500)}b`, false],
])('a list keeps nobody waiting, and where not all of it was compared it ignores nothing: %s', (_, files, path, expected) => {
  expect(ignores(files, path)).toBe(expected);
});

test('a list that is no plain file is not waited for', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'sanbot-ignored-')));
  afterThisTest(() => rmSync(top, { recursive: true, force: true }));
  execFileSync('mkfifo', [join(top, '.gitignore')]);
  expect(ignoredFiles(top)(join(top, 'a'))).toBe(false);
});
