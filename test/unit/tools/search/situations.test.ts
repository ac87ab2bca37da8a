import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createWorld } from '../world.ts';

type Files = Readonly<Record<string, string | Buffer>>;

/** Folders in which the word stands, and what the answer must say: where it is, or where nobody looked. */
const SITUATIONS: readonly (readonly [what: string, files: Files, said: RegExp])[] = [
  ['an ignore file in a folder below', { 'sub/.gitignore': 'gen/\n', 'sub/gen/a.txt': 'needle' }, /1 ignored \(sub\/gen\/\)/],
  [
    'an exception of an ignore file',
    { '.gitignore': '*.log\n!keep.log\n', 'keep.log': 'needle', 'b.log': 'needle' },
    /1 ignored \(b\.log\)[\s\S]*keep\.log/,
  ],
  ['.ignore', { '.ignore': 'a.txt\n', 'a.txt': 'needle' }, /1 ignored \(a\.txt\)/],
  ['.rgignore', { '.rgignore': 'a.txt\n', 'a.txt': 'needle' }, /1 ignored \(a\.txt\)/],
  ['.git/info/exclude', { '.git/info/exclude': 'a.txt\n', 'a.txt': 'needle' }, /1 ignored \(a\.txt\)/],
  ['hidden files', { '.hid/a.txt': 'needle', '.dot': 'needle' }, /2 matches in 2 files/],
  ['a binary file', { 'a.bin': Buffer.from('\0\x01needle') }, /a\.bin \(binary\)/],
  ['a NUL far behind the word', { 'a.txt': `${'a\n'.repeat(100_000)}needle\n\0\n` }, /not UTF-8 text, as what they seem to be: a\.txt/],
  ['a very long line', { 'min.js': `${'x'.repeat(1_000_000)}needle` }, /1 match in 1 file/],
  ['a large file', { 'big.txt': `${'line\n'.repeat(1_000_000)}needle\n` }, /1000001: needle/],
  ['a compressed file', { 'a.gz': gzipSync('needle') }, /without a match as what they seem to be: a\.gz \(binary\)/],
  ['a PDF', { 'a.pdf': Buffer.concat([Buffer.from('%PDF-1.7\nstream\n'), gzipSync('needle')]) }, /a\.pdf \(binary\)/],
  [
    'a PDF of ASCII alone, with the word in pieces',
    { 'a.PDF': '%PDF-1.4\n1 0 obj\n<< >>\nstream\nBT [(nee) -20 (dle)] TJ ET\nendstream\n' },
    /^no matches in \.; [^\n]*a\.PDF \(binary\)/,
  ],
  ['a PDF of ASCII alone, with the word whole', { 'a.pdf': '%PDF-1.4\n(needle) Tj\n' }, /^1 match in 1 file\n/],
  ['UTF-16 without a mark', { 'a.txt': Buffer.from('needle', 'utf16le') }, /a\.txt \(utf-16le\)/],
  ['Latin-1', { 'a.txt': Buffer.from('caf\xe9 needle', 'latin1') }, /1 match in 1 file/],
  ['files that hold secrets', { '.env': 'K=needle', id_rsa: 'needle' }, /2 held back, since such files hold secrets/],
  [
    'a repository in the repository',
    { 'mod/.git/HEAD': 'ref: refs/heads/main\n', 'mod/.gitignore': 'x.txt\n', 'mod/x.txt': 'needle' },
    /1 ignored \(mod\/x\.txt\)/,
  ],
];

test.each(SITUATIONS)('%s: a search finds the word or says where it did not look [B-40]', async (_, files, said) => {
  const world = createWorld();
  execFileSync('git', ['init', '-q'], { cwd: world.cwd });
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(world.cwd, name)), { recursive: true });
    world.put(name, bytes);
  }
  expect((await world.call('search', { pattern: 'needle' })).content).toMatch(said);
});

test('links, to a folder, to the folder itself and to nothing, are counted [B-40]', async () => {
  const world = createWorld();
  for (const [name, target] of [
    ['folder', '/usr'],
    ['loop', '.'],
    ['gone', 'nowhere'],
  ] as const)
    symlinkSync(target, join(world.cwd, name));
  expect((await world.call('search', { pattern: 'needle' })).content).toMatch(/^no matches in \.; not searched: 3 links/);
});
