import { createRequire } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const LAZY_PARTS = { name: 'lazy-parts-apart', resolveDynamicImport: () => ({ id: 'node:process', external: true }) };

/** Runs a source of the program while it is built, and resolves with what it exports. What it imports lazily is not there. */
export async function loadSource(root, file) {
  const input = join(root, file);
  const resolve = { mainFields: ['module', 'main'] };
  const external = ['@vscode/ripgrep', 'libsql'];
  const build = await rolldown({ cwd: root, input, platform: 'node', tsconfig: false, resolve, external, plugins: [LAZY_PARTS] });
  const { output } = await build.generate({ format: 'cjs' });
  await build.close();
  const module = { exports: {} };
  new Function('require', 'module', 'exports', '__filename', output[0].code)(createRequire(input), module, module.exports, input);
  return module.exports;
}
