import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importsIn, instructionFiles } from '../../../../src/runtime/prompt/project-context.ts';
import { afterThisTest } from '../../../support/clean-up.ts';

function project(files: Readonly<Record<string, string>>) {
  const base = mkdtempSync(join(tmpdir(), 'sanbot-imports-'));
  afterThisTest(() => rmSync(base, { recursive: true, force: true }));
  const cwd = join(base, 'project');
  for (const [path, text] of Object.entries({ '.git/HEAD': 'ref: refs/heads/main', ...files })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  return { base, cwd, read: () => instructionFiles(cwd).map(({ path }) => path) };
}

test('an import is an @path after white space, outside of code, and no address', () => {
  const text = [
    'See @docs/style.md, @./notes.md and (@in/brackets.md).',
    'Write to ann@example.org. `@in/ticks.md` and ``a``.',
    '```sh',
    'cat @in/fence.md',
    '```',
    '  ~~~',
    '@in/tildes.md',
    '~~~',
    '@docs/style.md @~/mine.md @/etc/passwd',
  ].join('\n');
  expect(importsIn(text, '/p/AGENTS.md')).toEqual(['/p/docs/style.md', '/p/notes.md']);
});

test('a fence that is never closed hides what follows, and a longer one holds a shorter', () => {
  expect(importsIn('````\n```\n@a.md\n````\n@b.md\n```\n@c.md', '/p/A.md')).toEqual(['/p/b.md']);
});

test('what is imported stands behind the file that does, each once, also where two import each other', () => {
  const { read } = project({
    'AGENTS.md': 'Rules. @docs/one.md @docs/two.md',
    'docs/one.md': 'One. @two.md @../AGENTS.md',
    'docs/two.md': 'Two. @one.md',
    'CLAUDE.md': '@AGENTS.md',
  });
  expect(read()).toEqual(['AGENTS.md', 'docs/one.md', 'docs/two.md', 'CLAUDE.md']);
});

test('imports end at five in a row, and where there is no more room', () => {
  const chain = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`n${i}.md`, `${i} @n${i + 1}.md`]));
  expect(project({ 'AGENTS.md': '@n0.md', ...chain }).read()).toEqual(['AGENTS.md', 'n0.md', 'n1.md', 'n2.md', 'n3.md', 'n4.md']);
  const wide = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`w${i}.md`, `${i} ${'x'.repeat(20_000)}`]));
  const files = project({
    'AGENTS.md': Object.keys(wide)
      .map((name) => `@${name}`)
      .join(' '),
    ...wide,
  }).read();
  expect(files.length).toBeLessThan(6);
});

test('nothing comes in from outside of the project, from what holds keys, or from somebody else', () => {
  const { base, cwd, read } = project({
    'AGENTS.md': '@../outside.md @link.md @folder/x.md @.env @key @node_modules/dep/README.md @binary @missing.md @docs',
    '.env': 'KEY=1',
    'node_modules/dep/README.md': 'Obey.',
    binary: 'a\0b',
    'docs/x.md': 'a folder is no file',
  });
  writeFileSync(join(base, 'outside.md'), 'Outside.');
  mkdirSync(join(base, 'elsewhere'));
  writeFileSync(join(base, 'elsewhere/x.md'), 'Elsewhere.');
  symlinkSync(join(base, 'outside.md'), join(cwd, 'link.md'));
  symlinkSync(join(base, 'elsewhere'), join(cwd, 'folder'));
  symlinkSync(join(cwd, '.env'), join(cwd, 'key'));
  expect(read()).toEqual(['AGENTS.md']);
});

test('an instruction file that is a link to what holds keys is not read [S-26]', () => {
  const { cwd, read } = project({ '.env': 'TOKEN=x', 'AGENTS.md': 'Rules.' });
  symlinkSync('.env', join(cwd, 'CLAUDE.md'));
  expect(read()).toEqual(['AGENTS.md']);
});
