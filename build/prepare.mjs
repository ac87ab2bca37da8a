/** What npm runs after it has installed the packages of a checkout: the build, where the packages for it are there. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const has = (...path) => existsSync(join(root, ...path));

if (has('node_modules', 'rolldown')) execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
else if (!has('dist', 'bundle', 'main.js')) {
  console.error(
    'sanbot: not built, since the build needs the development packages: run npm ci without --omit=dev, or install the released package.',
  );
  process.exitCode = 1;
}
