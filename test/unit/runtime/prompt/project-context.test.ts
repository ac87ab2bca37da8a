import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { UnreadFile } from '../../../../src/context/prompt/system-prompt.ts';
import { instructionFiles, instructionFilesBelow } from '../../../../src/runtime/prompt/project-context.ts';
import { secretPieces, secretShapes } from '../../../support/secrets.ts';

/** Of one file so much is read. */
const MAX_FILE_BYTES = 32 * 1024;

test('a secret in instructions is masked, also where the file is cut in its middle', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sanbot-instructions-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, '.git'));
  mkdirSync(join(cwd, 'sub'));
  const shown: string[] = [];
  for (const shape of secretShapes) {
    for (const after of [10 - MAX_FILE_BYTES, -shape.length, -30, -20, -9, 0, 5]) {
      const before = 'x '.repeat(MAX_FILE_BYTES).slice(0, MAX_FILE_BYTES + after);
      const text = `${before}\n${shape}\n${'more '.repeat(20_000)}`;
      writeFileSync(join(cwd, 'AGENTS.md'), text);
      writeFileSync(join(cwd, 'sub', 'AGENTS.md'), `y${text.slice(1)}`);
      const files = [...instructionFiles(cwd), ...instructionFilesBelow(cwd, 'sub/a.ts').flatMap(({ files: below }) => below)];
      expect(files.map(({ cut }) => cut)).toEqual([true, true]);
      for (const piece of secretPieces) if (files.some((file) => file.text.includes(piece))) shown.push(`${shape} at ${after}: ${piece}`);
    }
  }
  expect(shown).toEqual([]);
});

test('instructions in UTF-16 are read, and what cannot be read or has no room is named [B-47]', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sanbot-instructions-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, '.git'));
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  writeFileSync(join(cwd, 'SANBOT.md'), utf16('\ufeff用中文回答\n@long.md @other.md @third.md\n'));
  writeFileSync(join(cwd, 'AGENTS.md'), utf16('no mark, no text\n'));
  for (const name of ['long.md', 'other.md', 'third.md']) writeFileSync(join(cwd, name), utf16(`\ufeff${name} ${'x '.repeat(20_000)}`));
  const unread: UnreadFile[] = [];
  const files = instructionFiles(cwd, { root: cwd, unread: unread });
  expect(files.map(({ path, cut }) => [path, cut])).toEqual([
    ['SANBOT.md', false],
    ['long.md', true],
    ['other.md', true],
  ]);
  expect(files[0]?.text).toBe('用中文回答\n@long.md @other.md @third.md\n');
  expect(unread.map(({ path, why }) => `${path}: ${why.en}`)).toEqual([
    'third.md: those before it take all the room',
    'AGENTS.md: those before it take all the room',
  ]);
  rmSync(join(cwd, 'SANBOT.md'));
  const alone: UnreadFile[] = [];
  expect(instructionFiles(cwd, { root: cwd, unread: alone })).toEqual([]);
  expect(alone.map(({ path, why }) => `${path}: ${why.en}`)).toEqual([
    'AGENTS.md: it is not text in UTF-8, or in UTF-16 with a byte order mark',
  ]);
});
