import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { folders, run } from '../../support/destructive.ts';
import { differences, factsOf } from '../../support/folder-facts.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';

/** Root may write anywhere: without these rights it is a user like any other. */
const asUser = process.getuid?.() === 0 ? 'setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all ' : '';
const canDrop = process.platform === 'linux' && spawnSync('/bin/sh', ['-c', `${asUser}true`]).status === 0;

const COMMANDS: readonly string[] = [
  // What is removed stands in folders that may only be read, the objects of a repository among them.
  'mkdir -p made/in; touch made/in/f; chmod -R a-w made',
  'cp -a .git saved; chmod -R a-w saved',
  // What comes back does: the folder is to be so, it was made so, or it is not known but for what stands in it.
  'chmod u+w kept; rm -r kept/*; chmod u-w kept',
  'rm docs/a.md; chmod 500 docs',
  'rm -r docs/a.md src/f1.txt; chmod 500 src docs; chmod 111 empty',
  'chmod -R u+w kept; rm -r kept',
];

test.skipIf(!canDrop).each(COMMANDS)('one who may not write in a folder as it is undoes %s all the same', (command) => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const root = join(dirname(world.cwd), 'w');
  mkdirSync(root);
  folders['a repository']?.(root);
  run(root, 'mkdir -p kept/in; echo a > kept/a; echo b > kept/in/b; chmod -R a-w kept');
  const before = factsOf(root);
  const ask = (...args: readonly string[]) =>
    spawnSync('/bin/sh', ['-c', `exec ${asUser}"$0" "$@"`, process.execPath, binary, ...args], {
      cwd: root,
      env: world.env,
      encoding: 'utf8',
    });
  expect(ask('-p', `run ${command}`, '--allow', 'run_command').status).toBe(0);
  expect(differences(before, factsOf(root))).not.toEqual([]);
  const back = ask('rollback', '--session', world.names('sessions')[0] ?? '', '--to-message', '1', '--files', '--yes');
  expect([back.status, back.stderr, differences(before, factsOf(root))]).toEqual([0, '', []]);
});

test.skipIf(!canDrop)('a search counts what it may not read [B-40]', () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const root = join(dirname(world.cwd), 'w');
  mkdirSync(root);
  run(root, 'echo needle > a; echo needle > shut; mkdir locked; echo needle > locked/b; chmod 0 shut locked');
  const { stdout } = spawnSync(
    '/bin/sh',
    ['-c', `exec ${asUser}"$0" "$@"`, process.execPath, binary, '-p', 'search needle', '--output-format', 'stream-json'],
    {
      cwd: root,
      env: world.env,
      encoding: 'utf8',
    },
  );
  run(root, 'chmod 700 shut locked');
  expect(stdout).toContain('1 match in 1 file; not searched: 2 that may not be read (locked/ shut)');
  expect(stdout).not.toContain('Permission denied');
});
