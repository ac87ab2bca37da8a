import ts from 'typescript-syntax';
import { expect, test } from 'vitest';
import { nodesOf, parseSource, sourceFiles } from '../support/source.ts';

/** What a person can hold in mind: a file of some screens, a function of one, a port of one concept. */
const MAX_FILE_LINES = 250;
const MAX_FUNCTION_LINES = 60;
const MAX_PORT_MEMBERS = 10;

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

test(`no port has more than ${MAX_PORT_MEMBERS} members, and nothing has more functions than that`, () => {
  const functionTypes = new Set(files.flatMap(({ tree }) => functionTypesIn(tree)));
  const sizes = files.flatMap(({ path, tree }) =>
    objectTypesIn(tree).map(({ name, members }) => ({
      path,
      name,
      members: members.length,
      functions: members.filter((member) => isFunction(member, functionTypes)).length,
    })),
  );
  expect(sizes.map(({ name }) => name)).toContain('RollbackPort');
  // A type that is mostly functions asks somebody for something; one that is mostly values is a record.
  const isPort = ({ members, functions }: (typeof sizes)[number]): boolean => functions * 2 > members;
  expect(sizes.filter((size) => size.functions > MAX_PORT_MEMBERS || (isPort(size) && size.members > MAX_PORT_MEMBERS))).toEqual([]);
});

const lineOf = (tree: ts.SourceFile, position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;
const linesOf = (tree: ts.SourceFile, node: ts.Node): number => lineOf(tree, node.end) - lineOf(tree, node.getStart()) + 1;

/** Without those that only hold a text, which is read as a table. */
const functionsIn = (tree: ts.SourceFile): readonly ts.Node[] =>
  nodesOf(tree).filter((node) => ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && !isText(node));

const isText = (node: ts.Node): boolean =>
  ts.isArrowFunction(node) && ts.isNoSubstitutionTemplateLiteral(ts.isTaggedTemplateExpression(node.body) ? node.body.template : node.body);

/** The names of types that are one function, such as `Emit`. */
const functionTypesIn = (tree: ts.SourceFile): readonly string[] =>
  tree.statements.filter(ts.isTypeAliasDeclaration).flatMap(({ name, type }) => (ts.isFunctionTypeNode(type) ? [name.text] : []));

/** Each object type that is exported, part by part: what `&` puts together are concepts of their own. */
const objectTypesIn = (tree: ts.SourceFile): readonly { readonly name: string; readonly members: readonly ts.TypeElement[] }[] =>
  tree.statements
    .filter((node) => ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node))
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true)
    .flatMap((node) => {
      const members = ts.isInterfaceDeclaration(node) ? node.members : literalMembers(node.type);
      return members.length === 0 ? [] : [{ name: node.name.text, members }];
    });

function literalMembers(type: ts.TypeNode): readonly ts.TypeElement[] {
  if (ts.isTypeLiteralNode(type)) return type.members;
  return ts.isIntersectionTypeNode(type) ? type.types.flatMap(literalMembers) : [];
}

function isFunction(member: ts.TypeElement, functionTypes: ReadonlySet<string>): boolean {
  if (ts.isMethodSignature(member)) return true;
  if (!ts.isPropertySignature(member) || member.type === undefined) return false;
  return (
    ts.isFunctionTypeNode(member.type) ||
    (ts.isTypeReferenceNode(member.type) && ts.isIdentifier(member.type.typeName) && functionTypes.has(member.type.typeName.text))
  );
}
