/** `npm run release`: builds a clean tree and makes the files of its release in release/ (CONTRIBUTING.md). It publishes nothing. */
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeArtifacts } from './artifacts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).trimEnd();
if (changed !== '') {
  console.error(`A release is made from a clean tree; commit or remove:\n${changed}`);
  process.exit(1);
}
execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
console.log(
  makeArtifacts(root, join(root, 'release'))
    .map((name) => `release/${name}`)
    .join('\n'),
);
