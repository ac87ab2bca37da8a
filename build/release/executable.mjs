import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * Makes the single executable: the Node that runs this, with an archive of what the npm package installs for this system. Equal inputs make
 * equal bytes: no time, no folder and no user is in it. build/release/executable-main.cjs unpacks the archive.
 */
export function makeExecutable(root, target) {
  const work = mkdtempSync(join(tmpdir(), 'sanbot-executable-'));
  try {
    const archive = archiveOf(root);
    const build = createHash('sha256').update(archive).digest('hex').slice(0, 32);
    writeFileSync(join(work, 'program'), archive);
    const main = readFileSync(join(root, 'build', 'release', 'executable-main.cjs'), 'utf8');
    writeFileSync(join(work, 'main.cjs'), main.replace('@BUILD@', build));
    const config = { main: 'main.cjs', output: 'blob', disableExperimentalSEAWarning: true, assets: { program: 'program' } };
    writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
    const node = (...args) => execFileSync(process.execPath, args, { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
    node('--experimental-sea-config', 'sea.json');
    copyFileSync(process.execPath, join(work, 'sanbot'));
    chmodSync(join(work, 'sanbot'), 0o755);
    node(join(root, 'node_modules', 'postject', 'dist', 'cli.js'), 'sanbot', 'NODE_SEA_BLOB', 'blob', '--sentinel-fuse', FUSE);
    copyFileSync(join(work, 'sanbot'), target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** As Node's documents name it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** A list of names, lengths and modes as JSON, a zero, and then the files one after another. */
function archiveOf(root) {
  const folders = ['bin', 'dist/bundle', 'prompts', ...packagesOf(root).map((folder) => relative(root, folder))];
  const names = ['package.json', 'LICENSE', ...folders.flatMap((folder) => filesBelow(root, folder))].toSorted();
  const files = names.filter((name) => !/\.map$|\.d\.ts$/.test(name)).map((name) => ({ name, bytes: readFileSync(join(root, name)) }));
  const mode = (name) => (statSync(join(root, name)).mode & 0o100 ? 0o700 : 0o600);
  const list = JSON.stringify(files.map(({ name, bytes }) => [name, bytes.length, mode(name)]));
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
  return brotliCompressSync(Buffer.concat([Buffer.from(`${list}\0`), ...files.map(({ bytes }) => bytes)]), {
    params: { [BROTLI_PARAM_QUALITY]: 6, [BROTLI_PARAM_LGWIN]: 24 },
  });
}

/** Not the packages in a package: `packagesOf` names those that are needed. */
function filesBelow(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    return entry.isDirectory() ? (entry.name === 'node_modules' ? [] : filesBelow(root, name)) : [name];
  });
}

/** The folders of all packages that are installed beside the bundle, for this system alone. */
export function packagesOf(folder) {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const found = Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    const paths = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? [];
    const place = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
    return place === undefined ? [] : [realpathSync(place), ...packagesOf(realpathSync(place))];
  });
  return [...new Set(found)];
}
