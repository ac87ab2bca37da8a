import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What bundles the program, and what the tests kill, from the sources of a folder. */
const BUNDLERS = ['build/bundle.mjs', 'test/crash/bundle-drivers.mjs'];
/** Older than every bundle, which is therefore not made anew from the sources as they are. */
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

/** The files of a project: those that git knows, and the new ones that it does not ignore. */
export const projectFiles = (root: string): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)));

export type Changed = ReadonlyMap<string, string>;

/**
 * Lays out the project in a folder of its own: its bundles are of the changed sources, while `src` is as it was, for the tests that read it.
 * The changed sources lie in `changed`, from which the runner compiles. `tool` is the folder of the compiled runner.
 */
export function layOut(root: string, copy: string, { changed, tool }: { readonly changed: Changed; readonly tool: string }): void {
  rmSync(copy, { recursive: true, force: true });
  for (const path of projectFiles(root)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  cpSync(tool, join(copy, '.bench', 'mutants'), { recursive: true });
  for (const name of ['active', 'reached']) writeFileSync(join(copy, name), name === 'active' ? '0' : '');
  for (const [path, text] of changed) {
    writeFileSync(join(copy, path), text);
    mkdirSync(dirname(join(copy, 'changed', path)), { recursive: true });
    writeFileSync(join(copy, 'changed', path), text);
  }
  for (const bundler of BUNDLERS.filter((path) => existsSync(join(copy, path))))
    execFileSync(process.execPath, [bundler], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const path of changed.keys()) {
    writeFileSync(join(copy, path), readFileSync(join(root, path)));
    utimesSync(join(copy, path), LONG_AGO, LONG_AGO);
  }
}
