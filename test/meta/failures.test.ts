import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-syntax';
import { describe, expect, test } from 'vitest';
import { parseSource, readSource, root, sourceFiles, stringsIn } from '../support/source.ts';

const page = readFileSync(join(root, 'docs', 'failures.md'), 'utf8').split('\n');
const rows = page.filter((line) => /^\| [A-Z]-?\d/.test(line)).map((line) => line.slice(2, -2).split(' | '));
const listed = rows.map(([id = '']) => id);
const impossible = rows.filter(([, , reason = '']) => reason.startsWith('Cannot occur: ')).map(([id = '']) => id);

/** Only these are parsed. */
const hasIds = (path: string): boolean => /\[[A-Z]-?\d/.test(readSource(path));
const testFiles = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `test/${name.replaceAll('\\', '/')}`);
/** A name may stand in the table of a `.each` as well as in the call. */
const inTests = new Set(testFiles.filter(hasIds).flatMap((path) => idsIn(stringsIn(parseSource(path)))));
const inComments = new Set(
  sourceFiles()
    .filter(hasIds)
    .flatMap((path) => idsIn(commentsIn(parseSource(path)))),
);

/** All ids in brackets: `[P3, C-04, C56b]`, also where the line of a comment ends among them. */
function idsIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) =>
    [...text.matchAll(/\[((?:[A-Z]-?\d+[a-e]?)(?:,[\s*]+[A-Z]-?\d+[a-e]?)*)\]/g)].flatMap(([, ids = '']) => ids.split(/,[\s*]+/)),
  );
}

/** What stands between the tokens. */
function commentsIn(file: ts.SourceFile): readonly string[] {
  const between = (node: ts.Node): readonly string[] => {
    const children = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
    return children.length > 0 ? children.flatMap(between) : [file.text.slice(node.pos, node.getStart(file))];
  };
  return between(file).filter((text) => text.trim() !== '');
}

describe('the page of failures', () => {
  test('has three cells in each row, and no id twice', () => {
    expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
    expect(listed.filter((id, i) => listed.indexOf(id) !== i)).toEqual([]);
    expect(rows.filter(([, , reason = '']) => /^Cannot occur\b/.test(reason) && !/^Cannot occur: \S.{20}/.test(reason))).toEqual([]);
  });

  test('explains every id that a test or a comment of src carries', () => {
    expect(inTests.size).toBeGreaterThan(390);
    expect(inComments.size).toBeGreaterThan(10);
    expect([...inTests, ...inComments].filter((id) => !listed.includes(id))).toEqual([]);
  });

  test('has no row without a test, unless it says why the failure cannot occur', () => {
    expect(listed.filter((id) => !inTests.has(id) && !impossible.includes(id))).toEqual([]);
    expect(impossible.filter((id) => inTests.has(id))).toEqual([]);
  });
});

/** The lists of failures lie beside the checkout where the product is developed; elsewhere there is nothing to compare with. */
const lists = join(root, '..', 'shared');

describe.skipIf(!existsSync(lists))('beside the lists of failures (skipped without ../shared)', () => {
  const read = (name: string): string => readFileSync(join(lists, name), 'utf8');

  test('every failure that others reported has its row', () => {
    const ids = [...read('failures.md').matchAll(/^(?:- |\| )([PONFSBXC]\d+[a-e]?)\b/gm)].map(([, id = '']) => id);
    expect(ids.length).toBeGreaterThan(270);
    expect(ids.filter((id) => !listed.includes(id))).toEqual([]);
  });

  test('every case of durability, concurrency and bad input with priority 1 has its row', () => {
    const ids = [...read('reliability.md').matchAll(/^\| ([DCB]-\d+) \|.*\| 1 \|$/gm)].map(([, id = '']) => id);
    expect(ids.length).toBeGreaterThan(70);
    expect(ids.filter((id) => !listed.includes(id))).toEqual([]);
  });
});
