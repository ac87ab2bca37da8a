import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-syntax';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Sources stay what they are while tests run, and nearly every test of the structure asks for all of them: each answer is made once. */
function remembered<Value>(make: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const made = make(path);
    known.set(path, made);
    return made;
  };
}

const listTypeScript = remembered((folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort(),
);

/** All TypeScript files of src/, as paths from the root with forward slashes. */
export const sourceFiles = (): readonly string[] => listTypeScript('src');

/** The text of a file, by its path from the root. */
export const readSource = remembered((path: string): string => readFileSync(join(root, path), 'utf8'));

/** The syntax tree of a file, by its path from the root. */
export const parseSource = remembered(
  (path: string): ts.SourceFile => ts.createSourceFile(path, readSource(path), ts.ScriptTarget.Latest, true),
);

const nodesOfFiles = new WeakMap<ts.SourceFile, readonly ts.Node[]>();

/** A node and all that it is made of. */
export function nodesOf(root: ts.Node): readonly ts.Node[] {
  if (!ts.isSourceFile(root)) return collectNodes(root);
  const known = nodesOfFiles.get(root) ?? collectNodes(root);
  nodesOfFiles.set(root, known);
  return known;
}

function collectNodes(root: ts.Node): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return nodes;
}

/** Strings and the texts of templates. */
export const stringsIn = (node: ts.Node): readonly string[] =>
  nodesOf(node).flatMap((each) =>
    ts.isStringLiteralLike(each) || ts.isTemplateHead(each) || ts.isTemplateMiddle(each) || ts.isTemplateTail(each) ? [each.text] : [],
  );

/** What a file imports, statically or not: a path below src/ without its ending, or the name of a package. */
export const importsOf = remembered((path: string): readonly string[] =>
  ts.preProcessFile(readSource(path), true, true).importedFiles.map(({ fileName }) => nameOf(fileName, path)),
);

/** What loading a file loads at once: not what is imported for types alone, and not what is imported when it is asked for. */
export const staticImportsOf = (path: string): readonly string[] =>
  parseSource(path).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier) || isOfTypes(statement)) return [];
    return [nameOf(moduleSpecifier.text, path)];
  });

function isOfTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly || areTypes(statement.exportClause);
  const { importClause } = statement;
  if (importClause === undefined) return false;
  return (
    importClause.phaseModifier === ts.SyntaxKind.TypeKeyword || (importClause.name === undefined && areTypes(importClause.namedBindings))
  );
}

const areTypes = (names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean =>
  names !== undefined &&
  (ts.isNamedImports(names) || ts.isNamedExports(names)) &&
  [...names.elements].every(({ isTypeOnly }: ts.ImportSpecifier | ts.ExportSpecifier) => isTypeOnly);

const nameOf = (specifier: string, importer: string): string =>
  specifier.startsWith('.')
    ? normalize(join(dirname(importer), specifier))
        .replaceAll('\\', '/')
        .replace(/^src\//, '')
        .replace(/\.[jt]s$/, '')
    : specifier;
