import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explainUpdate } from '../../../../src/commands/care/update.ts';
import { processEnvironment } from '../../../../src/runtime/environment.ts';
import { openStreams } from '../../../../src/runtime/io-streams.ts';
import { afterThisTest } from '../../../support/clean-up.ts';

/** What is said of a package in this folder, below a folder of its own. */
function saidOf(folder: string, ...files: readonly string[]): string {
  const base = mkdtempSync(join(tmpdir(), 'sanbot-update-'));
  afterThisTest(() => rmSync(base, { recursive: true, force: true }));
  const packageRoot = join(base, folder);
  for (const file of ['package.json', ...files]) {
    mkdirSync(join(packageRoot, file, '..'), { recursive: true });
    writeFileSync(join(packageRoot, file), '{ "version": "9.8.7" }');
  }
  const environment = { ...processEnvironment(), packageRoot, node: '/opt/sanbot' };
  const said: string[] = [];
  explainUpdate({ environment, io: { ...openStreams(environment, () => undefined), out: (text) => void said.push(text) } });
  return said.join('').replace(base, 'BASE');
}

test.each([
  ['program/0123456789abcdef0123456789abcdef', [], '/opt/sanbot', 'put it in the place of this one'],
  ['sanbot', ['src/main.ts'], 'BASE/sanbot', 'git pull && npm ci'],
  ['_npx/ab12/node_modules/sanbot', ['../../package.json'], 'BASE/_npx/ab12/node_modules/sanbot', 'npx sanbot@latest'],
  ['lib/node_modules/sanbot', [], 'BASE/lib/node_modules/sanbot', 'npm install -g sanbot@latest'],
  [
    'my project/node_modules/sanbot',
    ['../../package.json'],
    'BASE/my project/node_modules/sanbot',
    'npm install sanbot@latest in the project',
  ],
])('a package in %s is updated as it was installed', (folder, files, at, how) => {
  const [what, told] = saidOf(folder, ...files).split('\n');
  expect(what).toMatch(new RegExp(`^SanBot 9\\.8\\.7: .*, ${at}$`));
  expect(told).toContain(how);
});
