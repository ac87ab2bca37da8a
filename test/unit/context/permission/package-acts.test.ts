import { expect, test } from 'vitest';
import { writtenManifests } from '../../../../src/context/permission/package-acts.ts';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';

test('package managers write their own lists of packages, and what else stands in the line makes that unknown', async () => {
  const npm = ['package.json', 'package-lock.json', 'npm-shrinkwrap.json'];
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['npm install left-pad', npm],
    ['npm i -D left-pad@1', npm],
    ['npm version patch', npm],
    ['cargo add serde && cargo update', ['Cargo.toml', 'Cargo.lock']],
    ['go mod tidy', ['go.mod', 'go.sum']],
    ['npm run build', []],
    ['npm pkg set scripts.test=evil', []],
    ['npm test && npm install x', []],
    ['npm install x; echo x > package.json', []],
    ['npm install $(cat x)', []],
    ['sh -c "npm install x"', []],
    ['npm', []],
    ['', []],
  ];
  for (const [command, files] of cases) expect([command, writtenManifests(await parseShell(command))]).toEqual([command, files]);
});
