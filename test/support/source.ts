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

export const readSource = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What a file imports, statically or not: a path below src/ without its ending, or the name of a package. */
export const importsOf = (path: string): readonly string[] =>
  ts.preProcessFile(readSource(path), true, true).importedFiles.map(({ fileName: name }) =>
    name.startsWith('.')
      ? normalize(join(dirname(path), name))
          .replaceAll('\\', '/')
          .replace(/^src\//, '')
          .replace(/\.[jt]s$/, '')
      : name,
  );
