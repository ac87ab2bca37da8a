import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBilingual } from '../../src/domain/language.ts';
import { decodeText, encodeText } from '../../src/domain/value/text-bytes.ts';
import { lineEndsOf, writtenOver } from '../../src/tools/files/line-ends.ts';
import { replaceText } from '../../src/tools/files/replace-text.ts';
import { slowRuns } from '../support/runs.ts';
import { createWorld } from '../unit/tools/world.ts';
import { files, readable, readableFile, texts } from './text-files.ts';

/** A part of a text that cuts no line end in two. */
function partOf(text: string, from: number, length: number): string {
  const isInside = (at: number): boolean => text[at - 1] === '\r' && text[at] === '\n';
  const start = from % (text.length + 1);
  const end = Math.min(text.length, start + 1 + (length % 20));
  return text.slice(isInside(start) ? start - 1 : start, isInside(end) ? end + 1 : end);
}

const lf = (text: string): string => text.replaceAll('\r\n', '\n');

describe('a text file, in whatever form', () => {
  test('is the same to the byte after it was read and written', () => {
    fc.assert(
      fc.property(readableFile, ({ text, bytes }) => {
        const decoded = decodeText(bytes);
        expect(decoded?.text).toBe(text);
        expect(decoded && encodeText(decoded.text, decoded.form).equals(bytes)).toBe(true);
      }),
      { numRuns: slowRuns(1_000) },
    );
  });

  test('is what it was after an edit and its inverse [B-46]', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(), fc.nat(), (text, newText, from, length) => {
        const oldText = partOf(text, from, length);
        const [edit, inverse] = [
          { oldText, newText, all: false },
          { oldText: newText, newText: oldText, all: false },
        ];
        const edited = replaceText(text, edit);
        if (isBilingual(edited) || !edited.text.includes(newText)) return;
        // Where no line end is left, where they are of both kinds, or the new text was fitted to the file, the text itself does not say how it was.
        const back = replaceText(edited.text, inverse);
        if (isBilingual(back) || lineEndsOf(edited.text) !== lineEndsOf(text) || lineEndsOf(text) === 'mixed') return;
        expect(back.text).toBe(text);
      }),
      { numRuns: slowRuns(1_000) },
    );
  });

  test('has outside of an edit what it had, and in it the lines that were asked for', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(), fc.nat(), (text, newText, from, length) => {
        const oldText = lf(partOf(text, from, length));
        const edited = replaceText(text, { oldText, newText, all: false });
        if (isBilingual(edited)) return;
        const at = lf(text).indexOf(oldText);
        const isOnly = lf(text).indexOf(oldText, at + 1) < 0 && !/^\n|\r$/.test(oldText) && !/\r$/.test(newText);
        if (isOnly) expect(lf(edited.text)).toBe(lf(text).slice(0, at) + lf(newText) + lf(text).slice(at + oldText.length));
        const ends = lineEndsOf(text);
        if (ends !== 'mixed' && ends !== 'none' && lineEndsOf(newText) !== 'mixed')
          expect([ends, 'none']).toContain(lineEndsOf(edited.text));
      }),
      { numRuns: slowRuns(1_000) },
    );
  });

  test('written over keeps its form, and its own text is written as it was [B-45]', () => {
    fc.assert(
      fc.property(readableFile, texts, ({ bytes, text }, given) => {
        const before = decodeText(bytes);
        if (before === undefined) return;
        const next = writtenOver(before, given);
        expect(lf(next.text)).toBe(lf(given));
        expect(decodeText(next.bytes)).toEqual({ text: next.text, form: before.form });
        for (const same of [text, lf(text)]) expect(writtenOver(before, same).bytes.equals(bytes)).toBe(true);
      }),
      { numRuns: slowRuns(1_000) },
    );
  });
});

describe('the tools among files of all kinds', () => {
  test('a search finds a word or says where it did not look, and nothing waits for a pipe [B-40]', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (made) => {
        const world = createWorld();
        for (const { name, bytes, mode } of made) chmodSync(world.put(name, bytes), mode);
        world.put('.gitignore', 'out/\n*.tmp\n');
        execFileSync('mkfifo', [join(world.cwd, 'pipe')]);
        world.link(made[0]?.name ?? 'none', 'link');
        const { content } = await world.call('search', { pattern: 'needle' });
        for (const { name, bytes } of made) {
          const holds =
            bytes.includes('needle') ||
            bytes.includes(Buffer.from('needle', 'utf16le')) ||
            bytes.includes(Buffer.from('needle', 'utf16le').swap16());
          const shown = [name, name.replace('\n', '\\n')];
          const isThere =
            shown.some((each) => content.includes(each)) ||
            (name.includes('/') && content.includes(`${name.slice(0, name.indexOf('/'))}/`));
          if (holds) expect({ name, content, isThere }).toMatchObject({ isThere: true });
        }
        expect(content).toMatch(/1 link \(link\)/);
        expect(content).toMatch(/1 that is no plain file \(pipe\)/);
      }),
      { numRuns: slowRuns(100) },
    );
  });

  test('what is written through a link keeps encoding, mark, line ends and mode [B-45]', async () => {
    await fc.assert(
      fc.asyncProperty(readableFile, texts, async ({ form, text, bytes, mode }, given) => {
        const world = createWorld();
        const path = world.put('读 me.txt', bytes);
        chmodSync(path, mode);
        world.link('读 me.txt', 'link');
        expect(await world.call('write_file', { path: 'link', content: lf(given) })).toMatchObject({ ok: true });
        const ends = lineEndsOf(text);
        const crlf = lf(given).replaceAll('\n', '\r\n');
        if (ends !== 'mixed') expect(readFileSync(path)).toEqual(readable[form]?.(ends === 'crlf' ? crlf : lf(given)));
        expect(statSync(path).mode & 0o777).toBe(mode);
        expect(lstatSync(join(world.cwd, 'link')).isSymbolicLink()).toBe(true);
      }),
      { numRuns: slowRuns(100) },
    );
  });
});
