import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** All TypeScript files of src/, as paths from the root with forward slashes. */
export const sourceFiles = (): readonly string[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .sort();

const readSource = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The syntax tree of a file, by its path from the root. */
export const parseSource = (path: string): ts.SourceFile => ts.createSourceFile(path, readSource(path), ts.ScriptTarget.Latest, true);

/** A node and all that it is made of. */
export function nodesOf(root: ts.Node): readonly ts.Node[] {
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
export const importsOf = (path: string): readonly string[] =>
  ts.preProcessFile(readSource(path), true, true).importedFiles.map(({ fileName }) => nameOf(fileName, path));

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
