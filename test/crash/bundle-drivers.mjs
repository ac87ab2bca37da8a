/**
 * Bundles the drivers of the crash tests into dist/drivers, where a source is newer than they are: each kill takes a process of its own,
 * which would load hundreds of single files otherwise.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { computedParts } from '../../build/computed-parts.mjs';
import { isOlder } from '../../build/is-older.mjs';
import { roll } from '../../build/roll.mjs';

const target = join('dist', 'drivers');
const sources = ['src', 'build', 'test/crash', 'package-lock.json'];

if (isOlder(join(target, 'main.js'), sources)) {
  const output = await roll({ main: 'test/crash/drivers.mjs' }, target, { plugins: [await computedParts(process.cwd())] });
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n');
  for (const file of output.filter(({ fileName }) => fileName !== 'main.js')) write(file);
  for (const file of output.filter(({ fileName }) => fileName === 'main.js')) write(file);
}

function write(file) {
  writeFileSync(join(target, file.fileName), file.type === 'chunk' ? file.code : file.source);
}
