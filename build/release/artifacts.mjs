import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeExecutable, packagesOf } from './executable.mjs';

/**
 * Makes the files of a release of what is built, in a folder of their own: the npm package, on Linux x64 the single executable, the
 * licences of all that is in them, and checksums. The same sources, packages and Node make the same bytes. Returns their names.
 */
export function makeArtifacts(root, target) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', target], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  lint(root, join(target, `sanbot-${version}.tgz`));
  writeFileSync(join(target, 'LICENSES.txt'), licences(root));
  if (process.platform === 'linux' && process.arch === 'x64') makeExecutable(root, join(target, `sanbot-${version}-linux-x64`));
  const names = readdirSync(target).toSorted();
  const sums = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(target, name)))
        .digest('hex')}  ${name}\n`,
  );
  writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
  return [...names, 'SHA256SUMS'];
}

/** Throws with what publint says, where it finds anything. */
function lint(root, tarball) {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules', 'publint', 'src', 'cli.js'), tarball, '--strict'], { encoding: 'utf8' });
  } catch (error) {
    throw new Error(`publint: ${error.stdout}${error.stderr}`);
  }
}

/** Of Node, of the packages that are installed beside the bundle, and of what is in the bundle. */
function licences(root) {
  const { version } = process;
  const beside = packagesOf(root).map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const text = file === undefined ? 'Its package holds no text of the licence.' : readFileSync(join(folder, file), 'utf8').trim();
    return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}`;
  });
  const parts = [`Node.js ${version} (in the single executable)\n\n${nodeLicence()}`, ...beside];
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  const bundled = readFileSync(join(root, 'dist', 'bundle', 'LICENSES.txt'), 'utf8');
  return [own, ...parts, bundled].join(`\n\n${'='.repeat(80)}\n`);
}

/** It lies in another place with each who packs Node. */
function nodeLicence() {
  const places = [join(dirname(process.execPath), '..', 'LICENSE'), '/usr/share/doc/nodejs/LICENSE', '/usr/share/doc/nodejs/copyright'];
  const path = places.find((place) => existsSync(place));
  if (path === undefined) throw new Error(`The licence of Node is at none of ${places.join(', ')}: use a Node as nodejs.org packs it.`);
  return readFileSync(path, 'utf8').trim();
}
