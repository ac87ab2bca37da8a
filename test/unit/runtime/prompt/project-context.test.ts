import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
