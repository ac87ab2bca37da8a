import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readText } from '../../../../src/store/files/read-text.ts';
import { readPrompt } from '../../../../src/store/prompts.ts';
import { newFolder, thrownBy } from '../files/world.ts';

describe('a text that a person wrote', () => {
  test('comes without its byte order mark, and not at all when there is none [B-05]', () => {
    const folder = newFolder();
    writeFileSync(`${folder}/a.md`, '\ufeffhello 中');
    expect(readText(`${folder}/a.md`, 100)).toBe('hello 中');
    expect(readText(`${folder}/b.md`, 100)).toBeUndefined();
  });

  test('is read up to a limit, at a whole character [B-18]', () => {
    const folder = newFolder();
    writeFileSync(`${folder}/a.md`, '中'.repeat(100));
    expect(readText(`${folder}/a.md`, 10)).toBe('中中中');
    expect(readText(`${folder}/a.md`, 300)).toBe('中'.repeat(100));
  });

  test('is refused when it is a folder', () => {
    const folder = newFolder();
    expect(thrownBy(() => readText(folder, 10))).toMatchObject({ code: 'store_damaged', message: expect.stringContaining(folder) });
  });
});

describe('a prompt', () => {
  test('is found by its name, in folders too', () => {
    const folder = newFolder();
    mkdirSync(`${folder}/tools`);
    writeFileSync(`${folder}/system.md`, 'You are {name}.\n');
    writeFileSync(`${folder}/tools/read_file.md`, 'Reads.\n');
    expect([readPrompt(folder, 'system'), readPrompt(folder, 'tools/read_file')]).toEqual(['You are {name}.\n', 'Reads.\n']);
  });

  test('that is missing is named with its file', () => {
    const folder = newFolder();
    expect(thrownBy(() => readPrompt(folder, 'compact-summary'))).toMatchObject({
      code: 'internal',
      message: expect.stringContaining(`${folder}/compact-summary.md`),
    });
  });

  test.each(['../x', '/etc/passwd', 'a//b', 'a.md', ''])('cannot be called %j', (name) => {
    expect(() => readPrompt(newFolder(), name)).toThrow(/not the name of a prompt/);
  });
});
