import ts from 'typescript-syntax';
import { expect, test } from 'vitest';
import { parseSource, sourceFiles } from '../support/source.ts';

test('a name is exported by one file: one word has one meaning', () => {
  const places = new Map<string, string[]>();
  for (const path of sourceFiles())
    for (const name of exportedNames(parseSource(path))) places.set(name, [...(places.get(name) ?? []), path]);
  expect(places.get('runTurn')).toEqual(['src/agent/turn/turn.ts']);
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});

const exportedNames = (tree: ts.SourceFile): readonly string[] => [...new Set(tree.statements.filter(isExported).flatMap(declaredNames))];

const isExported = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

function declaredNames(node: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText());
  const isNamed =
    ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);
  return isNamed && node.name !== undefined ? [node.name.text] : [];
}
