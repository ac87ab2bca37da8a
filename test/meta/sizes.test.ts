import ts from 'typescript';
import { expect, test } from 'vitest';
import { nodesOf, parseSource, sourceFiles } from '../support/source.ts';

/** What a person can hold in mind: a file of some screens, a function of one. */
const MAX_FILE_LINES = 250;
const MAX_FUNCTION_LINES = 60;

const files = sourceFiles().map((path) => ({ path, tree: parseSource(path) }));

test(`no file has more than ${MAX_FILE_LINES} lines`, () => {
  const lengths = files.map(({ path, tree }) => ({ path, lines: tree.text.trimEnd().split('\n').length }));
  expect(lengths.length).toBeGreaterThan(0);
  expect(lengths.filter(({ lines }) => lines > MAX_FILE_LINES)).toEqual([]);
});

test(`no function has more than ${MAX_FUNCTION_LINES} lines`, () => {
  const lengths = files.flatMap(({ path, tree }) =>
    functionsIn(tree).map((node) => ({ path, line: lineOf(tree, node.getStart()), lines: linesOf(tree, node) })),
  );
  expect(lengths.length).toBeGreaterThan(0);
  expect(lengths.filter(({ lines }) => lines > MAX_FUNCTION_LINES)).toEqual([]);
});

const lineOf = (tree: ts.SourceFile, position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;
const linesOf = (tree: ts.SourceFile, node: ts.Node): number => lineOf(tree, node.end) - lineOf(tree, node.getStart()) + 1;

const functionsIn = (tree: ts.SourceFile): readonly ts.Node[] =>
  nodesOf(tree).filter((node) => ts.isFunctionLike(node) && 'body' in node && node.body !== undefined);
